import MediaLibrary
import SegmentFormat
import SyncKit
import SyncKitTesting
import Synchronization
import Testing

/// A test device: a store of media in memory, with a clock that moves on when it is read.
final class FilmLover: Sendable {
  /// The first moment of the clock: 2023-11-14T22:13:20Z.
  static let start: Int64 = 1_700_000_000_000

  let store: SyncStore
  let engine: SyncEngine
  private let clock: Box
  private let stride: Box
  private let seed: Box

  init(_ name: String, meeting remote: InMemoryTransport = InMemoryTransport()) throws {
    let time = Box(Self.start)
    let step = Box(1)
    let state = Box(Int64(name.utf8.reduce(7) { $0 &* 31 &+ Int($1) }))
    clock = time
    stride = step
    seed = state
    store = try SyncStore(
      MediaLibraryDomain(), storage: InMemoryStorage(), coding: DeflateSegmentCoding(),
      device: Device(id: "device-\(name)", name: name),
      environment: SyncEnvironment(
        now: { time.add(step.value) },
        random: {
          let next =
            UInt64(bitPattern: state.value) &* 6_364_136_223_846_793_005
            &+ 1_442_695_040_888_963_407
          state.set(Int64(bitPattern: next))
          return next ^ (next >> 29)
        }))
    engine = SyncEngine(
      store: store, remotes: [Remote("memory", location: "memory:", transport: remote)])
  }

  /// Sets and stops the clock, and sets the next random numbers.
  func set(time: Int64, seed: Int64) {
    clock.set(time)
    stride.set(0)
    self.seed.set(seed)
  }

  func advance(by milliseconds: Int64) { _ = clock.add(milliseconds) }

  var library: LibraryView { get throws { try LibraryView(store) } }

  @discardableResult
  func list(_ name: String, id: RecordID? = nil) throws -> RecordKey {
    try store.write {
      try $0.save(RecordDraft("list", id: id, fields: ["name": .string(name)])).key
    }
    .result
  }

  @discardableResult
  func item(
    _ title: String, in list: RecordKey, _ fields: [FieldName: Value] = [:]
  ) throws -> RecordKey {
    var all = fields
    all["title"] = .string(title)
    let library = try library
    return try store.write {
      try $0.addItem(all, to: list, in: library, device: self.store.device.id).key
    }.result
  }

  func titles(of list: RecordKey) throws -> [String] {
    try library.items(of: list).compactMap { $0["title"].string }
  }

  /// Imports a file as a command would: nothing if there is a fault.
  @discardableResult
  func take(_ imported: ImportedLibrary) throws -> (summary: BatchSummary, plan: ImportPlan) {
    let plan = ImportPlan(imported, into: try library, device: store.device.id)
    #expect(plan.faults.map(\.message) == [])
    return (try store.importAll(plan.drafts), plan)
  }
}

/// A number that closures share.
final class Box: Sendable {
  private let number: Mutex<Int64>
  init(_ number: Int64) { self.number = Mutex(number) }
  var value: Int64 { number.withLock { $0 } }
  func set(_ value: Int64) { number.withLock { $0 = value } }
  func add(_ step: Int64) -> Int64 {
    number.withLock {
      $0 += step
      return $0
    }
  }
}

/// Syncs devices with their remote, one after another.
func sync(_ devices: FilmLover...) async throws {
  for device in devices { _ = try await device.engine.syncNow() }
}

/// Whether all devices hold the same valid state.
func agree(_ devices: FilmLover...) throws -> Bool {
  let zones = try devices.map { try $0.store.verify().filter { $0.zone != .local } }
  return zones.allSatisfy { $0.map(\.digest) == zones[0].map(\.digest) }
    && zones.joined().allSatisfy(\.problems.isEmpty)
}

/// A small generator, so that random tests can be repeated.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
