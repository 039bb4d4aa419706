public import SyncKit

/// Mounts components on bikes and on one another, takes them off, and records both.
extension WriteTransaction {
  /// Mounts a component from a time on, and takes it off its former place.
  ///
  /// Within one bike the component moves. To another bike it is copied with all that belongs to it,
  /// parts, history, intervals and service log, and the original is deleted, since no record ever
  /// changes its zone; the copy's id follows from the bike and the former id, so that two devices
  /// which do the same make one copy.
  ///
  /// - Parameters:
  ///   - component: The component.
  ///   - place: A bike or a component.
  ///   - time: The start of the installation.
  ///   - shed: The records that belong to components, as they were before the transaction.
  /// - Returns: The key of the component, another one if it was copied.
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when it would carry itself.
  @discardableResult
  public func install(
    _ component: RecordKey, on place: RecordKey, at time: Int64, in shed: PartsShed
  ) throws -> RecordKey {
    guard try !isInside(place, component) else {
      throw SyncError(.inputInvalid, "A component cannot be mounted on itself or on its own parts.")
    }
    try remove(component, at: time, in: shed)
    var key = component
    if component.zone != place.zone {
      key = try copy(component, to: place, in: shed)
    } else if try record(component)?.parent != place {
      try save(
        RecordDraft(
          .component, id: component.id, parent: place, fields: [:], isNew: false))
    }
    try mount(key, on: place, at: time)
    return key
  }

  /// Records that a component is mounted on its bike or on another component from a time on.
  public func mount(_ component: RecordKey, on place: RecordKey, at time: Int64) throws {
    let host: FieldName = place.collection == .bike ? "bikeId" : "on"
    try save(
      RecordDraft(
        .installation, parent: component,
        fields: [host: .string(place.id.text), "installed": .instant(time)]))
  }

  /// Takes a component off from a time on; it stays with the bike it belongs to.
  ///
  /// One without an installation was there from the start; that is recorded now.
  ///
  /// - Returns: The installations that have ended; empty when it was not mounted.
  @discardableResult
  public func remove(
    _ component: RecordKey, at time: Int64, in shed: PartsShed
  ) throws -> [RecordKey] {
    let own = try installations(of: component, in: shed)
    guard !own.isEmpty else {
      guard let parent = try record(component)?.parent else { return [] }
      var fields: [FieldName: Value] = ["removed": .instant(time)]
      fields[parent.collection == .bike ? "bikeId" : "on"] = .string(parent.id.text)
      return [try save(RecordDraft(.installation, parent: component, fields: fields)).key]
    }
    var ended: [RecordKey] = []
    for record in own where record["removed"].isNull {
      let from = record["installed"].instant ?? .min
      try edit(record.key, ["removed": .instant(max(from, time))])
      ended.append(record.key)
    }
    return ended
  }

  // MARK: Reading

  private func installations(of component: RecordKey, in shed: PartsShed) throws -> [Record] {
    try children(of: component, .installation, in: shed)
  }

  /// The children of a record, as the transaction sees them.
  private func children(
    of parent: RecordKey, _ collection: CollectionName, in shed: PartsShed
  ) throws -> [Record] {
    try shed.records(collection).compactMap { found in
      guard found.key.zone == parent.zone, found.parent == parent else { return nil }
      guard let now = try record(found.key), !now.isDeleted else { return nil }
      return now
    }
  }

  /// Whether a place is a component or is mounted on it.
  private func isInside(_ place: RecordKey, _ component: RecordKey) throws -> Bool {
    var next: RecordKey? = place
    var visited: Set<RecordKey> = []
    while let key = next, visited.insert(key).inserted {
      if key == component { return true }
      next = try record(key)?.parent
    }
    return false
  }

  // MARK: Copying to another bike

  /// Copies a component and all that belongs to it, and deletes it where it was.
  private func copy(
    _ component: RecordKey, to place: RecordKey, in shed: PartsShed
  ) throws -> RecordKey {
    let tree = try subtree(of: component, in: shed)
    var newIDs: [String: RecordID] = [:]
    for record in tree {
      let id = record.key.id.text
      newIDs[id] = RecordID(GearNames.derivedID(of: "\(id) \(place.zone.text)"))
    }
    var result = component
    for record in tree {
      let id = newIDs[record.key.id.text] ?? record.key.id
      let key = RecordKey(zone: place.zone, collection: .component, id: id)
      if record.key == component { result = key }
      var parent = place
      if record.key != component, let above = record.parent, let newAbove = newIDs[above.id.text] {
        parent = RecordKey(zone: place.zone, collection: .component, id: newAbove)
      }
      var fields = record.fields
      fields["copyOf"] = .string(record.key.id.text)
      try copy(record, RecordDraft(.component, id: id, parent: parent, fields: fields))
      try copyInstallations(of: record, to: key, newIDs, in: shed)
      try copyServices(of: record.key, to: key, in: shed)
      try copyIntervals(of: record, to: id, bike: place, in: shed)
    }
    try delete(component)
    return result
  }

  private func subtree(of component: RecordKey, in shed: PartsShed) throws -> [Record] {
    var found: [Record] = []
    var queue = [component]
    var visited: Set<RecordKey> = []
    while let key = queue.popLast() {
      guard visited.insert(key).inserted, let record = try record(key) else { continue }
      found.append(record)
      queue += try children(of: key, .component, in: shed).map(\.key)
    }
    return found
  }

  private func copyInstallations(
    of record: Record, to key: RecordKey, _ newIDs: [String: RecordID], in shed: PartsShed
  ) throws {
    var own = try children(of: record.key, .installation, in: shed)
    // One without an installation was always on its bike; the copy cannot know that.
    if own.isEmpty, let parent = record.parent {
      let host: FieldName = parent.collection == .bike ? "bikeId" : "on"
      own = [Record(key: key, fields: [host: .string(parent.id.text)])]
    }
    for (index, installation) in own.enumerated() {
      var fields = installation.fields
      if let host = fields["on"]?.string, let new = newIDs[host] {
        fields["on"] = .string(new.text)
      }
      let id = GearNames.derivedID(of: "\(key.id) installation \(index)")
      try copy(
        installation, RecordDraft(.installation, id: RecordID(id), parent: key, fields: fields))
    }
  }

  private func copyServices(of old: RecordKey, to new: RecordKey, in shed: PartsShed) throws {
    for record in try children(of: old, .serviceRecord, in: shed) {
      let id = GearNames.derivedID(of: "\(record.key.id) \(new.id)")
      try copy(
        record, RecordDraft(.serviceRecord, id: RecordID(id), parent: new, fields: record.fields))
    }
  }

  /// Intervals of the component move with it.
  private func copyIntervals(
    of component: Record, to id: RecordID, bike place: RecordKey, in shed: PartsShed
  ) throws {
    guard let bike = try bike(of: place) else { return }
    for record in shed.records(.interval)
    where record.key.zone == component.key.zone
      && record["componentId"].string == component.key.id.text
    {
      var fields = record.fields
      fields["notifiedHere"] = nil
      fields["bikeId"] = .string(bike.id.text)
      fields["componentId"] = .string(id.text)
      // The id of a template is for the bike's own part.
      fields["templateId"] = nil
      let newID = RecordID(GearNames.derivedID(of: "\(record.key.id) \(id)"))
      let key = try copy(
        record, RecordDraft(.interval, id: newID, parent: bike, fields: fields))
      try copyServices(of: record.key, to: key, in: shed)
      try delete(record.key)
    }
  }

  /// Writes a copy, including values of the original that are not fields of its schema.
  @discardableResult
  private func copy(_ original: Record, _ draft: RecordDraft) throws -> RecordKey {
    var draft = draft
    draft.others = original.others
    return try save(draft).key
  }

  private func bike(of place: RecordKey) throws -> RecordKey? {
    var next: RecordKey? = place
    var visited: Set<RecordKey> = []
    while let key = next, visited.insert(key).inserted {
      if key.collection == .bike { return key }
      next = try record(key)?.parent
    }
    return nil
  }
}
