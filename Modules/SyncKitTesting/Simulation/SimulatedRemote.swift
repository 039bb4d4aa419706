import SyncKit
import Synchronization

/// A place where segments lie, as a file provider keeps it: late, in pieces, twice, not at all.
final class SimulatedRemote: Sendable {
  struct File {
    let info: SegmentInfo
    let bytes: [UInt8]
    /// When each device sees it; at once if it is not named.
    var visible: [Int: Int] = [:]
    /// When each device has all of its bytes.
    var whole: [Int: Int] = [:]
    /// When each device can read it again.
    var readable: [Int: Int] = [:]
    /// When it is back.
    var back = 0
    var copies: [String] = []
  }

  struct State {
    var markers: Set<String> = []
    var files: [String: File] = [:]
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
  let state = Mutex(State())

  init(_ number: Int, tellsSizes: Bool, coding: any SegmentCoding) {
    self.number = number
    name = "r\(number + 1)"
    self.tellsSizes = tellsSizes
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

  /// The bytes of everything that lies here, whoever sees it.
  var contents: [[UInt8]] {
    state.withLock { state in
      state.files.sorted { $0.key < $1.key }.map(\.value.bytes)
    }
  }

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

  mutating func later(_ steps: Int) -> Int { step + Int.random(in: 1...steps, using: &random) }

  mutating func fail(_ fault: SimulatedFault, _ percent: Int) throws {
    guard strikes(fault, percent) else { return }
    throw random.chance(50)
      ? SyncError(.remoteUnavailable, "The simulated remote does not answer.")
      : SyncError(.remoteIO, "The simulated remote has failed.")
  }
}

/// A remote as one device sees it.
struct RemoteView: Transport {
  let remote: SimulatedRemote
  let device: Int

  func attach(_ acquaintance: Acquaintance, domain: String) async throws -> Set<String> {
    try remote.state.withLock { state in
      try state.fail(.errorBefore, 6)
      switch try acquaintance.decide(found: state.markers, place: "The simulated remote") {
      case .proceed(let write, let vault):
        state.markers.formUnion(write)
        return vault
      }
    }
  }

  func inventory(of domain: String) async throws -> Inventory {
    try remote.state.withLock { state in
      try state.fail(.errorBefore, 6)
      var found: [SegmentReference] = []
      for name in state.files.keys.sorted() {
        if state.strikes(.revert, 2) {
          let back = state.later(30)
          state.files[name]?.back = back
        }
        if state.strikes(.evict, 4) {
          let readable = state.later(20)
          state.files[name]?.readable[device] = readable
        }
        guard let file = state.files[name], file.back <= state.step,
          file.visible[device, default: 0] <= state.step, !state.strikes(.missing, 8)
        else { continue }
        let isWhole = file.whole[device, default: 0] <= state.step
        let size = isWhole ? file.bytes.count : file.bytes.count / 2
        var reference = SegmentReference(
          zone: file.info.zone, series: file.info.series, first: file.info.first,
          last: file.info.last, head: file.info.head, size: remote.tellsSizes ? size : nil,
          location: name)
        found.append(reference)
        if state.strikes(.duplicate, 8) { found.append(reference) }
        for copy in file.copies {
          reference.location = copy
          found.append(reference)
        }
      }
      if state.strikes(.reorder, 100) { found.shuffle(using: &state.random) }
      return Inventory(segments: found)
    }
  }

  func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    let bytes: [UInt8]? = try remote.state.withLock { state in
      try state.fail(.errorBefore, 2)
      let parts = reference.location.split(separator: " ", maxSplits: 1)
      guard let name = parts.first, let file = state.files[String(name)], file.back <= state.step
      else { return nil }
      if parts.count == 1, file.readable[device, default: 0] > state.step { return nil }
      let isWhole = file.whole[device, default: 0] <= state.step
      return isWhole ? file.bytes : Array(file.bytes.prefix(file.bytes.count / 2))
    }
    return try bytes.flatMap { bytes in
      do {
        return try remote.coding.read(bytes)
      } catch let error as SyncError where error.code == .formatDamaged {
        return nil
      }
    }
  }

  func store(_ segment: OutboundSegment) async throws {
    let segment = segment.segment
    let info = segment.info
    let name = "\(info.zone)/\(info.series)/\(info.first)-\(info.last)-\(info.head)"
    let log = try SimulatedLog.changes(of: segment, coding: remote.coding)
    try remote.state.withLock { state in
      try state.fail(.errorBefore, 5)
      state.stores += 1
      state.checkCausality(of: log, name)
      if state.files[name] != nil {
        state.files[name]?.back = 0
        state.files[name]?.whole = [:]
        if state.strikes(.conflictCopy, 50) {
          state.files[name]?.copies.append("\(name) (conflicted copy)")
        }
      } else {
        var file = SimulatedRemote.File(info: info, bytes: segment.bytes)
        for other in 0..<SimulationPlan.maximumReplicas where other != device {
          if state.strikes(.delay, 60) { file.visible[other] = state.later(25) }
          if state.strikes(.partial, 25) {
            file.whole[other] =
              max(state.step, file.visible[other, default: 0]) + state.later(9)
              - state.step
          }
        }
        if state.strikes(.conflictCopy, 8) { file.copies.append("\(name) (conflicted copy)") }
        state.files[name] = file
      }
      try state.fail(.errorAfter, 6)
    }
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
