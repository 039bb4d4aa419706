/// One JSON value as RFC 8259 has it, for reading strictly and writing the same bytes each time.
///
/// Literals build values: `let value: JSON = ["name": "Bergen", "runways": [1, 2]]`.
///
/// ## What it promises
///
/// - **Nothing is guessed.** A whole number that fits 64 bits stays exact as ``int(_:)``; every other
///   number is a ``double(_:)`` and is written so that reading it back gives a double again.
/// - **Strings are their bytes.** Two strings are equal when their UTF-8 is, so `é` as one scalar and
///   `é` as two are different strings and different keys.
/// - **Order is kept but does not count.** An object keeps its members in the order they came;
///   two objects with the same members in another order are equal.
///
/// Source: [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259).
public enum JSON: Sendable {
  /// No value.
  case null
  /// A truth value.
  case bool(Bool)
  /// A number without a fraction that has 64 bits.
  case int(Int64)
  /// Any other number.
  case double(Double)
  /// A text.
  case string(String)
  /// Values in their order.
  case array([JSON])
  /// Values by key.
  case object(JSONObject)
}

// MARK: Looking inside

extension JSON {
  /// Whether the value is `null`.
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The truth value, or nil when this is something else.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The whole number, or nil when this is something else; `5.0` is not a whole number here.
  public var int: Int64? { if case .int(let value) = self { value } else { nil } }

  /// The number, or nil when this is something else; a whole number gives its nearest double.
  public var double: Double? {
    switch self {
    case .double(let value): value
    case .int(let value): Double(value)
    default: nil
    }
  }

  /// The string, or nil when this is something else.
  public var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The elements, or nil when this is something else.
  public var array: [JSON]? { if case .array(let value) = self { value } else { nil } }

  /// The object, or nil when this is something else.
  public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

  /// The member of that name, or nil when there is none or this is not an object.
  public subscript(key: String) -> JSON? { object?[key] }

  /// The element at that position, or nil when there is none or this is not an array.
  public subscript(index: Int) -> JSON? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}

extension JSON: Equatable {
  public static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }
}
