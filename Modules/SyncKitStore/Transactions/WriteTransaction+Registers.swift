import SyncKitModel

// What a draft says, register by register.
extension WriteTransaction {
  /// The registers that a draft's flat fields belong to, with their values and where the field or group
  /// is that owns them; nil for what the type does not know.
  func registers(
    _ draft: RecordDraft, in collection: RecordType, over state: RecordState?
  ) throws -> [(name: FieldName, value: Value, owner: Int?)] {
    var plain: [Value?] = Array(repeating: nil, count: collection.fields.count)
    var groups: [Int: ValueMap] = [:]
    for (name, value) in draft.fields {
      guard let place = collection.place(of: name) else {
        throw SyncError(
          .inputInvalid, "\(collection.name) has no field '\(name)'.",
          hint: "Its fields are \(collection.fieldNames.map(\.text).joined(separator: ", ")).")
      }
      let owner = place.owner
      if let member = place.member {
        let group = collection.fields[owner]
        try check(value, of: group.members[member])
        if group.members[member].isLocal { continue }
        var members = groups[owner] ?? shownMap(group.name, state, collection)
        members[name] = value.isNull ? nil : value
        groups[owner] = members
        continue
      }
      try check(value, of: collection.fields[owner])
      if !collection.fields[owner].isLocal { plain[owner] = value }
    }
    var registers: [(name: FieldName, value: Value, owner: Int?)] = []
    registers.reserveCapacity(draft.fields.count)
    for (name, value) in draft.others.sorted(by: { $0.key < $1.key }) where name != .parent {
      guard let owner = collection.index(named: name) else {
        if collection.ownerIndex(of: name) == nil { registers.append((name, value, nil)) }
        continue
      }
      let group = collection.fields[owner]
      guard !group.members.isEmpty, case .map(let unknown) = value else { continue }
      var members = groups[owner] ?? shownMap(group.name, state, collection)
      for member in unknown.members where members[member.name] == nil {
        guard !group.members.contains(where: { $0.name == member.name }) else { continue }
        members[member.name] = member.value
      }
      groups[owner] = members
    }
    // In the order of their names none has to be moved later.
    for owner in collection.placesByName {
      let name = collection.fields[owner].name
      if let members = groups[owner] { registers.append((name, .map(members), owner)) }
      guard let value = plain[owner] else { continue }
      if collection.fields[owner].type != .set {
        registers.append((name, value, owner))
      } else if case .list(let elements) = value {
        for element in elements { registers.append((.element(of: name, element), element, owner)) }
      }
    }
    return registers
  }

  private func check(_ value: Value, of field: Field) throws {
    guard field.accepts(value), value.depth <= Value.maximumDepth else {
      throw SyncError(
        .inputInvalid, "The field '\(field.name)' takes a value of type \(field.type.rawValue).")
    }
  }

  private func shownMap(
    _ group: FieldName, _ state: RecordState?, _ collection: RecordType
  ) -> ValueMap {
    inner.rules.single(state?.current(group), in: collection.name).map ?? ValueMap()
  }

  /// Covers the elements of a set that a draft leaves out.
  func elementRemovals(
    _ draft: RecordDraft, _ state: RecordState, _ collection: RecordType
  ) throws -> [FieldWrite] {
    var removals: [FieldWrite] = []
    for field in collection.fields where field.type == .set {
      guard let wanted = draft.fields[field.name] else { continue }
      let elements: [Value] = if case .list(let values) = wanted { values } else { [] }
      let kept = Set(elements.map { FieldName.element(of: field.name, $0) })
      // What stands under the field's own name is no element of it.
      for register in state.registers
      where register.name.field == field.name && register.name != field.name
        && !kept.contains(register.name)
      {
        removals.append(
          FieldWrite(name: register.name, value: nil, prior: register.siblings.first?.value))
      }
    }
    return removals
  }
}
