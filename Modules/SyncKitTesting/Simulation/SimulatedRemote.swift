import SyncKit
import Synchronization

/// A place where segments lie, as a file provider keeps it: late, in pieces, twice, not at all.
final class SimulatedRemote: Sendable {
  struct File {
    /// What its head says; nil for a file of a folder, which readers have to look into.
    let info: SegmentInfo?
    let bytes: [UInt8]
    /// When each device sees it; at once if it is not named.
    var visible: [Int: Int] = [:]
    /// When each device has all of its bytes.
    var whole: [Int: Int] = [:]
    /// When each device can read it again.
    var readable: [Int: Int] = [:]
    /// When it is back.
    var back = 0
    var hasCopy = false
  }

  struct State {
    var markers: Set<String> = []
    var files: [String: File] = [:]
    /// The zones that were taken back, with who has removed them.
    var erased: [ZoneID: Confirmations] = [:]
    /// The chained hashes of all changes that have ever been stored here.
    var changes: Set<ContentHash> = []
    var stores = 0
    var step = 0
    var faults: Set<SimulatedFault> = []
    var random = SeededRandom(seed: 0)
    var counts: [SimulatedFault: Int] = [:]
    var problems: [String] = []
  }

  let number: Int
  let name: String
  let coding: any SegmentCoding
  /// Whether a listing tells sizes.
  let tellsSizes: Bool
  /// Whether it is a folder of files and not a feed of segments.
  let isFolder: Bool
  let state = Mutex(State())

  init(_ number: Int, tellsSizes: Bool, isFolder: Bool, coding: any SegmentCoding) {
    self.number = number
    name = "r\(number + 1)"
    self.tellsSizes = tellsSizes
    self.isFolder = isFolder
    self.coding = coding
  }

  /// Gives the faults of the coming step a stream of their own.
  func begin(_ step: Int, _ random: SeededRandom, _ faults: Set<SimulatedFault>) {
    state.withLock {
      $0.step = step
      $0.random = random.fork(name)
      $0.faults = faults
    }
  }

  /// Ends all faults; what was late or gone is there.
  func heal() {
    state.withLock { state in
      state.faults = []
      for name in state.files.keys {
        state.files[name]?.visible = [:]
        state.files[name]?.whole = [:]
        state.files[name]?.readable = [:]
        state.files[name]?.back = 0
      }
    }
  }

  /// How often something was stored.
  var stores: Int { state.withLock { $0.stores } }

  /// Every segment that lies here, whoever sees it.
  func segments() throws -> [Segment] {
    try state.withLock { state in
      try state.files.sorted { $0.key < $1.key }.filter { $0.key.hasSuffix(Self.ending) }
        .map { try coding.read($0.value.bytes) }
    }
  }

  /// Ends the name of every segment.
  static let ending = ".seg"

  /// Breaches of the protocol that the remote has noticed.
  var problems: [String] { state.withLock { $0.problems } }
  var counts: [SimulatedFault: Int] { state.withLock { $0.counts } }
}

extension SimulatedRemote.State {
  /// Whether a fault happens now.
  mutating func strikes(_ fault: SimulatedFault, _ percent: Int) -> Bool {
    guard faults.contains(fault), random.chance(percent) else { return false }
    counts[fault, default: 0] += 1
    return true
  }

  /// Whether a device sees a file now, and the faults that looking at it brings.
  mutating func isListed(_ name: String, for device: Int) -> Bool {
    if strikes(.revert, 2) {
      let back = later(30)
      files[name]?.back = back
    }
    if strikes(.evict, 4) {
      let readable = later(20)
      files[name]?.readable[device] = readable
    }
    guard isThere(name, for: device) else { return false }
    return !strikes(.missing, 8)
  }

  func isThere(_ name: String, for device: Int) -> Bool {
    guard let file = files[name] else { return false }
    return file.back <= step && file.visible[device, default: 0] <= step
  }

  /// The bytes that a device can read of a file; a copy is never evicted.
  func bytes(of name: String, for device: Int, isCopy: Bool) -> [UInt8]? {
    guard isThere(name, for: device), let file = files[name] else { return nil }
    if !isCopy, file.readable[device, default: 0] > step { return nil }
    return Array(file.bytes.prefix(size(of: file, for: device)))
  }

  func size(of file: SimulatedRemote.File, for device: Int) -> Int {
    file.whole[device, default: 0] <= step ? file.bytes.count : file.bytes.count / 2
  }

  /// Puts a file there, as others will see it in time.
  mutating func put(_ name: String, _ bytes: [UInt8], _ info: SegmentInfo?, by device: Int) {
    stores += 1
    if files[name] != nil {
      files[name]?.back = 0
      files[name]?.whole = [:]
      files[name]?.visible[device] = nil
      if strikes(.conflictCopy, 50) { files[name]?.hasCopy = true }
      return
    }
    var file = SimulatedRemote.File(info: info, bytes: bytes)
    for other in 0..<SimulationPlan.maximumReplicas where other != device {
      if strikes(.delay, 60) { file.visible[other] = later(25) }
      if strikes(.partial, 25) {
        file.whole[other] = max(step, file.visible[other, default: 0]) + later(9) - step
      }
    }
    if strikes(.conflictCopy, 8) { file.hasCopy = true }
    files[name] = file
  }

  mutating func later(_ steps: Int) -> Int { step + Int.random(in: 1...steps, using: &random) }

  mutating func fail(_ fault: SimulatedFault, _ percent: Int) throws {
    guard strikes(fault, percent) else { return }
    throw random.chance(50)
      ? SyncError(.remoteUnavailable, "The simulated remote does not answer.")
      : SyncError(.remoteIO, "The simulated remote has failed.")
  }
}

extension SimulatedRemote.State {
  /// A push is causally closed: what a change names is here before the change.
  mutating func checkCausality(of log: [SimulatedLog.Entry], _ name: String) {
    for entry in log {
      for (replica, head) in entry.change.context.sorted where !changes.contains(head.hash) {
        problems.append("\(name) was stored before change \(head.seq) of \(replica) that it names")
      }
      if entry.dot.seq > 1, !changes.contains(entry.previous) {
        problems.append("\(name) was stored before the change that it follows")
      }
      changes.insert(entry.hash)
    }
  }
}
