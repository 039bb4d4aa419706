import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

private let day: Int64 = 86_400_000

/// Notes at home, and albums that have a zone each.
private struct Albums: SyncDomain {
  let schema = DomainSchema(
    "albums",
    [
      RecordType("note", fields: [Field("text", .string)]),
      RecordType("album", placement: .root, fields: [Field("title", .string)]),
    ])
}

private func album(_ number: Int) -> RecordDraft {
  RecordDraft("album", id: "x", fields: ["title": .string("title \(number)")])
}

/// An import of more than one transaction is one batch, whatever its transactions have to write.
struct LargeImportTests {
  private let remote = InMemoryTransport()
  private let chunk = 20

  private func drafts(_ numbers: Range<Int>) -> [RecordDraft] {
    numbers.map { RecordDraft("book", id: RecordID("\($0)"), fields: ["rating": .int(Int64($0))]) }
  }

  /// The parts of a batch that lie on the remote, and which of them say that they are the last.
  private func parts(of batch: BatchID) async throws -> (numbers: [Int], last: [Int]) {
    let coding = DeflateSegmentCoding()
    var found: (numbers: [Int], last: [Int]) = ([], [])
    for reference in try await remote.inventory(of: "books").segments {
      guard let segment = try await remote.fetch(reference, of: "books") else { continue }
      var context = segment.info.base
      for bytes in try coding.changes(of: segment) {
        let change = try bytes.reading {
          try Change(&$0, series: segment.info.series, after: context)
        }
        context = change.context
        guard change.batch == batch else { continue }
        found.numbers.append(change.part)
        if change.isLastPart { found.last.append(change.part) }
      }
    }
    return (found.numbers.sorted(), found.last)
  }

  @Test func `a part that changes nothing does not make the next one start over`() async throws {
    let device = try TestDevice("a", remote)
    let first = drafts(0..<chunk)
    let summary = try device.store.importAll(first + first + drafts(50..<60), each: chunk)
    #expect(summary.added == chunk + 10)
    #expect(summary.unchanged == chunk)
    try await device.engine.syncNow()
    let parts = try await parts(of: #require(summary.batch))
    #expect(parts.numbers == Array(0..<parts.numbers.count))
    #expect(parts.last == [parts.numbers.count - 1])
  }

  @Test(arguments: [false, true])
  func `a batch whose last transaction changes nothing has an end`(isSealed: Bool) async throws {
    let (a, b) = (try TestDevice("a", remote), try TestDevice("b", remote))
    let first = drafts(0..<chunk)
    let summary = try a.store.importAll(first + first.prefix(10), each: chunk) { done in
      // Another device syncs in between.
      if isSealed, done == first.count { try? a.store.seal() }
    }
    let batch = try #require(summary.batch)
    for device in [a, b] { try await device.engine.syncNow() }
    let parts = try await parts(of: batch)
    #expect(parts.numbers == Array(0..<parts.numbers.count))
    #expect(parts.last == [parts.numbers.count - 1])
    for device in [a, b] {
      #expect(try device.store.history().first { $0.id == batch }?.isComplete == true)
    }
    #expect(try b.store.undo(batch).summary.deleted == first.count)
    #expect(try b.ids.isEmpty)
  }

  @Test func `a batch of which a zone has lost its beginning is not undone in part`() async throws {
    let clock = VirtualClock()
    var device = try FolderDevice("a", InMemoryBlobStore(), clock: clock, of: Albums())
    device.history = HistoryWindow(keeping: 10 * day)
    device.history?.least = 1
    device.history?.hashes = 1
    let (first, second) = (album(1), album(2))
    let store = device.store
    let summary = try store.importAll(
      [first, second, RecordDraft("note", fields: ["text": "x"])], each: 1
    ) { done in
      try? store.seal()
      guard done == 1 else { return }
      for number in 0..<40 {
        clock.advance(by: day)
        _ = try? store.write { try $0.save(album(100 + number)) }
        try? store.seal()
      }
    }
    let batch = try #require(summary.batch)
    #expect(try store.history().first { $0.id == batch }?.isComplete == true)
    for round in 0..<3 {
      try await device.sync()
      clock.advance(by: 2 * day)
      try store.write { try $0.save(album(200 + round)) }
    }
    #expect(try store.historyBegins() != nil)
    #expect(try store.history().first { $0.id == batch }?.isComplete == false)
    #expect(throws: SyncError.self) { try store.undo(batch) }
  }

  @Test func `an import that is cut off says what it has written and how to take it back`() throws {
    let device = try TestDevice("a", remote)
    let wrong = RecordDraft("book", id: "wrong", fields: ["no such field": 1])
    let all = drafts(0..<chunk) + [wrong]
    var error = #expect(throws: SyncError.self) { try device.store.importAll(all, each: chunk) }
    let committed = try #require(error?.committed)
    let batch = try #require(committed.batch)
    #expect(error?.code == .inputInvalid)
    #expect(error?.isSafe == false)
    #expect(error?.hint?.contains("cloudsync undo \(batch)") == true)
    #expect(committed.added == chunk)
    #expect(try device.store.undo(batch).summary.deleted == chunk)
    #expect(try device.ids.isEmpty)
    // When nothing was written, nothing is there to be undone.
    error = #expect(throws: SyncError.self) { try device.store.importAll([wrong], each: chunk) }
    #expect(error?.committed == nil && error?.isSafe == true)
  }
}
