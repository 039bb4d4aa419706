import SyncKitModel

/// The content of a record: the fields of its type, and other values.
///
/// Any program may choose the names of a record's registers. A register is a field only if the type says so:
/// an unknown one with the name of a group member, of a local field or anything else never shows in its
/// place.
struct RecordContent {
  /// The fields that are set, members of groups beside plain fields; the elements of a set as a sorted
  /// list.
  package var fields: [FieldName: Value]
  /// Values that are not values of a field, by register; see ``Record/others``.
  package var others: [FieldName: Value] = [:]

  private var sets: [FieldName: [Value]] = [:]

  /// Reads the registers of a record of a type, nil for a record of an unknown collection; all or some of them.
  package init(
    _ state: RecordState, of type: RecordType?, _ rules: Rules, _ collection: CollectionName,
    only names: Set<FieldName>? = nil
  ) {
    fields = [FieldName: Value](minimumCapacity: state.registers.count)
    // By index, as in the type: a loop over registers copies each of them.
    for index in state.registers.indices where state.registers[index].name != .parent {
      if let names, !names.contains(state.registers[index].name) { continue }
      guard let register = state.current(at: index) else { continue }
      let shown = rules.shown(register, in: collection)
      guard !shown.isNull else { continue }
      if let type { add(register, shown, of: type) } else { add(register.name, shown) }
    }
    for (name, values) in sets {
      var sorted = values.sorted(by: Value.precedes)
      sorted.removeDuplicates()
      fields[name] = .list(sorted)
    }
  }

  /// Adds a register of an unknown collection, in which every name is a field.
  private mutating func add(_ name: FieldName, _ shown: Value) {
    let field = name.field
    if field == name { fields[name] = shown } else { sets[field, default: []].append(shown) }
  }

  private mutating func add(_ register: Register, _ shown: Value, of type: RecordType) {
    let name = register.name
    guard let index = type.index(named: name) else {
      if let owner = type.ownerIndex(of: name), type.fields[owner].type == .set {
        sets[name.field, default: []].append(shown)
      } else {
        others[name] = shown
      }
      return
    }
    if type.fields[index].isLocal || type.fields[index].type == .set {
      others[name] = shown
    } else if !type.fields[index].members.isEmpty {
      add(shown, ofGroup: index, in: type)
    } else if type.fields[index].accepts(shown) || register.has(type.fields[index]) {
      fields[name] = shown
    } else {
      others[name] = shown
    }
  }

  private mutating func add(_ shown: Value, ofGroup index: Int, in type: RecordType) {
    let group = type.fields[index].name
    guard case .map(let members) = shown else {
      others[group] = shown
      return
    }
    var unknown = ValueMap()
    for member in members.members where !member.value.isNull {
      let field = type.fields[index].members.first { $0.name == member.name }
      if let field, !field.isLocal, field.accepts(member.value) {
        fields[member.name] = member.value
      } else {
        unknown[member.name] = member.value
      }
    }
    if !unknown.members.isEmpty { others[group] = .map(unknown) }
  }
}

extension Register {
  /// Whether one of several values is of the field's type; all that are may show as a list.
  fileprivate func has(_ field: Field) -> Bool {
    siblings.count > 1
      && siblings.contains { !$0.value.isNull && field.accepts($0.value) }
  }
}

extension [Value] {
  /// Leaves one of those that follow one another and are the same.
  fileprivate mutating func removeDuplicates() {
    var last: Value?
    removeAll { value in
      defer { last = value }
      return value == last
    }
  }
}
