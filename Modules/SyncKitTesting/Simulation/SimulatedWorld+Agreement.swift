import SyncKit

// What all devices must agree upon in the end: I1, byte for byte and in all that is shown.
extension SimulatedWorld {
  func checkAgreement() throws {
    let views = try devices.map { device in
      let hanging = try device.remotes.map { try hangingCount(on: device, at: "r\($0 + 1)") }
      return try DeviceView(device, hanging: hanging.max() ?? 0)
    }
    statistics.conflicts =
      views.first.map { view in
        view.lines.filter { $0.what == "conflict" }.count
      } ?? 0
    statistics.batches = written.batches.count
    statistics.joins = views.count(where: \.isIndexed)
    statistics.rolledBack = written.batches.filter(\.isRolledBack).count
    for (zone, groups) in try holders(views).sorted(by: { $0.key < $1.key }) {
      for holders in groups {
        guard let first = holders.first else { continue }
        for other in holders.dropFirst() {
          if let difference = first.difference(from: other, in: zone) {
            throw SimulationBreach(
              "\(first.device.name) and \(other.device.name) differ in \(zone): \(difference)")
          }
        }
        say("all agree on \(zone): \(first.zones[zone]?.digest.description ?? "")")
      }
      holdings[zone] = groups.map { $0.map(\.device) }
    }
  }

  /// The holders of each published zone; throws for one that a device lacks without a reason.
  ///
  /// A device that keeps a tree to itself does not relay it either, so some may never learn of others: each
  /// group has the devices that can reach each other.
  private func holders(_ views: [DeviceView]) throws -> [ZoneID: [[DeviceView]]] {
    var holders: [ZoneID: [DeviceView]] = [:]
    for view in views {
      for zone in view.zones.keys { holders[zone, default: []].append(view) }
    }
    for (zone, having) in holders where having.count < views.count {
      let root = having.lazy.compactMap { $0.roots[zone] }.first
      for view in views where view.zones[zone] == nil {
        // A device that keeps the tree to itself takes nothing of it from others.
        let isReached = having.contains {
          !Set($0.device.remotes).isDisjoint(with: view.device.remotes)
        }
        guard !isReached || root.map(view.localRoots.contains) ?? false else {
          throw SimulationBreach(
            "\(view.device.name) lacks the zone \(zone)"
              + (root.map { " of \($0.collection)/\($0.id)" } ?? ""))
        }
      }
    }
    return holders.mapValues(Self.groups)
  }

  private static func groups(_ views: [DeviceView]) -> [[DeviceView]] {
    var groups: [(remotes: Set<Int>, views: [DeviceView])] = []
    for view in views {
      var joined = (remotes: Set(view.device.remotes), views: [view])
      for group in groups where !group.remotes.isDisjoint(with: joined.remotes) {
        joined = (joined.remotes.union(group.remotes), group.views + joined.views)
      }
      groups.removeAll { !$0.remotes.isDisjoint(with: joined.remotes) }
      groups.append(joined)
    }
    return groups.map(\.views)
  }
}

/// The root of a tree, in whatever zone.
struct RootRecord: Hashable {
  let collection: CollectionName
  let id: RecordID
}

/// What one device shows of the zones that are out.
private struct DeviceView {
  struct Zone {
    var digest: ContentHash
    var vector: [String]
    var states: [RecordKey: RecordState]
  }

  /// Something that is shown of a zone.
  struct Line: Hashable {
    let zone: ZoneID
    let what: String
    let text: String
  }

  let device: SimulatedDevice
  /// Whether some of its past is known as state only.
  let isIndexed: Bool
  var zones: [ZoneID: Zone] = [:]
  var roots: [ZoneID: RootRecord] = [:]
  var localRoots: Set<RootRecord> = []
  var lines: Set<Line> = []

  init(_ device: SimulatedDevice, hanging: Int) throws {
    self.device = device
    isIndexed = try !device.storage.read { try KnownHashes.of($0) }.isEmpty
    let store = device.store
    let open = try store.openZones()
    for zone in try store.verify() where open[zone.zone] == true {
      // A zone in which nothing was ever written need not be known to others.
      if zone.vector.isEmpty { continue }
      zones[zone.zone] = Zone(
        digest: zone.digest, vector: zone.vector.map { "\($0.replica)/\($0.seq)" },
        states: try store.states(in: zone.zone))
    }
    try add(records: store, open)
    let status = try store.status(remotes: device.remotes.map { "r\($0 + 1)" })
    if status.pending + status.waiting > hanging {
      throw SimulationBreach(
        "\(device.name) says that \(status.pending) changes are pending, \(status.waiting) wait")
    }
    guard device.version != .behind else { return }
    for conflict in try store.conflicts() {
      lines.insert(
        Line(
          zone: conflict.key.zone, what: "conflict",
          text: "\(conflict.key) \(conflict.field) shows \(SimulatedWorld.text(conflict.shown)) of "
            + conflict.candidates.map { "\(SimulatedWorld.text($0.value))@\($0.at)" }
            .joined(separator: " | ")))
    }
    for batch in try store.history() {
      var entries: [ZoneID: [String]] = [:]
      for entry in batch.entries { entries[entry.key.zone, default: []].append(Self.text(entry)) }
      for (zone, entries) in entries {
        lines.insert(
          Line(
            zone: zone, what: "history",
            text: "\(batch.id)@\(batch.at) \(entries.sorted().joined(separator: ", "))"))
      }
    }
  }

  private mutating func add(records store: SyncStore, _ open: [ZoneID: Bool]) throws {
    var counts: [CollectionName: Int] = [:]
    for collection in store.domain.schema.collections {
      try store.forEachRecord(in: collection.name, includingDeleted: true) { record in
        let zone = record.key.zone
        if !record.isDeleted || record.isOrphan { counts[collection.name, default: 0] += 1 }
        if collection.placement == .root {
          let root = RootRecord(collection: record.key.collection, id: record.key.id)
          roots[zone] = root
          if open[zone] == false { localRoots.insert(root) }
        }
        // Fields that are local here differ rightly.
        let fields = record.fields.filter { $0.key != "hidden" }
        guard device.version != .behind else { return }
        lines.insert(
          Line(
            zone: zone, what: "record",
            text: "\(record.key) \(SimulatedWorld.text(fields)) of "
              + "\(record.parent.map { "\($0)" } ?? "nobody") \(record.created) "
              + "\(record.modified) \(record.conflicts) \(record.isDeleted ? "deleted" : "there")"))
      }
    }
    let counted = try store.counts().filter { $0.value != 0 && counts[$0.key] != nil }
    guard device.version == .behind || counted == counts.filter({ $0.value != 0 }) else {
      throw SimulationBreach("\(device.name) counts \(counted) and shows \(counts)")
    }
  }

  private static func text(_ entry: HistoryBatch.Entry) -> String {
    "\(entry.kind) \(entry.key) \(entry.field?.text ?? "") "
      + "\(entry.from.map(SimulatedWorld.text) ?? "") → \(entry.to.map(SimulatedWorld.text) ?? "")"
  }

  func difference(from other: DeviceView, in zone: ZoneID) -> String? {
    guard let mine = zones[zone], let theirs = other.zones[zone] else { return nil }
    if mine.vector != theirs.vector { return "vectors: \(mine.vector) | \(theirs.vector)" }
    if device.version != .behind, other.device.version != .behind {
      // A device that began with a snapshot has no history before it.
      let isShort = isIndexed || other.isIndexed
      let isCommon = { (line: Line) in line.zone == zone && !(isShort && line.what == "history") }
      let here = lines.filter(isCommon)
      let there = other.lines.filter(isCommon)
      if here != there {
        let text = { (lines: Set<Line>) in
          lines.map { "\($0.what) \($0.text)" }.sorted().joined(separator: "; ")
        }
        return "\(text(here.subtracting(there))) | \(text(there.subtracting(here)))"
      }
    }
    for (key, state) in mine.states.sorted(by: { $0.key < $1.key })
    where theirs.states[key] != state {
      let found = theirs.states[key].map { OracleRecord($0).description } ?? "nothing"
      return "state of \(key): \(OracleRecord(state)) | \(found)"
    }
    return mine.digest == theirs.digest ? nil : "digests: \(mine.digest) | \(theirs.digest)"
  }
}
