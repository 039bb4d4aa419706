import SyncKitTesting
import Testing

@testable import SyncKitEngine
@testable import SyncKitModel
@testable import SyncKitStore

/// Whether a large zone is worth a snapshot follows from a part of it.
struct SnapshotEstimateTests {
  private static func drafts(_ round: Int) -> [RecordDraft] {
    (0..<6_000).map { number in
      RecordDraft(
        "book", id: RecordID("book \(number)"),
        fields: [
          "title": .string("The \(number * number % 9_973) lives of number \(number)"),
          "rating": .int(Int64(number + round)),
        ])
    }
  }

  @Test func `the estimate of many records is close, and few are not estimated`() async throws {
    let device = try FolderDevice("a", InMemoryBlobStore())
    _ = try device.store.importAll(Array(Self.drafts(0).prefix(100)))
    try await device.sync()
    let domain = device.store.domain.name
    #expect(try device.store.read { try $0.estimatedSnapshotSize(of: .home, domain) } == 0)
    _ = try device.store.importAll(Self.drafts(0))
    try await device.sync()
    let estimate = try device.store.read { try $0.estimatedSnapshotSize(of: .home, domain) }
    let snapshot = try #require(
      try device.store.read {
        try $0.snapshot(of: .home, domain: domain, keeping: 1, now: device.store.environment.now())
      })
    let size = snapshot.size
    #expect((size * 3 / 4...size * 4 / 3).contains(estimate), "\(estimate) for \(size)")
  }

  @Test func `an import brings no snapshot, and what is written over again and again does`()
    async throws
  {
    let folder = InMemoryBlobStore()
    let device = try FolderDevice("a", folder, pruning: 4 << 10)
    _ = try device.store.importAll(Self.drafts(0))
    try await device.sync()
    #expect(folder.snapshots.isEmpty)
    for round in 1..<5 {
      _ = try device.store.importAll(Self.drafts(round))
      for _ in 0..<2 { try await device.sync() }
    }
    #expect(!folder.snapshots.isEmpty)
    #expect(try device.isSound)
  }
}
