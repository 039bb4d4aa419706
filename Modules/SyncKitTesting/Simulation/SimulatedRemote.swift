import SegmentFormat
import SyncKit
import Synchronization

/// A remote with segments, as a file provider keeps it: late, in pieces, twice, not at all.
final class SimulatedRemote: Sendable {
  /// The kind of remote.
  enum Kind: String, Sendable {
    /// A folder of files, which a provider syncs.
    case folder
    /// A list of segments, told whole each time.
    case feed
    /// A list of segments that are numbered as they come, told from a number on.
    case numbered
  }

  struct File {
    /// The number under which it came.
    var cursor: UInt64 = 0
    /// What its head says; nil for a file of a folder, which readers have to look into.
    let info: SegmentInfo?
    var bytes: [UInt8]
    /// When each device sees it; at once if it is not named.
    var visible: [Int: Int] = [:]
    /// When each device has all of its bytes.
    var whole: [Int: Int] = [:]
    /// When each device can read it again.
    var readable: [Int: Int] = [:]
    /// When it is back.
    var back = 0
    var hasCopy = false
    /// How many bytes of it lie there since its writer was cut off, until it is stored again; nil when it is whole.
    var tornSize: Int?
    /// What it holds; nil for one that is no segment.
    var holding: Holding?
    /// The segment that it is, or that is sealed in it; nil for one that is none.
    var segment: Segment?
  }

  /// What lies there.
  struct Content {
    var markers: Set<String> = []
    var files: [String: File] = [:]
    /// The withdrawn zones, with the replicas that removed them.
    var erased: [ZoneID: Confirmations] = [:]
    /// The last number that was given.
    var cursor: UInt64 = 0
  }

  /// A question for a listing.
  struct Question: Hashable {
    var device: Int
    var folder: String
    var reach: BlobReach
  }

  struct State {
    var content = Content()
    /// The life of the remote.
    var life = 1
    /// What lay there at some time before.
    var past: [Content] = []
    /// The chained hashes of all changes that have ever been stored here.
    var changes: Set<ContentHash> = []
    /// What was written in zones that may not leave their devices.
    var kept: Set<LocalWrite> = []
    var stores = 0
    /// What was stored last, and by whom.
    var last = "nothing"
    /// How often something was fetched.
    var fetches = 0
    var step = 0
    /// How many times as often as usual faults strike.
    var severity = 1
    var faults: Set<SimulatedFault> = []
    var random = SeededRandom(seed: 0)
    var isNumbered = false
    var counts: [SimulatedFault: Int] = [:]
    var problems: [String] = []
    /// The hashes of all snapshots that have ever been stored here.
    var indexed: Set<ContentHash> = []
    /// What was stored before something that it names, unless a snapshot that was there stands for that.
    var early: [(problem: String, hash: ContentHash, indexed: Set<ContentHash>)] = []
    /// What was last answered to each question for a listing.
    var listings: [Question: BlobListing] = [:]
    /// A zone of which one device is a guest, here or at another remote.
    var share: SimulatedShare?
    var foreign: SimulatedShare?
    /// What was removed and is to be found in a snapshot.
    var removals: [Removal] = []
    /// What each snapshot says that it stands for, and the number of its last block.
    var hashIndexes: [ReplicaID: Set<ContentHash>] = [:]
    var ends: [ReplicaID: UInt64] = [:]

    var markers: Set<String> {
      get { content.markers }
      set { content.markers = newValue }
    }
    var files: [String: File] {
      get { content.files }
      _modify { yield &content.files }
    }
    var erased: [ZoneID: Confirmations] {
      get { content.erased }
      _modify { yield &content.erased }
    }
  }

  let number: Int
  let name: String
  let coding: any SegmentCoding
  /// Whether a listing tells sizes.
  let tellsSizes: Bool
  let kind: Kind
  /// What stands between it and its devices, of which each seals what it stores.
  let place: MaliciousPlace?
  let state = Mutex(State())
  let interruption = Interruption()

  init(
    _ number: Int, tellsSizes: Bool, kind: Kind, coding: any SegmentCoding,
    place: MaliciousPlace? = nil
  ) {
    self.place = place
    self.number = number
    name = "r\(number + 1)"
    self.tellsSizes = tellsSizes
    self.kind = kind
    self.coding = coding
    state.withLock { $0.isNumbered = kind == .numbered }
  }

  /// Gives the faults of the coming step a stream of their own.
  func begin(
    _ step: Int, _ random: SeededRandom, _ faults: Set<SimulatedFault>, severity: Int = 1
  ) {
    state.withLock {
      $0.step = step
      $0.severity = severity
      $0.random = random.fork(name)
      $0.faults = faults
    }
  }

  /// Ends all faults; what was late or gone is there.
  func heal() {
    state.withLock { state in
      state.faults = []
      state.past = []
      state.listings = [:]
      for name in state.files.keys {
        state.files[name]?.visible = [:]
        state.files[name]?.whole = [:]
        state.files[name]?.readable = [:]
        state.files[name]?.back = 0
      }
    }
  }

  /// Takes note of what was written in zones that may not leave their devices.
  func keep(_ writes: Set<LocalWrite>) {
    state.withLock { $0.kept.formUnion(writes) }
  }

  /// Loses all that lies there, or all that has come since some time before (S5, V1, H10).
  ///
  /// - Returns: What has happened; nil when there is nothing to go back to.
  func lose(_ fault: SimulatedFault, _ random: inout SeededRandom) -> String? {
    state.withLock { state in
      var content = SimulatedRemote.Content()
      if fault == .rewind {
        guard let past = state.past.randomElement(using: &random) else { return nil }
        content = past
      }
      // An account stays whose it is when its content is lost.
      content.markers = state.content.markers
      for (name, file) in state.files where kind == .folder && !name.hasSuffix(Self.ending) {
        content.files[name] = file
      }
      state.counts[fault, default: 0] += 1
      state.content = content
      state.life += 1
      state.changes = []
      state.indexed = []
      return fault == .wipe ? "is wiped" : "is put back to number \(content.cursor)"
    }
  }

  /// Remembers what lies there now, to be put back later.
  func remember() { state.withLock { $0.past.append($0.content) } }

  /// Takes note of the changes that lie there, after something was lost.
  func recount() throws {
    let segments = segments()
    let changes = Set(try segments.flatMap { try SimulatedLog.hashes(of: $0, coding: coding) })
    state.withLock {
      $0.changes = changes
      $0.indexed = changes
    }
  }

  /// How often something was stored.
  var stores: Int { state.withLock { $0.stores } }
  /// How often something was fetched.
  var fetches: Int { state.withLock { $0.fetches } }

  /// Every segment that lies here, whichever device sees it.
  func segments() -> [Segment] { segments { $0.tornSize == nil } }

  /// What those would be of which only a part lies here since their writers were cut off.
  func tornSegments() -> [Segment] { segments { $0.tornSize != nil } }

  private func segments(where isWanted: (File) -> Bool) -> [Segment] {
    state.withLock { state in
      state.files.sorted { $0.key < $1.key }.filter { isWanted($0.value) }.compactMap(
        \.value.segment)
    }
  }

  /// Ends the name of every segment.
  static let ending = ".seg"

  /// Breaches of the protocol that the remote has noticed; `written` knows what snapshots stand for.
  func problems(_ written: WrittenBatches) -> [String] {
    state.withLock { state in
      let early = state.early.filter { !written.isPast($0.hash, of: $0.indexed) }
      state.early = []
      let lost = written.lost(by: state.removals)
      state.removals = []
      // Who is shown what is not there does not know better.
      guard place == nil else { return state.problems }
      return state.problems + early.map(\.problem)
        + lost.map { "\($0) was removed, and nothing else there holds what it held" }
    }
  }
  var counts: [SimulatedFault: Int] { state.withLock { $0.counts } }
}

extension SimulatedRemote.State {
  /// Whether a fault happens now.
  mutating func strikes(_ fault: SimulatedFault, _ percent: Int) -> Bool {
    guard faults.contains(fault), random.chance(min(percent * severity, 90)) else {
      return false
    }
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
    file.tornSize
      ?? (file.whole[device, default: 0] <= step ? file.bytes.count : file.bytes.count / 2)
  }

  /// Puts a file there, as others will see it in time.
  mutating func put(
    _ name: String, _ bytes: [UInt8], _ segment: Segment?, isTold: Bool = false,
    holding: Holding?, by device: Int
  ) {
    if let holding { noteSnapshot(holding) }
    stores += 1
    last = "\(name) by \(device)"
    if files[name] != nil {
      // A segment is stored with the same bytes; a marker may say more than before.
      files[name]?.bytes = bytes
      files[name]?.tornSize = nil
      if let holding { files[name]?.holding = holding }
      if let segment { files[name]?.segment = segment }
      files[name]?.back = 0
      files[name]?.whole = [:]
      files[name]?.visible[device] = nil
      if strikes(.conflictCopy, 50) { files[name]?.hasCopy = true }
      return
    }
    content.cursor += 1
    var file = SimulatedRemote.File(
      cursor: content.cursor, info: isTold ? segment?.info : nil, bytes: bytes, holding: holding,
      segment: segment)
    guard !isNumbered else {
      // A device that has seen a number must never miss a lower one.
      files[name] = file
      return
    }
    for other in 0..<SimulationPlan.maximumReplicas where other != device {
      if strikes(.delay, 60) { file.visible[other] = later(25) }
      if strikes(.partial, 25) {
        file.whole[other] = max(step, file.visible[other, default: 0]) + later(9) - step
      }
    }
    if strikes(.conflictCopy, 8) { file.hasCopy = true }
    files[name] = file
  }

  /// Leaves half of a file there or an empty one, as a writer does that is cut off; nothing that was whole is harmed.
  mutating func tear(_ name: String, _ bytes: [UInt8], _ segment: Segment?) {
    guard files[name].map({ $0.tornSize != nil }) ?? true else { return }
    var file = SimulatedRemote.File(info: nil, bytes: bytes, segment: segment)
    file.tornSize = random.chance(50) ? bytes.count / 2 : 0
    files[name] = file
  }

  /// Removes a file for every device at once, which is the hardest for those that see others late.
  mutating func remove(_ name: String) {
    let name = name.split(separator: " ", maxSplits: 1).first.map(String.init) ?? name
    noteRemoval(of: name)
    guard files.removeValue(forKey: name) != nil else { return }
    stores += 1
    last = "\(name), removed"
  }

  /// Loses files without a word.
  mutating func drop(_ names: [String]) {
    for name in names { files[name] = nil }
  }

  /// Removes a zone and notes the confirming replica; counts when it changes anything, as other writes do.
  mutating func erase(_ zone: ZoneID, confirmedBy confirmations: Confirmations, by device: Int) {
    let names = files.keys.filter { $0.hasPrefix("\(zone)/") }
    let isKnown = erased[zone].map(confirmations.isSubset) ?? false
    guard !isKnown || !names.isEmpty else { return }
    erased[zone, default: Confirmations()].formUnion(confirmations)
    for name in names { files[name] = nil }
    stores += 1
    last = "\(zone), erased by \(device)"
  }

  mutating func later(_ steps: Int) -> Int { step + Int.random(in: 1...steps, using: &random) }

  mutating func fail(_ fault: SimulatedFault, _ percent: Int) throws {
    guard strikes(fault, percent) else { return }
    throw random.chance(50)
      ? SyncError(.remoteUnavailable, "The simulated remote does not answer.")
      : SyncError(.remoteIO, "The simulated remote has failed.")
  }
}

/// What a batch has written in a zone that may not leave its device.
struct LocalWrite: Hashable, Sendable {
  let batch: BatchID
  let zone: ZoneID
}

extension SimulatedRemote.State {
  /// Judges what is about to be stored: nothing that must stay on a device (I15, I16, I17), and
  /// nothing before what it names (I7).
  ///
  /// What a snapshot stands for is there with it, also what it has no hash of; only the world can tell.
  mutating func check(
    _ log: [SimulatedLog.Entry], _ name: String, leak: String?, knowing hashes: [ContentHash]
  ) {
    changes.formUnion(hashes)
    indexed.formUnion(hashes)
    if let leak { problems.append("\(name) holds \(leak)") }
    for entry in log {
      if kept.contains(LocalWrite(batch: entry.change.batch, zone: entry.zone)) {
        problems.append("\(name) holds batch \(entry.change.batch), written in a local zone")
      }
      for (replica, head) in entry.change.context.sorted where !changes.contains(head.hash) {
        let problem = "\(name) was stored before change \(head.seq) of \(replica) that it names"
        early.append((problem, head.hash, indexed))
      }
      if entry.dot.seq > 1, !changes.contains(entry.previous) {
        let problem = "\(name) was stored before the change that it follows"
        early.append((problem, entry.previous, indexed))
      }
      changes.insert(entry.hash)
    }
  }
}
