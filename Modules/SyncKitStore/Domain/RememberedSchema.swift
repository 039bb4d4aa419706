import SyncKitModel

/// What a store remembers of the schemas it was opened with: how each name was read.
///
/// A name means the same for ever: its values are on other devices, which read them by it. Names may be
/// added and left out; one that comes back after it was left out still means what it meant.
struct RememberedSchema: Equatable {
  /// How a field that a person can write is kept.
  struct Shape: Equatable {
    package var type: Field.ValueType
    /// The group that it is a member of.
    package var group: FieldName?
    package var isLocal: Bool
  }

  package struct Collection: Equatable {
    package var placement: RecordType.Placement
    package var fields: [FieldName: Shape] = [:]
    package var groups: Set<FieldName> = []
  }

  package private(set) var collections: [CollectionName: Collection] = [:]

  package init(_ schema: DomainSchema) {
    for type in schema.collections {
      var collection = Collection(placement: type.placement)
      for field in type.fields {
        guard !field.members.isEmpty else {
          collection.fields[field.name] = Shape(type: field.type, isLocal: field.isLocal)
          continue
        }
        collection.groups.insert(field.name)
        for member in field.members {
          collection.fields[member.name] = Shape(
            type: member.type, group: field.name, isLocal: member.isLocal)
        }
      }
      collections[type.name] = collection
    }
  }

  /// Both together; where they disagree, this one.
  package func union(_ other: RememberedSchema) -> RememberedSchema {
    var result = self
    result.collections.merge(other.collections) { own, other in
      var own = own
      own.fields.merge(other.fields) { shape, _ in shape }
      own.groups.formUnion(other.groups)
      return own
    }
    return result
  }
}

// MARK: What has changed

extension RememberedSchema {
  /// Sentences about names that would mean something else; none when the store may be opened.
  ///
  /// `new` is the schema with which the store is opened; `isInUse` says whether there are records of a
  /// collection.
  package func changes(
    to new: RememberedSchema, isInUse: (CollectionName) throws -> Bool
  ) rethrows -> [String] {
    var sentences: [String] = []
    for (name, known) in collections.sorted(by: { $0.key < $1.key }) {
      guard let collection = new.collections[name] else {
        guard let successorField = successorField(of: known, in: new), try isInUse(name) else {
          continue
        }
        sentences.append(
          "The collection '\(name)' would be called '\(successorField)', and its records would not be found."
        )
        continue
      }
      if collection.placement != known.placement {
        sentences.append(
          "Records of '\(name)' lived \(known.placement.phrase) and would live "
            + "\(collection.placement.phrase).")
      }
      sentences += known.changes(to: collection, in: name)
    }
    return sentences
  }

  /// The new collection that has the same fields as one that is gone.
  private func successorField(of known: Collection, in new: RememberedSchema) -> CollectionName? {
    guard !known.fields.isEmpty else { return nil }
    return new.collections.keys.sorted().first { name in
      collections[name] == nil && new.collections[name]?.fields == known.fields
    }
  }
}

extension RememberedSchema.Collection {
  fileprivate func changes(to new: RememberedSchema.Collection, in name: CollectionName) -> [String]
  {
    var sentences: [String] = []
    for (field, known) in fields.sorted(by: { $0.key < $1.key }) {
      let subject = "The field '\(field)' of '\(name)'"
      if known.group == nil, new.groups.contains(field) {
        sentences.append("\(subject) was \(known.type.rawValue) and would be a group.")
      } else if let shape = new.fields[field] {
        sentences += known.changes(to: shape).map { "\(subject) \($0)" }
      }
    }
    for group in groups.sorted() {
      guard let shape = new.fields[group], shape.group == nil, !new.groups.contains(group) else {
        continue
      }
      sentences.append(
        "The group '\(group)' of '\(name)' would be a field of type \(shape.type.rawValue).")
    }
    return sentences
  }
}

extension RememberedSchema.Shape {
  fileprivate func changes(to new: RememberedSchema.Shape) -> [String] {
    var changes: [String] = []
    if type != new.type {
      changes.append("was \(type.rawValue) and would be \(new.type.rawValue).")
    }
    if group != new.group {
      changes.append("was \(Self.phrase(group)) and would be \(Self.phrase(new.group)).")
    }
    if isLocal != new.isLocal {
      changes.append(
        isLocal
          ? "stayed on this device and would leave it."
          : "was synced and would stay on this device.")
    }
    return changes
  }

  private static func phrase(_ group: FieldName?) -> String {
    group.map { "in the group '\($0)'" } ?? "in no group"
  }
}

extension RecordType.Placement {
  fileprivate var phrase: String {
    switch self {
    case .home: "in the home zone"
    case .root: "in a zone each"
    case .parent: "in the zone of their parent"
    case .local: "on this device only"
    }
  }
}

// MARK: As a row of the store

extension RememberedSchema {
  private static let version: UInt8 = 1
  private static let placements: [RecordType.Placement] = [.home, .root, .parent, .local]

  /// The same for equal schemas, whatever their order.
  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.write(byte: Self.version)
    writer.write(count: collections.count)
    for (name, collection) in collections.sorted(by: { $0.key < $1.key }) {
      writer.write(text: name.text)
      writer.write(byte: UInt8(Self.placements.firstIndex(of: collection.placement) ?? 0))
      writer.write(count: collection.groups.count)
      for group in collection.groups.sorted() { writer.write(text: group.text) }
      writer.write(count: collection.fields.count)
      for (field, shape) in collection.fields.sorted(by: { $0.key < $1.key }) {
        writer.write(text: field.text)
        writer.write(text: shape.type.rawValue)
        writer.write(text: shape.group?.text ?? "")
        writer.write(byte: (shape.isLocal ? 1 : 0) | (shape.group == nil ? 0 : 2))
      }
    }
    return writer.bytes
  }

  package init(decoding row: [UInt8]) throws {
    collections = try row.reading { reader in
      guard try reader.byte() == Self.version else { throw Self.newer }
      var collections: [CollectionName: Collection] = [:]
      for _ in 0..<(try reader.count(of: 4)) {
        let name = CollectionName(try reader.text())
        let placement = Int(try reader.byte())
        guard Self.placements.indices.contains(placement) else { throw Self.newer }
        var collection = Collection(placement: Self.placements[placement])
        for _ in 0..<(try reader.count(of: 1)) {
          collection.groups.insert(FieldName(try reader.text()))
        }
        for _ in 0..<(try reader.count(of: 4)) {
          let field = FieldName(try reader.text())
          guard let type = Field.ValueType(rawValue: try reader.text()) else { throw Self.newer }
          let group = FieldName(try reader.text())
          let flags = try reader.byte()
          collection.fields[field] = Shape(
            type: type, group: flags & 2 == 0 ? nil : group, isLocal: flags & 1 != 0)
        }
        collections[name] = collection
      }
      return collections
    }
  }

  private static var newer: SyncError {
    SyncError(
      .storeNewer, "The store's schema was written by a newer version of cloudsync.",
      hint: "Upgrade cloudsync on this device.")
  }
}

extension SyncStore {
  /// Compares a schema with those that the store was opened with before, and remembers it.
  ///
  /// In the usual case it reads one row and compares its bytes.
  ///
  /// - Throws: ``SyncError`` `store.schema` when a name would mean something else.
  static func checkSchema(_ schema: DomainSchema, _ storage: any Storage) throws {
    let new = RememberedSchema(schema)
    let encoded = new.encoded
    let row = try storage.read { try $0.get(.meta, Keys.schema) }
    guard row != encoded else { return }
    let known = try row.map { try RememberedSchema(decoding: $0) }
    if let known { try refuseChanges(from: known, to: new, schema.name, storage) }
    let union = (known?.union(new) ?? new).encoded
    guard union != row else { return }
    do {
      try storage.write { try $0.put(.meta, Keys.schema, union) }
    } catch let error as SyncError where error.code == .storeReadOnly {
      // What cannot be written can still be read.
    }
  }

  /// Refuses to take over records of another schema.
  static func checkSchema(_ schema: DomainSchema, remembering row: [UInt8]?) throws {
    guard let row else { return }
    let new = RememberedSchema(schema)
    let changes = try RememberedSchema(decoding: row).changes(to: new) { _ in true }
    if !changes.isEmpty { throw SyncError.schemaChanged(changes, schema.name) }
  }

  private static func refuseChanges(
    from known: RememberedSchema, to new: RememberedSchema, _ domain: String, _ storage: any Storage
  ) throws {
    let changes = try known.changes(to: new) { collection in
      try storage.read { reader in
        try reader.entries(.meta, prefix: Keys.zones).contains { _, row in
          try ZoneState(decoding: row).live[collection] ?? 0 > 0
        }
      }
    }
    if !changes.isEmpty { throw SyncError.schemaChanged(changes, domain) }
  }
}

extension SyncError {
  fileprivate static func schemaChanged(_ changes: [String], _ domain: String) -> SyncError {
    SyncError(
      .storeSchema,
      "The store of '\(domain)' was written with another schema. \(changes.joined(separator: " "))",
      hint:
        "Give the changed part a new name, and leave the old one unchanged or drop it: other "
        + "devices read its values by that name.")
  }
}

extension SyncError.Code {
  /// An app reads a store by a schema in which a name means something else.
  public static let storeSchema = Self("store.schema", exit: 78)
}
