/// What the records of a collection are found and ordered by without a look at each of them.
///
/// The fields for which a query names values come first, then the one that has a range or is the order.
package struct RecordIndex: Hashable, Sendable {
  /// A field, the one in whose place it came, and the value that counts where both are unset.
  package struct Part: Hashable, Sendable {
    package let name: FieldName
    package let unset: Value
    package let former: Former?

    package init(_ name: FieldName, unset: Value = .null, former: Former? = nil) {
      self.name = name
      self.unset = unset
      self.former = former
    }

    /// The value in the fields of a record; null when it is unset.
    package func value(in fields: [FieldName: Value]) -> Value {
      let value = fields[name] ?? .null
      guard let former else { return value }
      return former.value(fields[former.name] ?? .null, beside: value)
    }
  }

  /// A field that older versions of an app read and write in the place of another one.
  package struct Former: Hashable, Sendable {
    package let name: FieldName
    private let read: @Sendable (Value) -> Value
    /// What is written for older versions beside a value; nil when nothing is.
    package let write: (@Sendable (Value) -> Value)?

    package init(
      _ name: FieldName, read: @escaping @Sendable (Value) -> Value,
      write: (@Sendable (Value) -> Value)?
    ) {
      self.name = name
      self.read = read
      self.write = write
    }

    /// What counts of two values that stand beside each other.
    ///
    /// A new version writes both. If they do not belong together, an older one has written since.
    fileprivate func value(_ former: Value, beside value: Value) -> Value {
      if value.isNull { return former.isNull ? .null : read(former) }
      guard let write, write(value) != former else { return value }
      return former.isNull ? .null : read(former)
    }

    package static func == (left: Former, right: Former) -> Bool { left.name == right.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  /// Whether the record's parent comes before all fields.
  package let isByParent: Bool
  package let parts: [Part]

  package init(byParent isByParent: Bool = false, _ parts: [Part]) {
    self.isByParent = isByParent
    self.parts = parts
  }
}

extension RecordType {
  /// The type with indexes; see ``indexes``.
  package func indexed(by indexes: [RecordIndex]) -> RecordType {
    var type = self
    type.indexes = indexes
    return type
  }

  /// Why an index cannot be kept; nil for one that can.
  package func problem(with index: RecordIndex) -> String? {
    if index.isByParent, parents.isEmpty { return "the records have no parents" }
    if index.parts.isEmpty, !index.isByParent { return "it names no field" }
    for part in index.parts {
      guard let place = place(of: part.name), case let owner = fields[place.owner],
        place.member != nil || owner.members.isEmpty
      else { return "there is no field '\(part.name)'" }
      let field = place.member.map { owner.members[$0] } ?? owner
      if field.isLocal { return "the field '\(part.name)' stays on this device" }
      if field.type == .set { return "the field '\(part.name)' is a set" }
    }
    return nil
  }
}
