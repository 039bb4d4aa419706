import SyncKit
import Synchronization

/// A remote as one device sees it.
struct RemoteView: ErasingTransport, RemovingTransport, IncrementalTransport {
  let remote: SimulatedRemote
  let device: Int
  /// How the device reads segments.
  let coding: any SegmentCoding

  func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    try remote.state.withLock { state in
      try state.fail(.errorBefore, 6)
      switch try identity.decide(found: state.markers, location: "The simulated remote") {
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
        guard state.isListed(name, for: device), let file = state.files[name],
          let info = file.info, state.isTold(info.zone, to: device)
        else { continue }
        let size = remote.tellsSizes ? state.size(of: file, for: device) : nil
        var reference = SegmentReference(
          zone: info.zone, series: info.series, first: info.first, last: info.last,
          head: info.head, size: size, location: name)
        found.append(reference)
        if state.strikes(.duplicate, 8) { found.append(reference) }
        if file.hasCopy {
          reference.location = "\(name) (conflicted copy)"
          found.append(reference)
        }
      }
      if state.strikes(.reorder, 100) { found.shuffle(using: &state.random) }
      var inventory = Inventory(segments: found, erased: state.erased)
      inventory.access = state.access(for: device)
      return inventory
    }
  }

  func inventory(
    of domain: String, since position: FeedPosition?
  ) async throws -> Inventory {
    guard remote.kind == .numbered else { return try await inventory(of: domain) }
    return try remote.state.withLock { state in
      try state.fail(.errorBefore, 6)
      let life = "life \(state.life)"
      let start = position.flatMap { $0.epoch == life ? $0.cursor : nil }
      var inventory = Inventory(erased: state.erased)
      inventory.position = FeedPosition(epoch: life, cursor: state.content.cursor)
      inventory.isContinuation = start != nil
      inventory.access = state.access(for: device)
      let new = state.files.filter { $0.value.cursor > start ?? 0 }
      for (name, file) in new.sorted(by: { $0.value.cursor < $1.value.cursor }) {
        guard let info = file.info, state.isTold(info.zone, to: device) else { continue }
        if state.strikes(.evict, 4) {
          let readable = state.later(20)
          state.files[name]?.readable[device] = readable
        }
        let reference = SegmentReference(
          zone: info.zone, series: info.series, first: info.first, last: info.last,
          head: info.head, size: remote.tellsSizes ? file.bytes.count : nil, location: name)
        inventory.segments.append(reference)
        if state.strikes(.duplicate, 8) { inventory.segments.append(reference) }
      }
      if state.strikes(.reorder, 100) { inventory.segments.shuffle(using: &state.random) }
      return inventory
    }
  }

  func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    await remote.interruption.reach(.fetch)
    let bytes: [UInt8]? = try remote.state.withLock { state in
      try state.fail(.errorBefore, 2)
      state.fetches += 1
      let parts = reference.location.split(separator: " ", maxSplits: 1)
      guard let name = parts.first else { return nil }
      return state.bytes(of: String(name), for: device, isCopy: parts.count > 1)
    }
    return try bytes.flatMap { bytes in
      do {
        return try coding.read(bytes)
      } catch let error as SyncError where error.code == .formatDamaged {
        return nil
      }
    }
  }

  func store(_ segment: OutboundSegment) async throws {
    await remote.interruption.reach(.store)
    let segment = segment.segment
    let info = segment.info
    let name = "\(info.zone)/\(info.series)/\(info.first)-\(info.last)-\(info.head).seg"
    let log = try SimulatedLog.changes(of: segment, coding: remote.coding)
    let leak = try SimulatedLog.leak(in: segment, coding: remote.coding)
    let hashes = try KnownHashes.of(segment, remote.coding)
    try remote.state.withLock { state in
      try state.fail(.errorBefore, 5)
      state.check(log, name, leak: leak, knowing: hashes)
      state.checkPart(in: info.zone, of: device, name)
      state.put(
        name, segment.bytes, segment, isTold: true,
        holding: Holding(segment, log, standingFor: hashes), by: device)
      try state.fail(.errorAfter, 6)
    }
  }

  var removal: SegmentRemoval { .onRequest }

  func remove(_ references: [SegmentReference], of domain: String) async throws {
    for reference in references {
      await remote.interruption.reach(.remove)
      try remote.state.withLock { state in
        try state.fail(.errorBefore, 5)
        state.remove(reference.location)
        try state.fail(.errorAfter, 6)
      }
    }
  }

  func erase(
    _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
  ) async throws {
    try remote.state.withLock { state in
      try state.fail(.errorBefore, 5)
      state.erase(zone, confirmedBy: confirmations, by: device)
      try state.fail(.errorAfter, 6)
    }
  }
}
