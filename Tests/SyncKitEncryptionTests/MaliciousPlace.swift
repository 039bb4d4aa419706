import SegmentFormat
import SyncKit
import SyncKitTesting
import Synchronization

/// A place that drops, hides, swaps, changes, replays and rolls back what it is given, and shows each of its visitors
/// something else.
final class MaliciousPlace: Sendable {
  fileprivate struct State {
    var random: SeededRandom
    /// What an honest place would have.
    var files: [String: [UInt8]] = [:]
    /// What it was now and then.
    var past: [[String: [UInt8]]] = []
    /// Whatever was ever stored.
    var seen: [[UInt8]] = []
    var isHonest = false
    var told = 0
  }

  private let state: Mutex<State>

  init(_ random: SeededRandom) { state = Mutex(State(random: random)) }

  /// How often it has not done what it should.
  var lies: Int { state.withLock { $0.told } }

  /// Does what it should from now on, with all that an honest place would have.
  func becomeHonest() { state.withLock { $0.isHonest = true } }

  /// The place as one device sees it.
  func view(of device: Int) -> any BlobStore { View(place: self, device: device) }

  private struct View: BlobStore {
    let place: MaliciousPlace
    let device: Int

    var location: String { "a malicious place" }

    func prepare(creating mayCreate: Bool) async throws {}

    func list(_ folder: String, _ reach: BlobReach) async throws -> BlobListing {
      let shown = InMemoryBlobStore()
      shown.files = place.state.withLock { $0.listed() }
      return try await shown.list(folder, reach)
    }

    func get(_ name: String, upTo limit: Int) async throws -> [UInt8]? {
      place.state.withLock { state in state.given(name).map { Array($0.prefix(limit)) } }
    }

    func put(_ name: String, _ bytes: [UInt8], replacing: Bool) async throws -> Bool {
      place.state.withLock { state in
        // The device believes that it is stored; an honest place would have it.
        guard replacing || state.files[name] == nil else { return false }
        state.past.append(state.files)
        if state.past.count > 12 { state.past.removeFirst() }
        state.seen.append(bytes)
        state.files[name] = bytes
        return true
      }
    }

    func delete(_ name: String) async throws {
      place.state.withLock { state in
        if state.lies(15) { return }
        state.files[name] = nil
      }
    }
  }
}

extension MaliciousPlace.State {
  /// Whether it lies this time, with so many chances in a hundred.
  fileprivate mutating func lies(_ percent: Int) -> Bool {
    guard !isHonest, random.chance(percent) else { return false }
    told += 1
    return true
  }

  fileprivate mutating func listed() -> [String: [UInt8]] {
    var shown = files
    if lies(20), let old = past.randomElement(using: &random) { shown = old }
    if lies(25) {
      // Markers are known; without them nothing more would be tried.
      for name in shown.keys.sorted() where name.hasSuffix(".seg") && random.chance(30) {
        shown[name] = nil
      }
    }
    if lies(25),
      let name = shown.keys.filter({ $0.hasSuffix(".seg") }).sorted().randomElement(using: &random)
    {
      // The same object under a number, or in a zone, that it does not have.
      var parts = name.split(separator: "/").map(String.init)
      if random.chance(50) {
        parts[parts.count - 1] = "7\(parts[parts.count - 1])"
      } else if parts.count > 2 {
        parts[1] = "aaaaaaaaaaaaaaaaaaaaaaaaaa"
      }
      shown[parts.joined(separator: "/")] = shown[name]
    }
    return shown
  }

  fileprivate mutating func given(_ name: String) -> [UInt8]? {
    let right = files[name]
    guard name.hasSuffix(".seg") else { return right }
    if lies(8) { return nil }
    if lies(10) { return seen.randomElement(using: &random) }
    if lies(10), var bytes = right, let place = bytes.indices.randomElement(using: &random) {
      bytes[place] ^= UInt8(1 << Int(random.next() % 8))
      return bytes
    }
    if lies(5), let bytes = right {
      return Array(bytes.prefix(Int(random.next() % UInt64(bytes.count + 1))))
    }
    return right ?? (isHonest ? nil : seen.randomElement(using: &random))
  }
}
