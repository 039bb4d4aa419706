import SegmentFormat
import SyncKit
import Synchronization

/// A folder that a provider syncs, as one device sees it.
struct FolderView: BlobStore {
  private static let copy = " (conflicted copy)"

  let remote: SimulatedRemote
  let device: Int

  var location: String { "The simulated folder" }

  func prepare(creating mayCreate: Bool) async throws {
    try remote.state.withLock { try $0.fail(.errorBefore, 6) }
  }

  func list(_ folder: String, _ reach: BlobReach) async throws -> BlobListing {
    try remote.state.withLock { state in
      try state.fail(.errorBefore, 4)
      let question = SimulatedRemote.Question(device: device, folder: folder, reach: reach)
      if let old = state.listings[question], state.strikes(.stale, 10) { return old }
      let prefix = folder.isEmpty ? "" : "\(folder)/"
      var listing = BlobListing()
      var folders: Set<String> = []
      for name in state.files.keys.sorted() where name.hasPrefix(prefix) {
        let rest = name.dropFirst(prefix.count)
        if reach == .folder, let slash = rest.firstIndex(of: "/") {
          if state.isThere(name, for: device) { folders.insert(prefix + rest[..<slash]) }
          continue
        }
        guard state.isListed(name, for: device), let file = state.files[name] else { continue }
        let isHere = file.readable[device, default: 0] <= state.step || state.random.chance(50)
        let size = remote.tellsSizes ? state.size(of: file, for: device) : nil
        let entry = BlobEntry(name: name, size: size, isHere: isHere)
        listing.blobs.append(entry)
        if state.strikes(.duplicate, 8) { listing.blobs.append(entry) }
        if file.hasCopy, name.hasSuffix(".seg") {
          let copy = "\(name.dropLast(4))\(Self.copy).seg"
          listing.blobs.append(BlobEntry(name: copy, size: size))
        }
      }
      listing.folders = folders.sorted()
      if state.strikes(.reorder, 100) {
        listing.blobs.shuffle(using: &state.random)
        listing.folders.shuffle(using: &state.random)
      }
      state.listings[question] = listing
      return listing
    }
  }

  func get(_ name: String, upTo limit: Int) async throws -> [UInt8]? {
    if name.hasSuffix(SimulatedRemote.ending) { await remote.interruption.reach(.fetch) }
    return try remote.state.withLock { state in
      try state.fail(.errorBefore, 2)
      state.fetches += 1
      let isCopy = name.hasSuffix("\(Self.copy).seg")
      let original = isCopy ? "\(name.dropLast(Self.copy.count + 4)).seg" : name
      return state.bytes(of: original, for: device, isCopy: isCopy).map { Array($0.prefix(limit)) }
    }
  }

  func put(_ name: String, _ bytes: [UInt8], replacing: Bool) async throws -> Bool {
    let segment = name.hasSuffix(SimulatedRemote.ending) ? try content(bytes) : nil
    if segment != nil { await remote.interruption.reach(.store) }
    let log = try segment.map { try SimulatedLog.changes(of: $0, coding: remote.coding) } ?? []
    let leak = try segment.flatMap { try SimulatedLog.leak(in: $0, coding: remote.coding) }
    let hashes = try segment.map { try KnownHashes.of($0, remote.coding) } ?? []
    return try remote.state.withLock { state in
      try state.fail(.errorBefore, 5)
      if !replacing {
        let isFree = !state.isThere(name, for: device)
        let isWrong = state.strikes(.unguarded, isFree ? 5 : 30)
        guard isFree != isWrong else { return false }
      }
      // Half a file shows by its size alone.
      if remote.tellsSizes, segment != nil, state.strikes(.torn, 5) {
        state.tear(name, bytes, segment)
        throw SyncError(.remoteIO, "The simulated remote was cut off.")
      }
      state.check(log, name, leak: leak, knowing: hashes)
      if let segment { state.checkPart(in: segment.info.zone, of: device, name) }
      let holding = segment.map { Holding($0, log, standingFor: hashes) }
      state.put(name, bytes, segment, holding: holding, by: device)
      try state.fail(.errorAfter, 6)
      return true
    }
  }

  /// The segment that is stored, in plain; nil for what is sealed and none.
  private func content(_ bytes: [UInt8]) throws -> Segment? {
    remote.place == nil ? try remote.coding.read(bytes) : SealedContent.segment
  }

  func delete(_ name: String) async throws {
    let isCopy = name.hasSuffix("\(Self.copy).seg")
    await remote.interruption.reach(.remove)
    try remote.state.withLock { state in
      try state.fail(.errorBefore, 5)
      if isCopy {
        state.files["\(name.dropLast(Self.copy.count + 4)).seg"]?.hasCopy = false
      } else {
        state.remove(name)
      }
      try state.fail(.errorAfter, 6)
    }
  }
}
