public import SyncKit

extension Garage {
  /// Reads the synced store and the local one.
  ///
  /// - Throws: ``SyncKit/SyncError`` `store.damaged` and the like.
  public init(bikes: SyncStore, rides store: SyncStore) throws {
    var all: [Ride] = []
    try store.forEachRecord(in: .activity) { record in
      if let ride = Ride(record) { all.append(ride) }
    }
    let known = try bikes.records(.bike, includingDeleted: true)
    let gone = Set(known.filter(\.isDeleted).map(\.key.zone))
    // Intervals of a deleted bike still refer to its components.
    func parts(_ collection: CollectionName) throws -> [Record] {
      try bikes.records(collection, includingDeleted: true).filter {
        !$0.isDeleted || $0.isOrphan && gone.contains($0.key.zone)
      }
    }
    let names = BikeNames(known)
    let rides = Ride.withoutDoubles(all, bikes: names)
    self.init(
      bikes: known,
      gear: try store.records(.gear),
      intervals: try bikes.records(.interval, includingDeleted: true),
      components: try parts(.component),
      installations: try parts(.installation), rides: rides,
      worn: RideTotals.joined(
        rides, try bikes.records(.total), bikes: names, device: bikes.device.id))
  }
}

extension BikeNames {
  /// Knows the gear ids of the bikes among some records.
  public init(_ bikes: some Sequence<Record>) {
    var owners: [String: String] = [:]
    for bike in bikes {
      guard case .list(let ids) = bike["gearIds"] else { continue }
      for id in ids.compactMap(\.string) { owners[id] = bike.key.id.text }
    }
    self.init(owners: owners)
  }
}

extension WriteTransaction {
  /// Marks an interval as notified, if a reminder is allowed.
  ///
  /// Reading and marking are one transaction, so of two processes that call it at the same time only
  /// one gives the reminder.
  ///
  /// - Returns: Whether to give a reminder now.
  public func markNotified(_ key: RecordKey, now: Int64) throws -> Bool {
    guard let record = try record(key), !record.isDeleted,
      let interval = ServiceInterval(record), interval.mayNotify(now: now)
    else { return false }
    try edit(key, ["lastNotified": .instant(now), "notifiedHere": .instant(now)])
    return true
  }

  /// Writes missing intervals for the parts of a bike, as defaults.
  ///
  /// Their ids follow from bike and part, so that two devices that do the same do not double them;
  /// one that was deleted stays deleted.
  ///
  /// - Returns: The number of new ones.
  @discardableResult
  public func applyDefaults(_ templates: [PartTemplate], to bike: String) throws -> Int {
    if let record = try record(.root(.bike, RecordID(bike))), record.isDeleted { return 0 }
    var added = 0
    for template in templates {
      let id = PartTemplate.intervalID(bike: bike, template: template.id)
      let root = RecordKey.root(.bike, RecordID(bike))
      // An existing interval stays, as its owner may have changed it.
      guard try record(RecordKey(zone: root.zone, collection: .interval, id: id)) == nil else {
        continue
      }
      if try save(template.draft(bike: bike)).outcome == .added { added += 1 }
    }
    return added
  }

  /// Records a service: an entry in the log, and for a reset a new start of the interval.
  ///
  /// - Returns: The key of the entry.
  @discardableResult
  public func enter(_ service: ServiceEntry, for key: RecordKey) throws -> RecordKey {
    guard let record = try record(key), !record.isDeleted else {
      throw SyncError(.notFound, "There is no record \(key).")
    }
    let line = try save(RecordDraft(.serviceRecord, parent: key, fields: service.fields)).key
    if service.isReset, key.collection == .interval {
      try edit(key, ["lastServiceDate": .instant(service.date)])
    }
    return line
  }
}

/// An entry of the service log, before it is written.
public struct ServiceEntry: Sendable {
  /// The date.
  public var date: Int64
  /// Whether the interval starts again; a note does not restart it.
  public var isReset: Bool
  /// The work done.
  public var note: String?
  /// The cost.
  public var cost: Double?
  /// The currency, three letters.
  public var currency: String?
  /// The use of the part since the previous service.
  public var wear: Wear?

  /// Makes an entry.
  public init(
    date: Int64, isReset: Bool = true, note: String? = nil, cost: Double? = nil,
    currency: String? = nil, wear: Wear? = nil
  ) {
    self.date = date
    self.isReset = isReset
    self.note = note
    self.cost = cost
    self.currency = currency
    self.wear = wear
  }

  var fields: [FieldName: Value] {
    var fields: [FieldName: Value] = ["date": .instant(date), "isReset": .bool(isReset)]
    if let note { fields["note"] = .string(note) }
    if let cost { fields["cost"] = .double(cost) }
    if let currency { fields["currency"] = .string(currency) }
    if let wear {
      fields["hours"] = .double(wear.hours)
      fields["kilometres"] = .double(wear.kilometres)
    }
    return fields
  }
}
