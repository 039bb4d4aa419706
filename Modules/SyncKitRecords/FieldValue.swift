public import SyncKit

/// A type that a property of a ``SyncedRecord`` may have.
///
/// Booleans, integers, doubles, texts, dates, bytes, UUIDs and URLs are such types, and optionals, sets, arrays and
/// dictionaries of them. An enumeration with raw values becomes one by naming the protocol; another type says how it is
/// written.
public protocol FieldValue: Equatable, Sendable {
  /// The type of the field.
  static var fieldType: Field.ValueType { get }
  /// The value as it is stored.
  var fieldValue: Value { get }
  /// Reads a stored value; nil for one that this version of the app does not understand.
  init?(fieldValue: Value)
}

extension FieldValue where Self: RawRepresentable, RawValue: FieldValue {
  public static var fieldType: Field.ValueType { RawValue.fieldType }
  public var fieldValue: Value { rawValue.fieldValue }
  public init?(fieldValue: Value) {
    guard let raw = RawValue(fieldValue: fieldValue) else { return nil }
    self.init(rawValue: raw)
  }
}

extension Bool: FieldValue {
  public static var fieldType: Field.ValueType { .bool }
  public var fieldValue: Value { .bool(self) }
  public init?(fieldValue: Value) {
    guard let value = fieldValue.bool else { return nil }
    self = value
  }
}

extension Int64: FieldValue {
  public static var fieldType: Field.ValueType { .int }
  public var fieldValue: Value { .int(self) }
  public init?(fieldValue: Value) {
    guard let value = fieldValue.int else { return nil }
    self = value
  }
}

extension Int: FieldValue {
  public static var fieldType: Field.ValueType { .int }
  public var fieldValue: Value { .int(Int64(self)) }
  public init?(fieldValue: Value) {
    guard let value = fieldValue.int.flatMap(Int.init(exactly:)) else { return nil }
    self = value
  }
}

extension Double: FieldValue {
  public static var fieldType: Field.ValueType { .double }
  public var fieldValue: Value { .double(self) }
  public init?(fieldValue: Value) {
    switch fieldValue {
    case .double(let value): self = value
    case .int(let value): self = Double(value)
    default: return nil
    }
  }
}

extension String: FieldValue {
  public static var fieldType: Field.ValueType { .string }
  public var fieldValue: Value { .string(self) }
  public init?(fieldValue: Value) {
    guard let value = fieldValue.string else { return nil }
    self = value
  }
}

extension RecordID: FieldValue {
  public static var fieldType: Field.ValueType { .string }
  public var fieldValue: Value { .string(text) }
  public init?(fieldValue: Value) {
    guard let value = fieldValue.string else { return nil }
    self.init(value)
  }
}

extension Optional: FieldValue where Wrapped: FieldValue {
  public static var fieldType: Field.ValueType { Wrapped.fieldType }
  public var fieldValue: Value { map(\.fieldValue) ?? .null }
  public init?(fieldValue: Value) {
    if fieldValue.isNull {
      self = .none
    } else {
      guard let value = Wrapped(fieldValue: fieldValue) else { return nil }
      self = value
    }
  }
}

extension Array: FieldValue where Element: FieldValue {
  public static var fieldType: Field.ValueType { .list }
  public var fieldValue: Value { .list(map(\.fieldValue)) }
  public init?(fieldValue: Value) {
    guard case .list(let values) = fieldValue else { return nil }
    self = []
    for value in values {
      guard let element = Element(fieldValue: value) else { return nil }
      append(element)
    }
  }
}

/// A field of type `set`: what two devices add at the same time both stays.
extension Set: FieldValue where Element: FieldValue {
  public static var fieldType: Field.ValueType { .set }
  public var fieldValue: Value {
    .list(
      map(\.fieldValue).sorted { $0.canonicalBytes.lexicographicallyPrecedes($1.canonicalBytes) })
  }
  public init?(fieldValue: Value) {
    guard let elements = [Element](fieldValue: fieldValue) else { return nil }
    self = Set(elements)
  }
}

extension Dictionary: FieldValue where Key == String, Value: FieldValue {
  public static var fieldType: Field.ValueType { .map }
  public var fieldValue: SyncKit.Value {
    .map(ValueMap(map { (FieldName($0.key), $0.value.fieldValue) }))
  }
  public init?(fieldValue: SyncKit.Value) {
    guard let members = fieldValue.map?.members else { return nil }
    self = [:]
    for member in members {
      guard let value = Value(fieldValue: member.value) else { return nil }
      self[member.name.text] = value
    }
  }
}
