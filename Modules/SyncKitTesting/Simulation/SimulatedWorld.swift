import SegmentFormat
import SyncKit

/// A few devices, a few remotes, and everything that is remembered about them to judge them.
final class SimulatedWorld {
  let plan: SimulationPlan
  let parts: SimulationParts
  let coding: any SegmentCoding
  let root: SeededRandom
  let time = VirtualClock()
  private(set) var devices: [SimulatedDevice] = []
  private(set) var remotes: [SimulatedRemote] = []
  var written = WrittenBatches()
  var statistics = SimulationStatistics()
  /// What has happened, one line a step.
  private(set) var story: [String] = []
  private(set) var trace: UInt64 = 0xCBF2_9CE4_8422_2325
  var step = 0

  init(_ plan: SimulationPlan, _ parts: SimulationParts) throws {
    self.plan = plan
    self.parts = parts
    coding = parts.coding(-1)
    root = SeededRandom(seed: plan.seed)
    var random = root.fork("world")
    var folders = root.fork("folders")
    let count = Int.random(in: 1...3, using: &random)
    remotes = (0..<count).map {
      SimulatedRemote(
        $0, tellsSizes: random.chance(70), isFolder: folders.chance(50), coding: coding)
    }
    for number in 0..<plan.replicas {
      let subset = (0..<count).filter { _ in random.chance(60) }
      // The first device meets all remotes, so that every change can reach everybody.
      let met =
        number == 0 ? Array(0..<count) : subset.isEmpty ? [number % count] : subset
      let skew: Int64 =
        plan.faults.contains(.skew) && random.chance(50)
        ? .random(in: -400_000...400_000, using: &random) : 0
      devices.append(
        try SimulatedDevice(
          number, clock: DeviceClock(time, skew: skew), random: root.fork("device \(number)"),
          remotes: met, storage: InMemoryStorage(fingerprint: "disk \(number)"),
          witness: random.chance(50) ? SimulatedWitness() : nil, parts: parts))
    }
    say(
      "\(plan.replicas) devices; "
        + remotes.map { "\($0.name) is a \($0.isFolder ? "folder" : "feed"), " }.joined()
        + devices.map { "\($0.name) meets \($0.remotes.map { remotes[$0].name })" }
        .joined(separator: ", "))
  }

  /// Adds a device that is a copy of another one.
  func add(_ device: SimulatedDevice) { devices.append(device) }

  /// Tells what has happened; all of it goes into the trace.
  func say(_ line: String) {
    story.append(line)
    for byte in line.utf8 { trace = (trace ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
  }

  /// The remotes with the given numbers as a device sees them.
  func remotes(_ numbers: [Int], for device: SimulatedDevice) -> [Remote] {
    numbers.map { number in
      let remote = remotes[number]
      let view: any Transport =
        remote.isFolder
        ? BlobTransport(FolderView(remote: remote, device: device.number), coding: coding)
        : RemoteView(remote: remote, device: device.number)
      return Remote(
        remote.name, location: "sim:\(number)",
        transport: parts.transport(view, device.number))
    }
  }

  /// What is shown for a human reader: names of records and values.
  static func text(_ fields: [Name: Value]) -> String {
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
  /// Edits that gave way to remote ones.
  public var yields = 0
  /// Batches that were written.
  public var batches = 0
  /// Batches that went down with a store that was put back.
  public var rolledBack = 0
  /// The most rounds that a world needed to agree.
  public var rounds = 0

  /// Starts from nothing.
  public init() {}

  /// Takes other simulations into account.
  public mutating func add(_ other: SimulationStatistics) {
    seeds += other.seeds
    operations += other.operations
    syncs += other.syncs
    faults.merge(other.faults, uniquingKeysWith: +)
    forks += other.forks
    conflicts += other.conflicts
    yields += other.yields
    batches += other.batches
    rolledBack += other.rolledBack
    rounds = max(rounds, other.rounds)
  }
}

/// Something that must never happen has happened.
struct SimulationBreach: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
