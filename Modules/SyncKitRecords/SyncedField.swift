public import SyncKit

/// A property that is a field.
public struct SyncedField<Root: SyncedRecord>: Sendable {
  /// The field as queries see it.
  let part: RecordIndex.Part
  /// The field, and the one in whose place it came.
  let fields: [Field]
  let property: any PartialKeyPath<Root> & Sendable
  let read: @Sendable (Value, inout Root) -> Void
  let write: @Sendable (Root) -> Value

  var name: FieldName { part.name }

  /// Sets the property to its value in a stored record.
  var readStored: @Sendable ([FieldName: Value], inout Root) -> Void {
    let (part, read) = (part, read)
    return { fields, root in read(part.value(in: fields), &root) }
  }

  /// Makes a property a field; the parameters are those of `Field`.
  ///
  /// - Parameters:
  ///   - name: The field's name on every device, for ever.
  ///   - property: The property.
  ///   - former: The field of older versions of the app in whose place this one came.
  ///   - policy: How concurrent values are shown.
  ///   - rebase: What happens to an edit that is not sent yet when a remote one arrives.
  ///   - weight: How much an edit says about the record.
  ///   - isLocal: Whether the field stays on this device.
  public init<Property: FieldValue>(
    _ name: FieldName, _ property: any WritableKeyPath<Root, Property> & Sendable,
    replacing former: FormerField<Property>? = nil, policy: any ConflictPolicy = NewestPolicy(),
    rebase: RebasePolicy = .merge, weight: Field.Weight = .edit, isLocal: Bool = false
  ) {
    let field = Field(
      name, Property.fieldType, policy: policy, rebase: rebase, weight: weight, isLocal: isLocal)
    fields = [field] + (former.map { [$0.field] } ?? [])
    let (one, other) = (Root()[keyPath: property], Root()[keyPath: property])
    // A date is most often that of the moment.
    let isFixed = Property.fieldType != .instant && one == other
    part = RecordIndex.Part(
      name, unset: isFixed ? one.fieldValue : .null, former: former?.values)
    self.property = property
    read = { value, root in
      // Unset keeps the value that the type gives; only an optional can say more of it.
      if let read = Property(fieldValue: field.single(value)) { root[keyPath: property] = read }
    }
    write = { $0[keyPath: property].fieldValue }
  }

  /// Adds the value of the property as it is stored, and for older versions that of the former field.
  var writeStored: @Sendable (Root, inout [FieldName: Value]) -> Void {
    let (name, former, write) = (name, part.former, write)
    return { root, fields in
      let value = write(root)
      if !value.isNull { fields[name] = value }
      guard let former, let old = former.write?(value), !old.isNull else { return }
      fields[former.name] = old
    }
  }

  /// The field and its former one, which an edit writes together, so that what stands beside each other elsewhere was
  /// written together as well; none without a former one.
  var pair: Set<FieldName> {
    guard let former = part.former, former.write != nil else { return [] }
    return [name, former.name]
  }

  /// What is to be written for a value: the field, and its former one for older versions.
  func writes(_ value: Value) -> [(name: FieldName, value: Value)] {
    guard let former = part.former, let write = former.write else { return [(name, value)] }
    return [(name, value), (former.name, write(value))]
  }
}

/// A field of older versions of an app, whose values another field takes over.
///
/// A field can never change its type or its meaning, since other devices read its values by its name. Give the new one a new
/// name, and say how the values belong together:
///
/// ```swift
/// SyncedField(
///   "stars", \.stars,
///   replacing: FormerField("rating", read: { (rating: Int) in Double(rating) }, write: { Int($0) }))
/// ```
///
/// No device converts its records at once. A record that only has the former field is read through `read`. A version with
/// both writes both, so that older versions go on; when they write theirs, it no longer belongs to the new one, and counts.
/// Keep `replacing` as long as devices with older versions may be about, and until
/// ``SyncKit/SyncStore/convertFormerFields(of:)`` has written what only they wrote.
public struct FormerField<Property: FieldValue>: Sendable {
  let field: Field
  let values: RecordIndex.Former

  /// Describes a former field.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - policy: The policy that it had.
  ///   - read: Gives the new value for a former one.
  ///   - write: Gives the former value for a new one, nil for one that older versions cannot have. Without it they see
  ///     nothing of new values, and nothing that they write later counts.
  public init<Former: FieldValue>(
    _ name: FieldName, policy: any ConflictPolicy = NewestPolicy(),
    read: @escaping @Sendable (Former) -> Property,
    write: (@Sendable (Property) -> Former?)? = nil
  ) {
    field = Field(name, Former.fieldType, policy: policy)
    let readValue: @Sendable (Value) -> Value = { value in
      guard let former = Former(fieldValue: value) else { return Value.null }
      return read(former).fieldValue
    }
    var writeValue: (@Sendable (Value) -> Value)?
    if let write {
      writeValue = { value in
        guard let property = Property(fieldValue: value), let former = write(property) else {
          return Value.null
        }
        return former.fieldValue
      }
    }
    values = RecordIndex.Former(name, read: readValue, write: writeValue)
  }
}

extension Field {
  /// One value where several show: of concurrent texts there is one, as for a person who edits them.
  fileprivate func single(_ value: Value) -> Value {
    guard case .list(let values) = value, policy is KeepBothPolicy, !accepts(value) else {
      return value
    }
    return KeepBothPolicy.single(values)
  }
}
