import SegmentFormat
import SyncKit
import Synchronization

/// A few devices, a few remotes, and everything that is remembered about them to judge them.
final class SimulatedWorld {
  let plan: SimulationPlan
  let parts: SimulationParts
  let coding: any SegmentCoding
  let root: SeededRandom
  let time = VirtualClock()
  private(set) var devices: [SimulatedDevice] = []
  private(set) var remotes: [SimulatedRemote] = []
  /// The remote of another vault, which no device here may sync with.
  let stranger: SimulatedRemote
  let versions = SimulatedVersions()
  /// The server, if the world has one; it comes after the other remotes.
  private(set) var server: (any SimulatedServer)?
  let watch = WatchBook()
  /// The keys of the world, if its remotes are encrypted.
  var vault: (any SimulatedVault)?
  /// What people have written, in a world of places that lie.
  var honesty = HonestValues()
  /// What was written in zones that may not leave their devices.
  var kept: Set<LocalWrite> = []
  /// What was never sealed and lay in a zone when its tree became local: letting it out again leaves
  /// it behind as history.
  var leftBehind: Set<LocalWrite> = []
  /// The changes that wait for what is nowhere any more.
  var hanging: Set<ContentHash> = []
  /// The segments on each remote that were cut off while they were written and that no device can complete.
  var torn: [String: [SegmentInfo]] = [:]
  /// The holders of each zone in the end, in groups that can reach each other.
  var holdings: [ZoneID: [[SimulatedDevice]]] = [:]
  /// The digest of every state that a device has had, by zone and vector (I1).
  var digests: [String: ContentHash] = [:]
  var written = WrittenBatches()
  var statistics = SimulationStatistics()
  /// What has happened, one line a step.
  private(set) var story: [String] = []
  private(set) var trace: UInt64 = 0xCBF2_9CE4_8422_2325
  var step = 0
  /// Whether all faults have ceased.
  var isHealing = false

  init(_ plan: SimulationPlan, _ parts: SimulationParts) throws {
    self.plan = plan
    self.parts = parts
    coding = parts.coding(-1)
    stranger = SimulatedRemote(-1, tellsSizes: true, kind: .numbered, coding: coding)
    root = SeededRandom(seed: plan.seed)
    var random = root.fork("world")
    var folders = root.fork("folders")
    var numbers = root.fork("numbers")
    let count = Int.random(in: 1...3, using: &random)
    var serving = root.fork("server")
    remotes = (0..<count).map {
      SimulatedRemote(
        $0, tellsSizes: random.chance(70),
        kind: folders.chance(50) || plan.isMalicious
          ? .folder : numbers.chance(60) ? .numbered : .feed,
        coding: coding,
        place: plan.isMalicious ? MaliciousPlace(root.fork("place \($0)"), lies: []) : nil)
    }
    stranger.state.withLock { $0.markers = ["another-vault"] }
    for number in 0..<plan.replicas {
      let subset = (0..<count).filter { _ in random.chance(60) }
      // The first device meets all remotes, so that every change can reach every device.
      var met =
        number == 0 ? Array(0..<count) : subset.isEmpty ? [number % count] : subset
      if parts.server != nil, number == 0 || serving.chance(70) { met.append(count) }
      let skew: Int64 =
        plan.faults.contains(.skew) && random.chance(50)
        ? .random(in: -400_000...400_000, using: &random) : 0
      devices.append(
        try SimulatedDevice(
          number, clock: DeviceClock(time, skew: skew), random: root.fork("device \(number)"),
          remotes: met, storage: InMemoryStorage(fingerprint: "disk \(number)"),
          witness: random.chance(50) ? SimulatedWitness() : nil, parts: parts,
          version: plan.version(of: number), versions: versions))
    }
    say(
      "\(plan.replicas) devices; "
        + (parts.server == nil ? "" : "r\(count + 1) is a server, ")
        + remotes.map { "\($0.name) is a \($0.kind), " }.joined()
        + devices.map { "\($0.name) meets \($0.remotes.map { "r\($0 + 1)" })" }
        .joined(separator: ", "))
  }

  /// Starts the server.
  func openServer() async throws {
    server = try await parts.server?(root.fork("server"), time)
  }

  /// All remotes, by number.
  var remoteNumbers: [Int] { Array(0..<remotes.count + (server == nil ? 0 : 1)) }

  /// How much was ever stored on each remote.
  var stores: [Int] { remotes.map(\.stores) + (server.map { [$0.stores] } ?? []) }

  /// Adds a device that is a copy of another one.
  func add(_ device: SimulatedDevice) { devices.append(device) }

  /// Tells what has happened; all of it goes into the trace.
  func say(_ line: String) {
    story.append(line)
    for byte in line.utf8 { trace = (trace ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
  }

  /// The remotes with the given numbers as a device sees them.
  func remotes(_ numbers: [Int], for device: SimulatedDevice) async throws -> [Remote] {
    var found: [Remote] = []
    for number in numbers {
      let view: any Transport
      let name = "r\(number + 1)"
      let location = "sim:\(number)"
      if number < remotes.count, let place = remotes[number].place {
        view = try sealed(remotes[number], place, for: device, as: name, location)
      } else if number < remotes.count {
        let remote = remotes[number]
        view =
          remote.kind == .folder
          ? BlobTransport(FolderView(remote: remote, device: device.number), coding: device.coding)
          : RemoteView(remote: remote, device: device.number, coding: device.coding)
      } else if let server {
        let way = try await server.transport(for: device.number, coding: device.coding)
        view = WatchedTransport(inner: ForwardingTransport(way), world: watch, coding: coding)
      } else {
        continue
      }
      found.append(
        Remote(name, location: location, transport: parts.transport(view, device.number)))
    }
    return found
  }

  /// What is shown for a human reader: names of records and values.
  static func text(_ fields: [FieldName: Value]) -> String {
    fields.sorted { $0.key < $1.key }.map { "\($0.key)=\(text($0.value))" }.joined(separator: " ")
  }

  static func text(_ value: Value) -> String {
    switch value {
    case .null: "-"
    case .string(let text): text
    case .int(let number): "\(number)"
    case .instant(let time): "@\(time)"
    case .list(let values): "[\(values.map(Self.text).joined(separator: " "))]"
    case .map(let map):
      "{\(map.members.map { "\($0.name)=\(Self.text($0.value))" }.joined(separator: " "))}"
    default: "\(value)"
    }
  }
}

/// What has gone on in some simulations.
public struct SimulationStatistics: Sendable {
  /// Simulated worlds.
  public var seeds = 0
  /// Steps that were carried out.
  public var operations = 0
  /// Runs of an engine.
  public var syncs = 0
  /// How often each fault struck.
  public var faults: [SimulatedFault: Int] = [:]
  /// Partings of series that devices found.
  public var forks = 0
  /// Conflicts that were listed in the end.
  public var conflicts = 0
  /// Edits that remote ones have overridden.
  public var isOverridden = 0
  /// Segments that were written in place of several.
  public var merged = 0
  /// Segments that were removed because others hold what they held.
  public var removed = 0
  /// Snapshots that were written.
  public var snapshots = 0
  /// Devices that know some of their past as state only, in the end.
  public var joins = 0
  /// Batches that were written.
  public var batches = 0
  /// Batches that went down with a store that was put back.
  public var rolledBack = 0
  /// The most rounds that a world needed to agree.
  public var rounds = 0
  /// Worlds in which a device could not tell whether a series is one that it knows, and said so.
  public var refusals = 0

  /// Starts from nothing.
  public init() {}

  /// Takes the outcome of a run into account.
  mutating func add(_ report: SyncReport) {
    forks += report.forks
    isOverridden += report.overridden
    merged += report.compaction.merged
    removed += report.compaction.removed
    snapshots += report.compaction.snapshots
  }

  /// Takes other simulations into account.
  public mutating func add(_ other: SimulationStatistics) {
    seeds += other.seeds
    operations += other.operations
    syncs += other.syncs
    faults.merge(other.faults, uniquingKeysWith: +)
    forks += other.forks
    conflicts += other.conflicts
    isOverridden += other.isOverridden
    merged += other.merged
    removed += other.removed
    snapshots += other.snapshots
    joins += other.joins
    batches += other.batches
    rolledBack += other.rolledBack
    rounds = max(rounds, other.rounds)
    refusals += other.refusals
  }
}

/// Something that must never happen has happened.
struct SimulationBreach: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// A device cannot tell whether a series is one that it knows: it takes nothing, and the world ends.
struct SimulatedRefusal: Error {}
