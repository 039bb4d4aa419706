/// What the records of a collection are found and ordered by without a look at each of them.
///
/// The fields for which a query names values come first, then the one that has a range or is the order.
package struct RecordIndex: Hashable, Sendable {
  /// A field, and the value that counts where it is unset.
  package struct Part: Hashable, Sendable {
    package let name: FieldName
    package let unset: Value

    package init(_ name: FieldName, unset: Value = .null) {
      self.name = name
      self.unset = unset
    }
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
