import SegmentFormat
public import SyncKit

/// A few devices of an app's own domain that write and sync in any order over a remote that fails, all from one seed.
///
/// ```swift
/// @Test(arguments: 0..<20) func `devices agree in the end`(seed: UInt64) async throws {
///   let fleet = try Fleet(of: ShelfDomain(), seed: seed)
///   try await fleet.chaos(200) { store, random in
///     try store.write { try $0.save(RecordDraft("book", id: "dune", fields: ["pages": .int(random.number(below: 900))])) }
///   }
///   try await fleet.heal()
///   #expect(try fleet.differences() == [])
/// }
/// ```
///
/// The same seed gives the same run; put it into what a failing test prints.
public final class Fleet: Sendable {
  /// The stores, one for each device.
  public let stores: [SyncStore]
  /// What the run began with.
  public let seed: UInt64

  private let engines: [SyncEngine]
  private let remote: UnreliableTransport
  private let clock: VirtualClock

  /// Makes devices with empty stores in memory, and a remote.
  ///
  /// - Parameters:
  ///   - domain: The domain.
  ///   - devices: How many devices there are.
  ///   - seed: Decides all that is left to chance.
  /// - Throws: What the stores throw, such as ``SyncKit/SyncError`` `store.schema`.
  public init(of domain: some SyncDomain, devices: Int = 3, seed: UInt64) throws {
    self.seed = seed
    let random = SeededRandom(seed: seed)
    let clock = VirtualClock()
    let remote = UnreliableTransport(InMemoryTransport(), random.fork("remote"))
    stores = try (0..<max(1, devices)).map { number in
      try SyncStore(
        domain, storage: InMemoryStorage(), coding: DeflateSegmentCoding(),
        device: Device(id: "device-\(number)", name: "device \(number)"),
        environment: .seeded(random.fork("device \(number)"), clock: clock))
    }
    engines = stores.map {
      SyncEngine(
        store: $0, remotes: [Remote("remote", location: "memory:", transport: remote)])
    }
    self.remote = remote
    self.clock = clock
  }

  /// Lets devices write and sync in an order that the seed decides; a part of the syncs fails half-way.
  ///
  /// - Parameters:
  ///   - steps: How many writes and syncs there are together.
  ///   - write: Writes something to a device, by random numbers. An error of the domain, such as a refused draft, is
  ///     no failure of the run when its code is `input.invalid` or `record.not-found`.
  /// - Throws: What else `write` throws, and what a sync throws that is no failure of the remote.
  public func chaos(
    _ steps: Int, _ write: (SyncStore, inout SeededRandom) throws -> Void
  ) async throws {
    var random = SeededRandom(seed: seed).fork("steps")
    var choices = SeededRandom(seed: seed).fork("writes")
    remote.isFailing = true
    defer { remote.isFailing = false }
    for _ in 0..<steps {
      clock.advance(by: Int64.random(in: 1...60_000, using: &random))
      let device = Int.random(in: stores.indices, using: &random)
      if random.chance(60) {
        do { try write(stores[device], &choices) } catch let error as SyncError
          where [.inputInvalid, .notFound].contains(error.code)
        {}
      } else {
        for outcome in await engines[device].sync() {
          if let error = outcome.error, error.code != .remoteUnavailable { throw error }
        }
      }
    }
  }

  /// Lets every device sync until nothing moves any more, over a remote that works.
  ///
  /// - Throws: What a sync throws, or ``ContractViolation`` when devices do not come to rest.
  public func heal() async throws {
    for _ in 0..<20 {
      var moved = 0
      for engine in engines {
        let report = try await engine.syncNow()
        moved += report.pushed + report.pulled
      }
      if moved == 0 { return }
    }
    throw ContractViolation("the devices do not come to rest, with seed \(seed)")
  }

  /// In what the devices differ, as sentences; empty when all show the same and every store is sound.
  public func differences() throws -> [String] {
    var found: [String] = []
    for store in stores {
      for zone in try store.verify() where !zone.problems.isEmpty {
        found.append("\(store.device.name): \(zone.problems.joined(separator: "; "))")
      }
    }
    for collection in stores[0].domain.schema.collections {
      let first = try Dictionary(
        uniqueKeysWithValues: stores[0].records(collection.name).map { ($0.key, $0.fields) })
      for store in stores.dropFirst() {
        let other = try Dictionary(
          uniqueKeysWithValues: store.records(collection.name).map { ($0.key, $0.fields) })
        for key in Set(first.keys).union(other.keys).sorted() where first[key] != other[key] {
          found.append(
            "\(key) is \(Self.text(first[key])) on \(stores[0].device.name)"
              + " and \(Self.text(other[key])) on \(store.device.name)")
        }
      }
    }
    return found
  }

  private static func text(_ fields: [FieldName: Value]?) -> String {
    guard let fields else { return "missing" }
    return fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      .joined(separator: ", ")
  }
}

extension SeededRandom {
  /// A number from 0 on.
  public mutating func number(below end: Int64) -> Int64 { Int64.random(in: 0..<end, using: &self) }

  /// One of several things.
  ///
  /// - Precondition: There is at least one.
  public mutating func one<Element>(of elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &self)]
  }
}
