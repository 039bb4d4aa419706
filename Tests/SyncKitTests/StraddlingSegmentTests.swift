import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

/// A snapshot is written while the author of a series goes on and merges its segments: the merged one
/// begins within the snapshot and reaches beyond it.
struct StraddlingSegmentTests {
  private let clock = VirtualClock()
  private let folder = InMemoryBlobStore()

  private func device(
    _ name: String, _ folder: InMemoryBlobStore, storage: InMemoryStorage = InMemoryStorage(),
    pruning: Int? = nil
  ) throws -> FolderDevice {
    try FolderDevice(name, folder, storage: storage, clock: clock, pruning: pruning)
  }

  /// The numbers of the changes that a segment holds, by its name.
  private func numbers(of name: String) -> ClosedRange<Int>? {
    guard let file = name.split(separator: "/").last else { return nil }
    let parts = file.split(separator: "-")
    guard parts.count > 2, let first = Int(parts[0]), let last = Int(parts[1]), first <= last
    else { return nil }
    return first...last
  }

  /// A segment that holds a change and the one after it, too.
  private func across(_ seq: Int, in folder: InMemoryBlobStore) -> String? {
    folder.changes.first { name in
      numbers(of: name).map { $0.contains(seq) && $0.contains(seq + 1) } ?? false
    }
  }

  @Test func `a segment that reaches beyond a snapshot stays, and every device gets the rest`()
    async throws
  {
    let a = try device("a", folder)
    for number in 0..<31 { try await a.save("book", number) }
    let storage = InMemoryStorage()
    try await device("b", folder, storage: storage).sync()

    // b writes a snapshot where no device sees it yet, as a provider that is slow has it.
    let apart = InMemoryBlobStore(location: folder.place)
    apart.files = folder.files
    let ends: [Int] = apart.changes.compactMap { numbers(of: $0)?.upperBound }
    let last = try #require(ends.max())
    let b = try device("b", apart, storage: storage, pruning: 1)
    try await b.save("book", 100)
    #expect(!apart.snapshots.isEmpty)

    // Meanwhile a goes on until one segment leads across the end of what b had.
    var number = 200
    while across(last, in: folder) == nil, number < 300 {
      try await a.save("book", number)
      number += 1
    }
    // What came before in pieces goes for it.
    for more in number..<number + 2 { try await a.save("other", more) }
    let segment = try #require(across(last, in: folder))
    folder.files.merge(apart.files) { known, _ in known }

    // Another device proves the snapshot and removes what it stands for.
    let count = folder.changes.count
    try await device("c", folder, pruning: 1).sync()
    #expect(folder.changes.count < count)
    #expect(folder.changes.contains(segment), "it holds changes that no snapshot stands for")
    let late = try device("late", folder)
    try await late.sync()
    #expect(try late.device.book("other")?["rating"] == .int(Int64(number + 1)))
    try await a.sync()
    try await late.sync()
    #expect(try late.device.digests == a.device.digests)
  }
}
