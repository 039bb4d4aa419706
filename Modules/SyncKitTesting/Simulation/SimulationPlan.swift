import SyncKit

/// All that decides how a simulation goes; equal plans go the same way to the last step.
public struct SimulationPlan: Sendable {
  /// Where every random choice comes from.
  public var seed: UInt64
  /// How many devices there are at first; clones come on top, up to ``maximumReplicas``.
  public var replicas: Int
  /// How many steps the chaos has, over all devices.
  public var operations: Int
  /// What may go wrong.
  public var faults: Set<SimulatedFault>
  /// The steps that are carried out, all of them when it is nil.
  ///
  /// A step keeps its number and its choices, whatever happens to the others.
  public var kept: [Int]?

  /// Whether everything goes wrong all the time and nothing ever heals: then only safety is judged.
  public var isUnlimited = false

  /// Whether stores are copied again and again unnoticed, so that series part and part again.
  public var isForking = false

  /// Whether snapshots have few hashes, so that a device that begins with one cannot tell what was before.
  public var hasFewHashes = false

  /// Whether all remotes are encrypted, and lie on places that lie; a test hands the encryption in with
  /// ``SimulationParts/vault``.
  public var isMalicious = false

  /// Whether the world has a server; a test hands one in with ``SimulationParts/server``.
  public var hasServer = false

  /// The most devices of a world.
  public static let maximumReplicas = 8

  /// Plans the run of a seed with the faults that the seed draws.
  public init(seed: UInt64, replicas: Int = 5, operations: Int = 200) {
    self.seed = seed
    self.replicas = min(max(replicas, 2), Self.maximumReplicas)
    self.operations = operations
    faults = SimulatedFault.drawn(from: SeededRandom(seed: seed))
  }

  /// From when on segments are merged: much sooner than usual, in each world in its own way.
  var limits: CompactionLimits {
    var random = SeededRandom(seed: seed).fork("limits")
    var limits = CompactionLimits()
    limits.fanout = Int.random(in: 2...6, using: &random)
    limits.full = 512 << Int.random(in: 0...8, using: &random)
    limits.most = 4 * limits.full
    limits.mostUnpacked = 16 * limits.full
    limits.leastPruned = 256 << Int.random(in: 0...5, using: &random)
    limits.usesSnapshots = random.chance(60)
    if random.chance(50) {
      limits.snapshotSizes.undivided = 64 << Int.random(in: 0...5, using: &random)
      limits.snapshotSizes.part = 64 << Int.random(in: 0...5, using: &random)
    }
    if hasFewHashes {
      var random = SeededRandom(seed: seed).fork("hashes")
      limits.keptHashes = 1 << UInt64.random(in: 0...7, using: &random)
    }
    limits.history = remoteHistory
    return limits
  }

  /// How many changes remotes keep beside snapshots: in a part of the worlds none, else those of some seconds or
  /// minutes.
  private var remoteHistory: RemoteHistory {
    var random = SeededRandom(seed: seed).fork("remote history")
    guard random.chance(60) else { return .none }
    var history = RemoteHistory()
    history.age = 500 << Int64.random(in: 0...10, using: &random)
    history.slack = 256 << Int.random(in: 0...8, using: &random)
    history.pause = max(1, history.age >> Int64.random(in: 0...5, using: &random))
    history.unseen = 64 << UInt64.random(in: 0...6, using: &random)
    return history
  }

  /// When deleted records are forgotten: after seconds, and devices that were away for minutes are not
  /// waited for.
  var retention: Retention {
    var random = SeededRandom(seed: seed).fork("retention")
    var retention = Retention()
    guard random.chance(60) else { return retention }
    retention.deleted = .random(in: 0...60_000, using: &random)
    retention.silence = 1_000 << Int64.random(in: 0...12, using: &random)
    retention.pause = .random(in: 0...30_000, using: &random)
    return retention
  }

  /// How long old changes are kept: in a part of the worlds for seconds.
  var history: HistoryWindow {
    var random = SeededRandom(seed: seed).fork("history")
    var window = HistoryWindow(keeping: 400 * 86_400_000)
    // What a server holds is not looked at step by step, so no check would know what has gone.
    guard random.chance(50), !hasServer else { return window }
    window.kept = .random(in: 0...60_000, using: &random)
    window.pause = .random(in: 1...20_000, using: &random)
    window.least = 1 << Int.random(in: 0...11, using: &random)
    return window
  }

  /// The faults that the seed and the mode of the world bring.
  public var drawnFaults: Set<SimulatedFault> {
    let seed = SeededRandom(seed: seed)
    var drawn =
      isUnlimited
      ? Set(SimulatedFault.allCases).subtracting(SimulatedFault.lies)
      : SimulatedFault.drawn(from: seed)
    if isMalicious { drawn = SimulatedFault.withLies(drawn, from: seed) }
    if isForking { drawn.insert(.clone) }
    return drawn
  }

  /// The command that does the same again.
  public var command: String {
    var command = "cloudsync-sim --seed \(seed) --replicas \(replicas) --operations \(operations)"
    if faults != drawnFaults {
      let names = faults.sorted().map(\.rawValue).joined(separator: ",")
      command += " --faults \(names.isEmpty ? "none" : names)"
    }
    if hasServer { command += " --server" }
    if isMalicious { command += " --malicious" }
    if isUnlimited { command += " --unlimited" }
    if isForking { command += " --forks" }
    if hasFewHashes { command += " --few-hashes" }
    if let kept { command += " --keep \(kept.map(String.init).joined(separator: ","))" }
    return command
  }

  /// The steps in order.
  var steps: [SimulatedStep] {
    let root = SeededRandom(seed: seed)
    var random = root.fork("steps")
    let all = (0..<operations).map { number in
      SimulatedStep(
        number: number, device: Int.random(in: 0..<840, using: &random),
        kind: SimulatedStep.Kind.drawn(using: &random), random: root.fork("step \(number)"))
    }.map { step in
      var step = step
      if let kind = special(step.number, root) { step.kind = kind }
      return step
    }
    guard let kept else { return all }
    let wanted = Set(kept)
    return all.filter { wanted.contains($0.number) }
  }
}

extension SimulationPlan {
  /// How a device's version stands to the others.
  func version(of device: Int) -> SimulatedDevice.Version {
    if device == 1, faults.contains(.newer) { return .ahead }
    if device == 2, faults.contains(.older) { return .behind }
    return .usual
  }

  /// The steps in which a device meets no remote; it may write all the same.
  func absence(of device: Int) -> Range<Int> {
    var random = SeededRandom(seed: seed).fork("absence \(device)")
    guard faults.contains(.away), random.chance(40) else { return 0..<0 }
    let start = Int.random(in: 0...operations / 2, using: &random)
    return start..<start + Int.random(in: 20...max(operations, 21), using: &random)
  }

  /// What happens instead of a step, in worlds where such things happen.
  private func special(_ number: Int, _ root: SeededRandom) -> SimulatedStep.Kind? {
    var random = root.fork("special \(number)")
    let drawn = Int.random(in: 0..<100, using: &random)
    if faults.contains(.scope) {
      switch drawn {
      case 0..<3: return .publishHint
      case 3..<6: return .takeBack
      case 6..<14: return .saveTree
      default: break
      }
    }
    if isForking, (20..<26).contains(drawn) { return .clone }
    if faults.contains(.stranger), (14..<16).contains(drawn) { return .stray }
    if faults.contains(.flood), drawn == 16 || drawn == 17 {
      return drawn == 16 ? .flood : .ebb
    }
    if faults.contains(.erase), (30..<35).contains(drawn) { return .erase }
    return nil
  }
}

/// Something that one device does or suffers.
struct SimulatedStep: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case save, edit, touch, delete, restore, restoreAt, undo, resolve, importAll, move
    case syncAll, syncSome, pull, push, reopen
    case jump, crash, clone, backup, restoreCopy
    case publishHint, takeBack, saveTree, stray, flood, ebb, erase
    /// Instead of a sync, on a device that is away.
    case stayAway

    /// How often it is drawn, relative to the others.
    private var weight: Int {
      switch self {
      case .save: 26
      case .edit: 12
      case .syncAll: 16
      case .delete, .syncSome: 7
      case .touch, .restore, .undo, .resolve, .pull, .push, .crash: 4
      case .importAll, .move, .restoreAt, .jump, .backup: 2
      case .reopen, .clone, .restoreCopy: 1
      // In worlds of their own they take the place of others.
      case .publishHint, .takeBack, .saveTree, .stray, .flood, .ebb, .erase, .stayAway: 0
      }
    }

    /// Whether it brings in more than one batch of one's own.
    var mayChangeMuch: Bool {
      switch self {
      case .syncAll, .syncSome, .pull, .push, .reopen, .crash, .clone, .restoreCopy, .publishHint,
        .takeBack:
        true
      default: false
      }
    }

    /// Whether a person may write something; else a device takes in what others have.
    var isOfPerson: Bool {
      switch self {
      case .syncAll, .syncSome, .pull, .push, .stray, .stayAway: false
      default: true
      }
    }

    static func drawn(using random: inout SeededRandom) -> Kind {
      var left = Int.random(in: 0..<allCases.reduce(0) { $0 + $1.weight }, using: &random)
      for kind in allCases {
        if left < kind.weight { return kind }
        left -= kind.weight
      }
      return .save
    }
  }

  let number: Int
  /// A number that names one of the devices there are.
  let device: Int
  var kind: Kind
  /// The choices of this step; no other step draws from it.
  let random: SeededRandom
}
