public import SyncKit

/// A `Codable` type of an app that is one value of a field, such as an address.
///
/// ```swift
/// struct Address: CodableFieldValue {
///   var street = ""
///   var city = ""
/// }
/// ```
///
/// It is stored as a map by its coding keys, and merged as a whole: of two concurrent edits one shows, and members that this
/// version of the app does not know go with the next edit. What is edited in parts is better a field each, or records that
/// belong to the record.
///
/// Encoding must not fail: an integer that needs more than 64 bits with sign, or an `encode(to:)` that throws, ends the
/// program.
public protocol CodableFieldValue: FieldValue, Codable {}

extension CodableFieldValue {
  public static var fieldType: Field.ValueType { .map }
  public var fieldValue: Value {
    do {
      return try ValueEncoder.encode(self)
    } catch {
      preconditionFailure("\(Self.self) cannot be stored: \(error)")
    }
  }
  public init?(fieldValue: Value) {
    guard let value = try? ValueDecoder.decode(Self.self, from: fieldValue) else { return nil }
    self = value
  }
}

/// The key of an element of a list, and of a parent.
struct PositionKey: CodingKey {
  var stringValue: String
  var intValue: Int?

  init(_ position: Int) {
    stringValue = "\(position)"
    intValue = position
  }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { self.init(intValue) }

  /// Where Swift's coders put what a parent class encodes.
  static var parent: PositionKey {
    var key = PositionKey(0)
    (key.stringValue, key.intValue) = ("super", nil)
    return key
  }
}
