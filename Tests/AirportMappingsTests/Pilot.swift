import AirportMappings
import SegmentFormat
import SyncKit
import SyncKitTesting
import Synchronization
import Testing

/// A clock that moves on by a millisecond whenever it is read.
final class TestClock: Sendable {
  private let time: Mutex<Int64>

  init(_ start: Int64) { time = Mutex(start) }

  func now() -> Int64 {
    time.withLock {
      $0 += 1; return $0
    }
  }
  func advance(by milliseconds: Int64) { time.withLock { $0 += milliseconds } }
}

/// A device of a test: a store of airport codes in memory.
final class Pilot: Sendable {
  /// The first moment of the clock: 2023-11-14T22:13:20Z.
  static let start: Int64 = 1_700_000_000_000

  let store: SyncStore
  let engine: SyncEngine
  let clock = TestClock(Pilot.start)

  init(
    _ name: String, meeting remote: InMemoryTransport = InMemoryTransport(),
    domain: any SyncDomain = AirportsDomain()
  ) throws {
    let seed = Mutex<UInt64>(UInt64(name.utf8.reduce(7) { $0 &* 31 &+ Int($1) }))
    let clock = clock
    store = try SyncStore(
      domain, storage: InMemoryStorage(), coding: DeflateSegmentCoding(),
      device: Device(id: "device-\(name)", name: name),
      environment: SyncEnvironment(
        now: { clock.now() },
        random: {
          seed.withLock { state in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
          }
        }))
    engine = SyncEngine(
      store: store, remotes: [Remote("memory", location: "memory:", transport: remote)])
  }

  @discardableResult
  func save(_ iata: RecordID, _ fields: [FieldName: Value], at: Int64? = nil) throws -> WriteOutcome
  {
    try store.write {
      try $0.save(RecordDraft("mapping", id: iata, fields: fields, at: at)).outcome
    }.result
  }

  func record(_ iata: RecordID) throws -> Record? { try store.record("mapping", iata) }

  func mapping(_ iata: RecordID) throws -> AirportMapping? {
    try record(iata).flatMap { AirportMapping($0) }
  }

  /// Imports a text as a command would: nothing if there is a fault.
  func `import`(_ text: String, format: String? = nil) throws -> BatchSummary {
    let records = try #require(
      try AirportsDomain().importRecords(Array(text.utf8), format: format))
    #expect(records.faults.isEmpty)
    return try store.importAll(records.rows.map(\.draft))
  }

  func export(_ format: String) throws -> String {
    let bytes = try AirportsDomain().exportRecords(store.records("mapping"), format: format)
    return String(decoding: try #require(bytes), as: UTF8.self)
  }
}

/// Syncs devices with their remote, one after another.
func sync(_ pilots: Pilot...) async throws {
  for pilot in pilots { _ = try await pilot.engine.syncNow() }
}

/// Lets two devices publish different codes before either has seen the other's.
///
/// The second device writes a second later.
func disagree(
  _ first: Pilot, _ second: Pilot, over iata: RecordID, _ one: String, _ other: String,
  sources: (MappingSource, MappingSource) = (.manual, .manual)
) async throws {
  second.clock.advance(by: 1_000)
  try first.save(
    iata, ["icao": .string(one), "source": .string(sources.0.rawValue)])
  try second.save(
    iata, ["icao": .string(other), "source": .string(sources.1.rawValue)])
  for pilot in [first, second] {
    var options = SyncOptions()
    options.direction = .pushOnly
    _ = try await pilot.engine.syncNow(options)
  }
  try await sync(first, second, first)
}

/// Whether all devices hold the same valid state.
func agree(_ pilots: Pilot...) throws -> Bool {
  let zones = try pilots.map { try $0.store.verify() }
  return zones.allSatisfy { $0.map(\.digest) == zones[0].map(\.digest) }
    && zones.joined().allSatisfy(\.problems.isEmpty)
}

/// Reads a file in a format of the domain.
func imported(_ text: String, format: String? = nil) throws -> ImportedRecords {
  try #require(try AirportsDomain().importRecords(Array(text.utf8), format: format))
}

/// The message with which a whole file is refused.
func refusal(of text: String, format: String? = nil) -> String? {
  let error = #expect(throws: SyncError.self) { try imported(text, format: format) }
  #expect(error?.code == .inputInvalid)
  return error?.message
}
