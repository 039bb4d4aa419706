import SyncKitTesting
import Testing

@testable import SyncKitEngine
@testable import SyncKitModel
@testable import SyncKitStore

/// A record's row in a local store gives back the record, and the same record the same digest.
struct RecordRowTests {
  @Test(arguments: 0..<50 as Range<UInt64>)
  func `a row gives back the record`(seed: UInt64) throws {
    var symbols = SymbolTable()
    for (_, state) in Self.states(seed) {
      let row = state.packed(&symbols)
      #expect(try RecordState(packed: row, symbols) == state)
      #expect(state.packed(&symbols) == row)
    }
  }

  @Test func `the row of a creation is that of the state it leads to`() throws {
    var rows = 0
    for change in (0..<400).map({ RandomChange(seed: $0).change }) {
      for var operation in change.operations {
        operation.kind = .create
        operation.writes.sort { $0.name < $1.name }
        let dot = Dot(change.stamp.replica, 7)
        var state = RecordState()
        state.apply(
          operation, stamp: change.stamp, in: WriteContext(dot: dot, seen: VersionVector()))
        var symbols = SymbolTable()
        let row = RecordState.packed(
          creating: operation, dot: dot, stamp: change.stamp, &symbols)
        // Names that come twice, unset values and elements that go need the state.
        guard let row else { continue }
        rows += 1
        #expect(try RecordState(packed: row, symbols) == state)
        var others = SymbolTable()
        _ = state.packed(&others)
        #expect(others.names.sorted() == symbols.names.sorted())
      }
    }
    #expect(rows > 100)
  }

  @Test func `a row outlives new symbols`() throws {
    var symbols = SymbolTable()
    let rows = (0..<20 as Range<UInt64>).flatMap { Self.states($0).values }.map {
      (state: $0, row: $0.packed(&symbols))
    }
    for (state, row) in rows { #expect(try RecordState(packed: row, symbols) == state) }
    #expect(Set(symbols.names).count == symbols.names.count)
    #expect(Set(symbols.replicas).count == symbols.replicas.count)
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `a damaged row is an error or another record`(seed: UInt64) throws {
    var symbols = SymbolTable()
    for (_, state) in Self.states(seed) {
      let row = state.packed(&symbols)
      for length in row.indices {
        #expect(throws: SyncError.self) { try RecordState(packed: Array(row[..<length]), symbols) }
      }
      for index in row.indices {
        for bit in 0..<8 as Range<UInt8> {
          var damaged = row
          damaged[index] ^= 1 << bit
          do { _ = try RecordState(packed: damaged, symbols) } catch is SyncError {}
        }
      }
    }
  }

  @Test func `a row of a newer version is told from damage`() throws {
    var symbols = SymbolTable()
    var row = RecordState().packed(&symbols)
    row[0] = 99
    let error = #expect(throws: SyncError.self) { try RecordState(packed: row, symbols) }
    #expect(error?.code == .storeNewer)
  }

  @Test func `different records have different canonical bytes, whatever the symbols`() {
    var seen: [[UInt8]: RecordState] = [:]
    for seed in 0..<100 as Range<UInt64> {
      for (_, state) in Self.states(seed) {
        var writer = ByteWriter()
        state.writeCanonical(to: &writer)
        if let twin = seen.updateValue(state, forKey: writer.bytes) { #expect(twin == state) }
      }
    }
    #expect(seen.count > 100)
  }

  private static func states(_ seed: UInt64) -> [RecordKey: RecordState] {
    var replica = StateReplica()
    for entry in RandomHistory(seed: seed, changes: 15).entries {
      replica.apply(entry.change, at: entry.dot)
    }
    return replica.records
  }
}
