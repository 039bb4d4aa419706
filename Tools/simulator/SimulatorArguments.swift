import EncryptionSimulation
import ServerSimulation
import SyncKitTesting

/// The reason for the simulator's end, with its exit status.
struct SimulatorFailure: Error {
  let message: String
  let status: Int32

  init(_ message: String, status: Int32 = 1) {
    self.message = message
    self.status = status
  }
}

/// The command line.
struct SimulatorArguments {
  static let help = """
    cloudsync-sim: simulates devices that sync under faults, and checks the outcome.

      --seed N            one seed
      --seeds FROM..TO    seeds FROM to TO, both included (default 1..100)
      --replicas N        devices, 2 to 8 (default 5)
      --operations N      steps across all devices (default 200)
      --jobs N            worlds in parallel (default 2)
      --twice             run each seed twice and compare the traces
      --twice-every N     run one seed in N twice
      --server            also give each world a real server
      --malicious         all remotes are encrypted, on places that lie
      --unlimited         everything fails and nothing heals: checks safety only
      --forks             stores are copied again and again without notice
      --few-hashes        snapshots have few hashes of earlier changes
      --verbose           print the story of every seed
      --no-shrink         do not look for a smaller failing run
      --faults A,B|none   exactly these faults instead of the seed's
      --keep N,N,…        only these steps
    """

  var seeds: ClosedRange<UInt64> = 1...100
  var replicas = 5
  var operations = 200
  var jobs = 2
  /// One seed in this many runs twice; none if nil.
  var twiceEvery: UInt64?
  var hasServer = false
  var isMalicious = false
  var isUnlimited = false
  var isForking = false
  var hasFewHashes = false
  var isVerbose = false
  var shrinks = true
  var faults: Set<SimulatedFault>?
  var kept: [Int]?
  var wantsHelp = false

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      switch option {
      case "--help", "-h": wantsHelp = true
      case "--twice": twiceEvery = 1
      case "--twice-every": twiceEvery = try Self.number(rest.popFirst(), option)
      case "--server": hasServer = true
      case "--malicious": isMalicious = true
      case "--unlimited": isUnlimited = true
      case "--forks": isForking = true
      case "--few-hashes": hasFewHashes = true
      case "--verbose": isVerbose = true
      case "--no-shrink": shrinks = false
      case "--seed":
        let seed: UInt64 = try Self.number(rest.popFirst(), option)
        seeds = seed...seed
      case "--seeds": seeds = try Self.range(rest.popFirst())
      case "--replicas": replicas = try Self.number(rest.popFirst(), option)
      case "--operations": operations = try Self.number(rest.popFirst(), option)
      case "--jobs": jobs = try Self.number(rest.popFirst(), option)
      case "--faults": faults = try Self.faults(rest.popFirst())
      case "--keep":
        kept = try (rest.popFirst() ?? "").split(separator: ",").map {
          try Self.number(String($0), option)
        }
      default: throw SimulatorFailure("Unknown option \(option).\n\(Self.help)", status: 64)
      }
    }
    guard jobs > 0, operations >= 0, twiceEvery != 0 else {
      throw SimulatorFailure("Numbers must be positive.", status: 64)
    }
  }

  /// The plan for a seed.
  func plan(_ seed: UInt64) -> SimulationPlan {
    var plan = SimulationPlan(seed: seed, replicas: replicas, operations: operations)
    plan.isUnlimited = isUnlimited
    plan.isMalicious = isMalicious
    plan.isForking = isForking
    plan.hasFewHashes = hasFewHashes
    plan.hasServer = hasServer
    plan.faults = faults ?? plan.drawnFaults
    if isForking { plan.faults.insert(.clone) }
    plan.kept = kept
    return plan
  }

  /// The parts of the worlds.
  var parts: SimulationParts {
    var parts = SimulationParts()
    if hasServer { parts.server = ServedRemote.part }
    if isMalicious { parts.vault = SimulatedKeys.part }
    return parts
  }

  private static func number<N: FixedWidthInteger>(_ text: String?, _ option: String) throws -> N {
    guard let number = text.flatMap({ N($0) }) else {
      throw SimulatorFailure("\(option) takes a number.", status: 64)
    }
    return number
  }

  private static func range(_ text: String?) throws -> ClosedRange<UInt64> {
    let ends = (text ?? "").split(separator: ".", omittingEmptySubsequences: true)
    guard ends.count == 2, let first = UInt64(ends[0]), let last = UInt64(ends[1]), first <= last
    else { throw SimulatorFailure("--seeds takes a range such as 1..500.", status: 64) }
    return first...last
  }

  private static func faults(_ text: String?) throws -> Set<SimulatedFault> {
    guard let text, text != "none" else { return [] }
    return Set(
      try text.split(separator: ",").map { name in
        guard let fault = SimulatedFault(rawValue: String(name)) else {
          let known = SimulatedFault.allCases.map(\.rawValue).joined(separator: ", ")
          throw SimulatorFailure("There is no fault '\(name)'; there are \(known).", status: 64)
        }
        return fault
      })
  }
}
