import SegmentFormat
import SyncKit
import Synchronization

/// A place that drops, hides, swaps, changes, replays and rolls back what it is given, plants what others have made, and
/// shows each of its visitors something else.
///
/// It lies in what it shows; only what it has dropped is gone. So an honest place is what lies below it, without that.
package final class MaliciousPlace: Sendable {
  let state: Mutex<State>

  /// Makes a place.
  ///
  /// - Parameters:
  ///   - random: Where its choices come from.
  ///   - lies: What it does.
  package init(_ random: SeededRandom, lies: Set<SimulatedFault> = SimulatedFault.lies) {
    state = Mutex(State(random: random, faults: lies))
  }

  /// How often it has lied, and how.
  package var counts: [SimulatedFault: Int] { state.withLock { $0.counts } }

  /// Gives the lies of the coming step a stream of their own.
  func begin(_ random: SeededRandom, _ faults: Set<SimulatedFault>) {
    state.withLock { ($0.random, $0.faults) = (random, faults) }
  }

  /// Has it plant what others have made, among all else.
  func take(_ loot: [String: [UInt8]]) {
    state.withLock { $0.loot += loot.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
  }

  /// Does what it should from now on.
  ///
  /// - Returns: The names of what it has dropped and still seems to be there.
  package func becomeHonest() -> [String] {
    state.withLock { state in
      state.isHonest = true
      defer { state.dropped = [] }
      return state.dropped.sorted()
    }
  }

  /// The place as one device sees it.
  ///
  /// - Parameters:
  ///   - device: The number of the device.
  ///   - store: What an honest place shows that device.
  /// - Returns: A store that lies.
  package func view(of device: Int, over store: any BlobStore) -> any BlobStore {
    MaliciousView(place: self, device: device, store: store)
  }
}

/// A malicious place as one device sees it.
private struct MaliciousView: BlobStore {
  let place: MaliciousPlace
  let device: Int
  let store: any BlobStore

  var location: String { "a malicious place" }

  func prepare(creating mayCreate: Bool) async throws {
    try await store.prepare(creating: mayCreate)
    place.state.withLock { $0.chooseStory(for: device) }
  }

  func list(_ folder: String, _ reach: BlobReach) async throws -> BlobListing {
    let listing = try await store.list(folder, reach)
    return place.state.withLock { $0.told(listing, folder, reach, to: device) }
  }

  func get(_ name: String, upTo limit: Int) async throws -> [UInt8]? {
    let other = place.state.withLock { $0.given(name, to: device) }
    let bytes = if let other { other } else { try await store.get(name, upTo: .max) }
    guard let bytes else { return nil }
    return place.state.withLock { $0.changed(bytes, of: name) }.map { Array($0.prefix(limit)) }
  }

  func put(_ name: String, _ bytes: [UInt8], replacing: Bool) async throws -> Bool {
    let wasDropped = place.state.withLock { $0.dropped.remove(name) != nil }
    let isStored = try await store.put(name, bytes, replacing: replacing || wasDropped)
    if isStored { place.state.withLock { $0.note(name, bytes, by: device) } }
    return isStored
  }

  func delete(_ name: String) async throws {
    guard place.state.withLock({ !$0.lies(.keep, 15) }) else { return }
    try await store.delete(name)
    place.state.withLock { $0.files[name] = nil }
  }
}

extension MaliciousPlace {
  /// Something that was stored.
  struct Object: Equatable {
    let bytes: [UInt8]
    /// The device that stored it.
    let author: Int
    /// How many objects had been stored before.
    let time: Int
  }

  /// What one device is shown instead of the truth.
  struct Story {
    var hidden: Set<String> = []
    var shown: [String: [UInt8]] = [:]
  }

  /// Two groups of devices, of which none is shown what the other stores.
  struct Division {
    let start: Int
    let sides: UInt64

    func hides(_ object: Object, from device: Int) -> Bool {
      object.time >= start && side(object.author) != side(device)
    }

    private func side(_ device: Int) -> UInt64 { sides >> UInt64(device & 63) & 1 }
  }

  struct State {
    var random: SeededRandom
    var faults: Set<SimulatedFault>
    /// What was stored and not removed.
    var files: [String: Object] = [:]
    /// What was there now and then.
    var past: [[String: Object]] = []
    /// Whatever was ever stored, as far as it remembers.
    var seen: [(name: String, bytes: [UInt8])] = []
    /// What others have made.
    var loot: [(name: String, bytes: [UInt8])] = []
    /// What it has thrown away.
    var dropped: Set<String> = []
    var stories: [Int: Story] = [:]
    var division: Division?
    var stored = 0
    var isHonest = false
    var counts: [SimulatedFault: Int] = [:]

    init(random: SeededRandom, faults: Set<SimulatedFault>) {
      (self.random, self.faults) = (random, faults)
    }
  }
}

extension MaliciousPlace.State {
  /// How many earlier states and objects it remembers.
  private static let memory = (states: 16, objects: 200)

  /// Whether it lies this time, with so many chances in a hundred.
  mutating func lies(_ fault: SimulatedFault, _ percent: Int) -> Bool {
    guard !isHonest, faults.contains(fault), random.chance(percent) else { return false }
    counts[fault, default: 0] += 1
    return true
  }

  /// Takes note of what a device has stored, or lets it go at once.
  mutating func note(_ name: String, _ bytes: [UInt8], by device: Int) {
    guard Self.isObject(name) else { return }
    files[name] = MaliciousPlace.Object(bytes: bytes, author: device, time: stored)
    stored += 1
    seen.append((name, bytes))
    if seen.count > Self.memory.objects { forgetObject() }
    if lies(.drop, 8) { dropped.insert(name) }
  }

  /// Markers are known, and without them nothing more would be tried.
  private static func isObject(_ name: String) -> Bool { name.hasSuffix(SimulatedRemote.ending) }

  private mutating func forgetObject() {
    let number = Int.random(in: seen.indices, using: &random)
    seen.remove(at: number)
  }

  private mutating func forgetState() {
    let number = Int.random(in: past.indices, using: &random)
    past.remove(at: number)
  }

  // MARK: What it shows

  func told(
    _ listing: BlobListing, _ folder: String, _ reach: BlobReach, to device: Int
  ) -> BlobListing {
    guard !isHonest else { return listing }
    let story = stories[device] ?? MaliciousPlace.Story()
    var listing = listing
    listing.blobs.removeAll {
      isHidden($0.name, from: device, story) || story.shown[$0.name] != nil
    }
    let start = folder.isEmpty ? "" : "\(folder)/"
    for (name, bytes) in story.shown.sorted(by: { $0.key < $1.key }) where name.hasPrefix(start) {
      if reach == .tree { listing.blobs.append(BlobEntry(name: name, size: bytes.count)) }
    }
    return listing
  }

  /// The bytes that a device gets instead of the real ones: none for an object that is hidden from it.
  ///
  /// - Returns: nil when it gets the real ones.
  mutating func given(_ name: String, to device: Int) -> [UInt8]?? {
    guard !isHonest else { return nil }
    let story = stories[device] ?? MaliciousPlace.Story()
    if let bytes = story.shown[name] { return .some(bytes) }
    guard Self.isObject(name) else { return nil }
    if isHidden(name, from: device, story) || lies(.withhold, 5) { return .some(nil) }
    if lies(.replay, 6), let other = seen.randomElement(using: &random) {
      return .some(other.bytes)
    }
    if lies(.swap, 6), let bytes = files[name]?.bytes,
      let other = seen.randomElement(using: &random)
    {
      return .some(Self.content(of: other.bytes, underHeadOf: bytes))
    }
    return nil
  }

  private func isHidden(_ name: String, from device: Int, _ story: MaliciousPlace.Story) -> Bool {
    if dropped.contains(name) || story.hidden.contains(name) { return true }
    guard let division, let object = files[name] else { return false }
    return division.hides(object, from: device)
  }

  /// An object on its way to a device.
  mutating func changed(_ bytes: [UInt8], of name: String) -> [UInt8]? {
    guard Self.isObject(name), !bytes.isEmpty, lies(.alter, 12) else { return bytes }
    var bytes = bytes
    if random.chance(30) {
      return Array(bytes.prefix(Int.random(in: bytes.indices, using: &random)))
    }
    // What can be read without keys lies at the beginning.
    let end = random.chance(40) ? min(bytes.count, 160) : bytes.count
    bytes[Int.random(in: 0..<end, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
    return bytes
  }

  // MARK: What it makes up

  /// Chooses what a device is shown from now on; some stories last for several runs.
  mutating func chooseStory(for device: Int) {
    guard !isHonest else { return }
    past.append(files)
    if past.count > Self.memory.states { forgetState() }
    chooseDivision()
    if stories[device] != nil, random.chance(30) { return }
    var story = MaliciousPlace.Story()
    if lies(.rollBack, 20) { rollBack(&story) }
    if lies(.withhold, 20) { withhold(&story) }
    if lies(.swap, 20) { swap(&story) }
    if lies(.replay, 15), let old = seen.randomElement(using: &random) {
      story.shown[old.name] = old.bytes
    }
    if lies(.plant, 25) { plant(&story) }
    stories[device] = story
  }

  private mutating func chooseDivision() {
    if division != nil {
      if random.chance(12) { division = nil }
    } else if lies(.divide, 6) {
      division = MaliciousPlace.Division(start: stored, sides: random.next())
    }
  }

  private var names: [String] { files.keys.sorted() }

  /// What lies beside an object: nothing else, its series, its zone, or everything.
  private mutating func scope(of name: String) -> String {
    let parts = name.split(separator: "/")
    return parts.prefix(Int.random(in: 0...parts.count, using: &random)).joined(separator: "/")
  }

  private mutating func rollBack(_ story: inout MaliciousPlace.Story) {
    guard let old = past.randomElement(using: &random),
      let name = Set(names).union(old.keys).sorted().randomElement(using: &random)
    else { return }
    let scope = scope(of: name)
    for name in files.keys where name.hasPrefix(scope) && old[name] == nil {
      story.hidden.insert(name)
    }
    for (name, object) in old where name.hasPrefix(scope) && files[name] != object {
      story.shown[name] = object.bytes
    }
  }

  private mutating func withhold(_ story: inout MaliciousPlace.Story) {
    guard let name = names.randomElement(using: &random) else { return }
    let scope = scope(of: name)
    let share = random.chance(50) ? 100 : 40
    for name in names where name.hasPrefix(scope) && random.chance(share) {
      story.hidden.insert(name)
    }
  }

  private mutating func swap(_ story: inout MaliciousPlace.Story) {
    guard let name = names.randomElement(using: &random), let bytes = files[name]?.bytes,
      let other = names.randomElement(using: &random), let others = files[other]?.bytes
    else { return }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: (story.shown[name], story.shown[other]) = (others, bytes)
    case 1: story.shown[name] = others
    case 2: story.shown[name] = Self.content(of: others, underHeadOf: bytes)
    default: story.shown[moved(name, beside: other)] = bytes
    }
  }

  /// What is sealed in one object, with all that can be read without keys of another one.
  private static func content(of other: [UInt8], underHeadOf bytes: [UInt8]) -> [UInt8]? {
    let coding = DeflateSegmentCoding()
    return try? coding.sealed(
      coding.read(bytes).info, envelope: coding.envelope(of: coding.read(other))
    ).bytes
  }

  /// The name of an object with a part of another's, or with a number that it does not have.
  private mutating func moved(_ name: String, beside other: String) -> String {
    var parts = name.split(separator: "/").map(String.init)
    let others = other.split(separator: "/").map(String.init)
    guard parts.count == 4, others.count == 4 else { return "7\(name)" }
    let part = Int.random(in: 0..<4, using: &random)
    if parts[part] == others[part] {
      parts[3] = "7\(parts[3])"
    } else {
      parts[part] = others[part]
    }
    return parts.joined(separator: "/")
  }

  private mutating func plant(_ story: inout MaliciousPlace.Story) {
    guard let name = names.randomElement(using: &random) else { return }
    let parts = name.split(separator: "/").map(String.init)
    guard parts.count == 4 else { return }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: story.shown[name] = garbage()
    case 1: story.shown[moved(name, beside: name)] = garbage()
    case 2:
      let (name, bytes) = plainSegment(in: parts)
      story.shown[name] = bytes
    case 3: story.shown["\(parts[0])/\(parts[1])/erased-\(parts[2])"] = Self.erasure
    case 4, 5, 6:
      // What devices that were let go have sealed, each where it belongs.
      for object in loot { story.shown[object.name] = object.bytes }
    default:
      guard let object = loot.randomElement(using: &random) else { return }
      story.shown[random.chance(50) ? name : moved(object.name, beside: name)] = object.bytes
    }
  }

  private mutating func garbage() -> [UInt8] {
    (0..<Int.random(in: 0...300, using: &random)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
  }

  /// A segment that is not sealed, where a sealed one could be.
  private mutating func plainSegment(in parts: [String]) -> (name: String, bytes: [UInt8]) {
    let head = ContentHash(high: random.next(), low: random.next())
    let info = SegmentInfo(
      domain: parts[0], zone: ZoneID(parts[1]),
      series: ReplicaID(parts[2]) ?? .init(high: 0, low: 1),
      first: 1, last: 1, previous: ContentHash(high: 0, low: 0), head: head, base: VersionVector(),
      operations: 1, deletions: 0, newest: 0)
    let bytes = (try? DeflateSegmentCoding().segment(info, changes: [garbage()]).bytes) ?? []
    return (
      "\(parts[0])/\(parts[1])/\(info.series)/1-1-\(head)-\(bytes.count).seg", bytes
    )
  }

  /// What a replica that has removed a zone, and keeps nothing, leaves there.
  private static let erasure = Array("cloudsync 1 erased\nkept 00\nend\n".utf8)
}
