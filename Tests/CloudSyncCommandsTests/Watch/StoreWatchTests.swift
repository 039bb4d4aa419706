import LocalMachine
import CommandFoundation
import Testing

@testable import CloudSyncCommands

/// How a watcher notices edits.
struct StoreWatchTests {
  @Test func `a write by any process is noticed once`() throws {
    let folder = try TemporaryFolder()
    let path = LocalFolder.path(folder.path, "a.sqlite")
    // Long after all of this.
    var watch = StoreWatch(path: path) { .max }
    var seen = [watch.hasChanged()]
    try LocalFile.replace(path, with: [1])
    for _ in 0..<2 { seen.append(watch.hasChanged()) }
    try LocalFile.replace(path + "-wal", with: [1])
    seen.append(watch.hasChanged())
    #expect(seen == [false, true, false, true])
  }

  @Test func `a write that a slow disk reveals late is noticed`() throws {
    let folder = try TemporaryFolder()
    let path = LocalFolder.path(folder.path, "a.sqlite")
    try LocalFile.replace(path, with: [1])
    let written = try #require(FileSignature(path)).modified
    var now = written + 1
    var watch = StoreWatch(path: path) { now }
    var seen: [Int64] = []
    for time in stride(from: Int64(0), through: 600_000, by: 50) {
      now = written + time
      if watch.hasChanged() { seen.append(time) }
    }
    #expect(seen.first == 150 && (10...14).contains(seen.count), "\(seen)")
    for (earlier, later) in zip(seen, seen.dropFirst()) { #expect(later <= 2 * earlier + 100) }
    #expect(seen.last.map { $0 > 60_000 } == true)
    // The clock was set back to before the first write.
    now = written - 3_600_000
    let hasChanged = watch.hasChanged()
    #expect(!hasChanged)
  }

  @Test func `a store that could not be read is read again`() throws {
    let folder = try TemporaryFolder()
    let path = LocalFolder.path(folder.path, "a.sqlite")
    try LocalFile.replace(path, with: [1])
    var now = try #require(FileSignature(path)).modified + 600_000
    var watch = StoreWatch(path: path) { now }
    var seen = [watch.hasChanged()]
    watch.failed()
    now += 50
    for _ in 0..<2 { seen.append(watch.hasChanged()) }
    #expect(seen == [false, true, false])
  }

  @Test func `a write after the check does not count as seen`() throws {
    let folder = try TemporaryFolder()
    let path = LocalFolder.path(folder.path, "a.sqlite")
    var watch = StoreWatch(path: path) { .max }
    watch.look()
    // The store is read here, and edited before its contents are noted.
    try LocalFile.replace(path, with: [1])
    let isDue = watch.settle(StoreWatch.Contents(pending: 0, edits: 1))
    let hasChanged = watch.hasChanged()
    #expect(!isDue && hasChanged)
  }

  @Test func `changes that can never be sent do not keep it busy`() {
    var watch = StoreWatch(path: "/nowhere") { 0 }
    // An edit during a run: one more run, and no third one for it.
    let again = [(0, 1), (3, 2), (3, 2)].map {
      watch.settle(StoreWatch.Contents(pending: $0.0, edits: $0.1))
    }
    #expect(again == [false, true, false])
    #expect(!watch.isEdited(StoreWatch.Contents(pending: 3, edits: 2)))
    #expect(watch.isEdited(StoreWatch.Contents(pending: 4, edits: 3)))
    let isDue = watch.settle(StoreWatch.Contents(pending: 0, edits: 3))
    #expect(!isDue && watch.isEdited(StoreWatch.Contents(pending: 1, edits: 4)))
  }

  @Test func `an edit during each of two runs starts a third`() {
    var watch = StoreWatch(path: "/nowhere") { 0 }
    let again = [(1, 5), (1, 6), (0, 6)].map {
      watch.settle(StoreWatch.Contents(pending: $0.0, edits: $0.1))
    }
    #expect(again == [true, true, false])
  }
}
