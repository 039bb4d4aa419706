@_exported import SyncKitRecords
public import SyncKit

/// Makes a struct a `SyncedRecord`: its properties are the fields, by their names.
///
/// ```swift
/// @Synced("book") @SyncedOrder("isRead", "title")
/// struct Book {
///   var id = RecordID.random
///   var title = ""
///   @SyncedProperty(policy: KeepBothPolicy()) var note: String?
///   @SyncedProperty("read", group: "reading") var isRead = false
///   @SyncedProperty(group: "reading") var finished: Date?
///   @NotSynced var isSelected = false
/// }
/// ```
///
/// It writes what `SyncedRecord` asks for, `schema`, and nothing else; look at the expansion. A property whose name changes
/// is another field, unless ``SyncedProperty(_:policy:rebase:weight:isLocal:group:)`` names the former one. The parameters are those of
/// `RecordSchema`.
@attached(member, names: named(schema), named(init))
@attached(extension, conformances: SyncedRecord)
public macro Synced(
  _ collection: CollectionName, placement: RecordType.Placement = .home, isOptIn: Bool = false,
  deleteRule: DeleteRule = .editWins
) = #externalMacro(module: "SyncKitMacrosPlugin", type: "SyncedMacro")

/// Makes a struct a `SyncedRecord` whose records belong to others; see ``Synced(_:placement:isOptIn:deleteRule:)``.
@attached(member, names: named(schema), named(init))
@attached(extension, conformances: SyncedRecord)
public macro Synced<Parent: SyncedRecord>(
  _ collection: CollectionName, in parent: Parent.Type, deleteRule: DeleteRule = .editWins,
  isMovable: Bool = false
) = #externalMacro(module: "SyncKitMacrosPlugin", type: "SyncedMacro")

/// Says how a property of a ``Synced(_:placement:isOptIn:deleteRule:)`` type is kept; the parameters are those of `SyncedField`.
///
/// - Parameters:
///   - name: The field's name on every device, for ever; the property's when it is nil.
///   - policy: How concurrent values are shown; for members of a group, how those of the group are.
///   - rebase: What happens to an edit that is not sent yet when a remote one arrives; likewise.
///   - weight: How much an edit says about the record.
///   - isLocal: Whether the field stays on this device.
///   - group: The group whose members are kept or lost as one.
@attached(peer)
public macro SyncedProperty(
  _ name: FieldName? = nil, policy: any ConflictPolicy = NewestPolicy(),
  rebase: RebasePolicy = .merge, weight: Field.Weight = .edit, isLocal: Bool = false,
  group: FieldName? = nil
) = #externalMacro(module: "SyncKitMacrosPlugin", type: "MarkMacro")

/// Says which field of older versions a property takes over; see `FormerField`.
@attached(peer)
public macro SyncedProperty<Property: FieldValue>(
  _ name: FieldName? = nil, replacing former: FormerField<Property>,
  policy: any ConflictPolicy = NewestPolicy(), rebase: RebasePolicy = .merge,
  weight: Field.Weight = .edit, isLocal: Bool = false, group: FieldName? = nil
) = #externalMacro(module: "SyncKitMacrosPlugin", type: "MarkMacro")

/// Leaves a property in memory.
@attached(peer)
public macro NotSynced() = #externalMacro(module: "SyncKitMacrosPlugin", type: "MarkMacro")

/// Finds and orders the records of a type by the properties of these names; see `SyncedIndex`.
///
/// They are names and no key paths, because those would need the type that is still being made. A name that no field has
/// is an error of the compiler all the same.
@attached(peer)
public macro SyncedOrder(_ properties: StaticString...) =
  #externalMacro(module: "SyncKitMacrosPlugin", type: "MarkMacro")

/// Finds and orders the children of a record by the properties of these names; see `SyncedIndex`.
@attached(peer)
public macro SyncedOrder(withinParent properties: StaticString...) =
  #externalMacro(module: "SyncKitMacrosPlugin", type: "MarkMacro")
