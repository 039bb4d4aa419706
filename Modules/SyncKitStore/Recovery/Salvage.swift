import SyncKitModel

/// What could be taken over from a damaged store.
public struct SalvageReport: Sendable {
  /// Segments that were read and applied, or found to be known.
  public var segments = 0
  /// Own changes that had not been sealed and were taken over.
  public var unsealed = 0
  /// What could not be read, as sentences.
  public var losses: [String]

  /// Nothing was taken over, for these reasons.
  public init(losses: [String] = []) { self.losses = losses }
}

extension SyncStore {
  /// What ``SyncStore/salvage(from:)`` does.
  func takeOver(from damaged: any Storage) throws -> SalvageReport {
    var report = SalvageReport()
    var segments: [ZoneID: [Segment]] = [:]
    let schema = try readable { try damaged.read { try $0.get(.meta, Keys.schema) } }
    try Self.checkSchema(domain.schema, remembering: schema ?? nil)
    try damaged.read { reader in
      for segment in try readableSegments(reader, &report) {
        segments[segment.info.zone, default: []].append(segment)
        report.segments += 1
      }
      for (id, zone) in try readableZones(reader, besides: segments.keys, &report) {
        try adopt(zone, as: id)
        segments[id, default: []] += try unsealed(of: id, zone, reader, &report)
      }
    }
    for (zone, found) in segments.sorted(by: { $0.key < $1.key }) {
      var intake = Intake(self)
      try intake.apply(found, of: zone, isInitial: true)
    }
    try copyVault(from: damaged)
    try copyLocal(from: damaged, &report)
    return report
  }

  /// Returns nil for damage; a failing disk is not damage, and throws.
  private func readable<T>(_ read: () throws -> T) throws -> T? {
    do {
      return try read()
    } catch let error as SyncError where Self.failuresOfDisk.contains(error.code) {
      throw error
    } catch {
      return nil
    }
  }

  private static let failuresOfDisk: Set<SyncError.Code> = [
    .storeIO, .storeBusy, .storeDiskFull, .storeReadOnly,
  ]

  private func readableSegments(
    _ reader: any StorageReader, _ report: inout SalvageReport
  ) throws -> [Segment] {
    let counted = try readable {
      try reader.get(.meta, Keys.arrival)?.reading { try $0.fixed() } ?? 0
    }
    let next: UInt64
    if let counted {
      next = counted
    } else {
      report.losses.append("The number of segments cannot be read.")
      next = try segmentsEnd(reader)
    }
    var segments: [Segment] = []
    var lost: [UInt64] = []
    for arrival in 1..<max(next, 1) {
      let found = try readable {
        try reader.get(.segment, Keys.segment(arrival)).map { try coding.read($0) }
      }
      if let found {
        if let segment = found { segments.append(segment) }
      } else {
        lost.append(arrival)
      }
    }
    if let loss = Self.loss(ofSegments: lost) { report.losses.append(loss) }
    return segments
  }

  private static func loss(ofSegments numbers: [UInt64]) -> String? {
    guard let first = numbers.first else { return nil }
    return numbers.count == 1
      ? "Segment \(first) cannot be read; a remote may have it."
      : "\(numbers.count) segments cannot be read, the first is \(first); a remote may have them."
  }

  /// A number past all segments, found without their count.
  private func segmentsEnd(_ reader: any StorageReader) throws -> UInt64 {
    var end: UInt64 = 1
    while end < Self.mostSegments {
      var isAny = false
      let isReadable: Void? = try readable {
        try reader.scan(.segment, prefix: [], after: Keys.segment(end)) { _, _ in
          isAny = true
          return false
        }
      }
      if isReadable != nil, !isAny { break }
      end *= 2
    }
    return end + 1
  }

  /// Where a search for segments ends when none of their places can be read.
  private static let mostSegments: UInt64 = 1 << 24

  /// The zones that can be read: those that are listed, and those of which there is anything.
  private func readableZones(
    _ reader: any StorageReader, besides known: some Sequence<ZoneID>,
    _ report: inout SalvageReport
  ) throws -> [(ZoneID, ZoneState)] {
    var ids = Set(known)
    _ = try readable {
      try reader.scan(.meta, prefix: Keys.zones, after: nil) { key, _ in
        ids.insert(ZoneID(String(decoding: key.dropFirst(Keys.zones.count), as: UTF8.self)))
        return true
      }
    }
    // A damaged row ends a scan; the owners of changes show the zones behind it.
    _ = try readable {
      try reader.scan(.change, prefix: [], after: nil) { key, _ in
        ids.insert(ZoneID(String(decoding: key.prefix { $0 != 0 }, as: UTF8.self)))
        return true
      }
    }
    var zones: [(ZoneID, ZoneState)] = []
    for id in ids.sorted() {
      let found = try readable {
        try reader.get(.meta, Keys.zone(id)).map { try ZoneState(decoding: $0) }
      }
      if let found {
        guard var zone = found else { continue }
        zone.ownLast = try lastUnsealed(of: id, from: zone.ownLast, reader)
        zones.append((id, zone))
      } else {
        report.losses.append(
          "The state of zone '\(id.text)' cannot be read, so its unsealed changes are lost.")
      }
    }
    return zones
  }

  /// The number of the last own change of a zone, of which its row may have an earlier one; if there is one behind
  /// it that cannot be read, the number of that.
  private func lastUnsealed(
    of id: ZoneID, from known: UInt64, _ reader: any StorageReader
  ) throws -> UInt64 {
    var last = known
    _ = try readable {
      try reader.scan(.change, prefix: Keys.prefix(id), after: nil) { key, row in
        last = max(last, try UnsealedChange(key: key, row: row).seq)
        return true
      }
    }
    let isReadable = try readable { try reader.get(.change, Keys.change(id, last + 1)) } != nil
    return isReadable ? last : last + 1
  }

  /// The unsealed changes of a zone, up to the first that cannot be read, as segments.
  private func unsealed(
    of id: ZoneID, _ zone: ZoneState, _ reader: any StorageReader, _ report: inout SalvageReport
  ) throws -> [Segment] {
    guard zone.ownLast > zone.sealedLast else { return [] }
    var segments: [Segment] = []
    var head = zone.sealed?.hash ?? coding.root(zone: id, replica: zone.own)
    var context = zone.sealedContext
    var next = zone.sealedLast + 1
    while next <= zone.ownLast {
      var info = SegmentInfo(
        domain: domain.name, zone: id, series: zone.own, first: next, last: 0, previous: head,
        head: head, base: context, operations: 0, deletions: 0, newest: 0)
      var changes: [[UInt8]] = []
      var size = 0
      var isReadable = true
      // A zone that has never met a remote may have more of them than one segment takes.
      while next <= zone.ownLast, size <= StoreTransaction.segmentBytes, isReadable {
        let key = Keys.change(id, next)
        let found = try readable {
          try reader.get(.change, key).map { row in
            let bytes = try UnsealedChange(key: key, row: row).bytes
            return (
              bytes,
              try bytes.reading(
                allowingRest: true, { try Change(&$0, series: zone.own, after: context) })
            )
          }
        }
        guard let (bytes, change) = found ?? nil else {
          report.losses.append("Unsealed changes from number \(next) on cannot be read.")
          isReadable = false
          continue
        }
        info.count(change)
        info.last = next
        head = coding.chain(head, bytes)
        info.head = head
        context = change.context
        size += bytes.count
        changes.append(bytes)
        next += 1
      }
      report.unsealed += changes.count
      if !changes.isEmpty { segments.append(try coding.segment(info, changes: changes)) }
      guard isReadable else { break }
    }
    return segments
  }

  /// Keeps a zone as local, or as history, before anything of it is taken over.
  private func adopt(_ zone: ZoneState, as id: ZoneID) throws {
    guard !zone.isPublished || zone.isClosed else { return }
    try transaction { transaction in
      var state = try transaction.zone(id)
      state.isPublished = zone.isPublished
      state.isClosed = zone.isClosed
      transaction.setZone(id, state)
    }
  }

  /// Takes over what only this device knows: the fields that never leave it, and what came of zones.
  ///
  /// Without knowing whose a zone is, the store would take it for the person's own.
  private func copyLocal(from damaged: any Storage, _ report: inout SalvageReport) throws {
    let parts: [(table: Table, prefix: [UInt8], loss: String)] = [
      (.local, [], "Some fields that never leave this device cannot be read."),
      (.meta, Keys.erasures, "The list of withdrawn trees cannot be read."),
      (.meta, Keys.sharedZones, "The owners of shared records cannot be read."),
      (
        .meta, Keys.idCollisions,
        "The list of records kept apart from other people's cannot be read."
      ),
      (
        .meta, Keys.retainedTrees,
        "The list of trees that another device made local cannot be read."
      ),
      (.meta, Keys.moves, "The list of batches that moved a tree cannot be read."),
    ]
    for part in parts {
      do {
        let rows = try damaged.read { try $0.entries(part.table, prefix: part.prefix) }
        guard !rows.isEmpty else { continue }
        try storage.write { writer in
          for (key, row) in rows { try writer.put(part.table, key, row) }
        }
      } catch let error as SyncError where error.code == .storeDamaged {
        report.losses.append(part.loss)
      }
    }
  }

  private func copyVault(from damaged: any Storage) throws {
    let found = try readable { try damaged.read { try $0.get(.meta, Keys.vault) } }
    guard let row = found ?? nil else { return }
    try storage.write { try $0.put(.meta, Keys.vault, row) }
  }
}
