import SyncKitModel
import SyncKitStore

/// Edits of one zone of which no two are of the same record.
struct ForeignLayer {
  /// The operations, grouped so that what is made comes before what is said of it.
  struct Operations {
    var creations: [RecordOperation] = []
    var edits: [RecordOperation] = []
    var deletions: [RecordOperation] = []
  }

  private(set) var operations = Operations()
  private(set) var faults: [String] = []
  private var objects: [RecordKey: ValueMap] = [:]
  private var touched: [RecordKey: UInt64] = [:]

  /// Whether it holds another object for the same record; the same object again is the same edit.
  func has(_ record: ForeignRecord) -> Bool {
    objects[record.key].map { $0 != record.object } ?? false
  }

  mutating func take(_ found: ForeignRecord, schema: DomainSchema) {
    guard objects.updateValue(found.object, forKey: found.key) == nil else { return }
    guard found.record.fields.values.allSatisfy({ $0.depth <= 24 }) else {
      faults.append("'\(found.record.published)' is nested too deep.")
      return
    }
    let type = schema[found.key.collection]
    if let known = found.known { change(found, known, type) } else { create(found, type) }
  }

  // MARK: What is new

  private mutating func create(_ found: ForeignRecord, _ type: RecordType?) {
    let record = found.record
    let changed = record.modified ?? record.deleted ?? record.created ?? 0
    let made = min(record.created ?? changed, changed)
    var parent: [FieldWrite] = []
    if let above = found.parent { parent.append(.parent(above)) }
    operations.creations.append(
      RecordOperation(.create, found.key.collection, found.key.id, parent, stamp: .at(made)))
    let writes = registers(record.fields, over: [:], shown: [:], type)
    if !writes.isEmpty || changed > made {
      edit(found, writes, stamp: .at(changed))
    }
    if let deleted = record.deleted { delete(found, stamp: .at(deleted)) }
    if record.deleted == nil { touchAncestors(of: found, .at(changed)) }
  }

  // MARK: What is known

  private mutating func change(
    _ found: ForeignRecord, _ known: ForeignRecord.Known, _ type: RecordType?
  ) {
    let record = found.record
    let base = known.replicated
    let stamp = UInt64.at(max(record.modified ?? 0, base.document.modified ?? 0))
    let writes = registers(
      record.fields, over: base.registers, shown: known.shown.fields, type)
    switch (known.shown.deleted, record.deleted) {
    case (nil, let deleted?):
      if !writes.isEmpty { edit(found, writes, stamp: stamp) }
      delete(found, stamp: .at(max(deleted, base.document.modified ?? 0)))
    case (_?, nil):
      var whole = base.registers
      for write in writes { whole[write.name] = write.value }
      let all = whole.sorted { $0.key < $1.key }.map { name, value in
        FieldWrite(name: name, value: value, prior: base.registers[name])
      }
      operations.creations.append(
        RecordOperation(.restore, found.key.collection, found.key.id, all, stamp: stamp))
      touchAncestors(of: found, stamp)
    case (nil, nil) where !writes.isEmpty:
      edit(found, writes, stamp: stamp)
      touchAncestors(of: found, stamp)
    default: break
    }
  }

  /// The writes that turn the registers of a record into what the fields say.
  private func registers(
    _ fields: [FieldName: Value], over base: [FieldName: Value], shown: [FieldName: Value],
    _ type: RecordType?
  ) -> [FieldWrite] {
    var writes: [FieldWrite] = []
    var groups: [FieldName: ValueMap] = [:]
    for (name, value) in fields.sorted(by: { $0.key < $1.key })
    where value != shown[name] ?? .null {
      let field = type?.field(name)
      guard field?.isLocal != true else { continue }
      if let group = type?.group(of: name) {
        guard groups[group.name] == nil else { continue }
        var members = base[group.name]?.map ?? ValueMap()
        // Kept or lost whole: what is said of the others belongs to it, different or not.
        for member in group.members {
          guard let value = fields[member.name] else { continue }
          members[member.name] = value.isNull ? nil : value
        }
        groups[group.name] = members
      } else if field?.type == .set {
        writes += Self.elements(of: name, value, base)
      } else {
        writes.append(FieldWrite(name: name, value: value, prior: base[name]))
      }
    }
    for (name, members) in groups {
      writes.append(FieldWrite(name: name, value: .map(members), prior: base[name]))
    }
    return writes.sorted { $0.name < $1.name }
  }

  private static func elements(
    of field: FieldName, _ value: Value, _ base: [FieldName: Value]
  ) -> [FieldWrite] {
    var wanted: [FieldName: Value] = [:]
    if case .list(let values) = value {
      for value in values { wanted[.element(of: field, value)] = value }
    }
    let present = base.filter { $0.key.field == field && $0.key != field }
    let added = wanted.filter { present[$0.key] == nil }
    let removed = present.filter { wanted[$0.key] == nil }
    return added.map { FieldWrite(name: $0.key, value: $0.value) }
      + removed.map { FieldWrite(name: $0.key, value: nil, prior: $0.value) }
  }

  // MARK: Operations

  private mutating func edit(_ found: ForeignRecord, _ writes: [FieldWrite], stamp: UInt64) {
    operations.edits.append(
      RecordOperation(.edit, found.key.collection, found.key.id, writes, stamp: stamp))
  }

  private mutating func delete(_ found: ForeignRecord, stamp: UInt64) {
    operations.deletions.append(
      RecordOperation(.delete, found.key.collection, found.key.id, stamp: stamp))
  }

  /// Edits of their children keep them from being deleted.
  private mutating func touchAncestors(of found: ForeignRecord, _ stamp: UInt64) {
    for ancestor in found.ancestors { touched[ancestor] = max(touched[ancestor] ?? 0, stamp) }
  }

  /// Adds the edits of ancestors of which nothing else is said; call once, last.
  mutating func finish(isDeleted: (RecordKey) -> Bool) {
    let spoken = Set(
      (operations.creations + operations.edits + operations.deletions).map {
        RecordKey(collection: $0.collection, id: $0.id)
      })
    for (key, stamp) in touched.sorted(by: { $0.key < $1.key })
    where !spoken.contains(RecordKey(collection: key.collection, id: key.id)) && !isDeleted(key) {
      operations.edits.append(RecordOperation(.edit, key.collection, key.id, stamp: stamp))
    }
  }
}

extension UInt64 {
  /// The stamp time of milliseconds since 1970.
  fileprivate static func at(_ milliseconds: Int64) -> UInt64 {
    Stamp.pack(milliseconds: milliseconds)
  }
}

extension FieldWrite {
  fileprivate static func parent(_ key: RecordKey) -> FieldWrite {
    FieldWrite(name: .parent, value: .string("\(key.collection)/\(key.id)"))
  }
}
