public import SyncKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An instant, to the millisecond.
extension Date: FieldValue {
  public static var fieldType: Field.ValueType { .instant }
  public var fieldValue: Value {
    let milliseconds = (timeIntervalSince1970 * 1_000).rounded()
    // What no calendar has counts as the end of time.
    return .instant(Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max))
  }
  public init?(fieldValue: Value) {
    guard let milliseconds = fieldValue.instant else { return nil }
    self.init(timeIntervalSince1970: Double(milliseconds) / 1_000)
  }
}

extension Data: FieldValue {
  public static var fieldType: Field.ValueType { .bytes }
  public var fieldValue: Value { .bytes(Array(self)) }
  public init?(fieldValue: Value) {
    guard case .bytes(let bytes) = fieldValue else { return nil }
    self.init(bytes)
  }
}

/// A text in lower case.
extension UUID: FieldValue {
  public static var fieldType: Field.ValueType { .string }
  public var fieldValue: Value { .string(uuidString.lowercased()) }
  public init?(fieldValue: Value) {
    guard let value = fieldValue.string.flatMap(UUID.init(uuidString:)) else { return nil }
    self = value
  }
}

extension URL: FieldValue {
  public static var fieldType: Field.ValueType { .string }
  public var fieldValue: Value { .string(absoluteString) }
  public init?(fieldValue: Value) {
    guard let value = fieldValue.string.flatMap(URL.init(string:)) else { return nil }
    self = value
  }
}
