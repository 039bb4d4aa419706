import BikeService
import SyncKitFormats
import SegmentFormat
import SyncKit
import SyncKitTesting
import Synchronization
import Testing

/// A rider's device: the synced store, which has a remote, and the local one, which has none.
final class Rider: Sendable {
  /// The first moment of the clock: 2024-06-01T00:00:00Z.
  static let start: Int64 = 1_717_200_000_000
  static let day: Int64 = 86_400_000

  let bikes: SyncStore
  let rides: SyncStore
  let engine: SyncEngine
  let clock: VirtualClock

  init(_ name: String, meeting remote: InMemoryTransport = InMemoryTransport()) throws {
    let seed = name.utf8.reduce(UInt64(11)) { $0 &* 31 &+ UInt64($1) }
    let clock = VirtualClock(at: Rider.start)
    self.clock = clock
    let random = SyncEnvironment.seeded(SeededRandom(seed: seed), clock: clock)
    let environment = SyncEnvironment(
      now: {
        clock.advance(by: 1)
        return random.now()
      }, random: random.random)
    func store(_ domain: any SyncDomain) throws -> SyncStore {
      try SyncStore(
        domain, storage: InMemoryStorage(), coding: DeflateSegmentCoding(),
        device: Device(id: "device-\(name)", name: name), environment: environment)
    }
    bikes = try store(BikeDomain())
    rides = try store(StravaDomain())
    engine = SyncEngine(
      store: bikes, remotes: [Remote("memory", location: "memory:", transport: remote)])
  }

  @discardableResult
  func save(_ draft: RecordDraft) throws -> RecordKey {
    try bikes.write { try $0.save(draft).key }.result
  }

  /// Adds an interval and returns its key.
  @discardableResult
  func interval(
    _ part: String, bike: String = "b1", _ fields: [FieldName: Value], id: RecordID? = nil
  ) throws -> RecordKey {
    try save(
      RecordDraft(
        "interval", id: id,
        fields: fields.merging(["bikeId": .string(bike), "part": .string(part)]) { own, _ in own }))
  }

  /// Adds a ride that many days before or after the start.
  func ride(
    _ id: String, bike: String? = "b1", day: Double, hours: Double = 1, km: Double = 20,
    _ more: [FieldName: Value] = [:]
  ) throws {
    var fields: [FieldName: Value] = [
      "startDate": .instant(Rider.start + Int64(day * Double(Rider.day))),
      "movingTime": .int(Int64(hours * 3600)), "distance": .double(km * 1000),
      "sportType": "Ride",
    ]
    if let bike { fields["gearId"] = .string(bike) }
    try rides.write {
      try $0.save(
        RecordDraft("activity", id: RecordID(id), fields: fields.merging(more) { _, more in more }))
    }
  }

  var garage: Garage { get throws { try Garage(bikes: bikes, rides: rides) } }

  /// The services that are due some days after the start.
  func due(day: Double = 0) throws -> [DueService] {
    try garage.dueServices(now: Rider.start + Int64(day * Double(Rider.day)))
  }

  /// The only service.
  func only(day: Double = 0) throws -> DueService {
    let due = try due(day: day)
    return try #require(due.count == 1 ? due[0] : nil, "\(due.count) are due")
  }
}

/// Syncs devices with their remote, one after another.
func sync(_ riders: Rider...) async throws {
  for rider in riders { _ = try await rider.engine.syncNow() }
}

/// Whether all devices hold the same valid state.
func agree(_ riders: Rider...) throws -> Bool {
  let zones = try riders.map { try $0.bikes.verify() }
  return zones.allSatisfy { $0.map(\.digest) == zones[0].map(\.digest) }
    && zones.joined().allSatisfy(\.problems.isEmpty)
}

/// A stand-in for a web service: the closure answers, and requests are recorded.
final class ScriptedWeb: WebFetching {
  private let script: @Sendable (WebRequest) throws -> WebResponse
  private let asked = Mutex<[WebRequest]>([])

  init(_ script: @escaping @Sendable (WebRequest) throws -> WebResponse) { self.script = script }

  func fetch(_ request: WebRequest) async throws -> WebResponse {
    asked.withLock { $0.append(request) }
    return try script(request)
  }

  var requests: [WebRequest] { asked.withLock { $0 } }
  /// The paths with their queries.
  var paths: [String] {
    requests.map { request in
      request.url.split(separator: "/", maxSplits: 2).last.map {
        "/" + $0.drop { $0 != "/" }.dropFirst()
      } ?? request.url
    }
  }
}

extension WebResponse {
  static func json(
    _ text: String, _ status: Int = 200, headers: [(name: String, value: String)] = []
  ) -> WebResponse {
    WebResponse(status: status, headers: headers, body: Array(text.utf8))
  }
}
