import Testing

@testable import CloudSyncCommands

/// How a watcher notices edits.
struct StoreWatchTests {
  @Test func `a write by anybody is noticed once`() throws {
    let folder = try TemporaryFolder()
    let path = LocalFolder.path(folder.path, "a.sqlite")
    var watch = StoreWatch(path: path)
    var seen = [watch.hasChanged()]
    try LocalFile.replace(path, with: [1])
    for _ in 0..<2 { seen.append(watch.hasChanged()) }
    try LocalFile.replace(path + "-wal", with: [1])
    seen.append(watch.hasChanged())
    #expect(seen == [false, true, false, true])
  }

  @Test func `what can never be brought does not keep it busy`() {
    var watch = StoreWatch(path: "/nowhere")
    // Somebody edits while a run is under way: one more run, and no third one for the same.
    let again = [0, 3, 3].map { watch.settle(pending: $0) }
    #expect(again == [false, true, false])
    #expect(!watch.isEdited(pending: 3) && watch.isEdited(pending: 4))
    let settled = watch.settle(pending: 0)
    #expect(!settled && watch.isEdited(pending: 1))
  }
}
