/// The value of a setting, of one of the types that property lists have.
///
/// The type is part of the value: 1, 1.0 and true are three values, and an unset setting has none.
/// It is kept through every file format and through sync.
public indirect enum SettingValue: Hashable, Sendable {
  /// A truth value.
  case bool(Bool)
  /// An integer that has 64 bits with a sign.
  case int(Int64)
  /// A whole number beyond those of 64 bits with a sign.
  case uint(UInt64)
  /// A number in binary floating point.
  case double(Double)
  /// A number with more digits than a double or 64 bits have, as its text.
  case decimal(String)
  /// A text.
  case string(String)
  /// A word without quotes that readers of YAML take for values of different types, such as `yes`, or a
  /// date or time of TOML without an offset.
  case plain(String)
  /// Milliseconds since 1970.
  case date(milliseconds: Int64)
  /// Bytes.
  case data([UInt8])
  /// Nothing, within an array or a dictionary; a setting that is unset has no value at all.
  case null
  /// Values in their order.
  case array([SettingValue])
  /// Values by name.
  case dict([Member])

  /// A key of a dictionary and its value.
  public struct Member: Hashable, Sendable {
    /// The key.
    public var key: String
    /// Its value.
    public var value: SettingValue

    /// Makes a member.
    public init(_ key: String, _ value: SettingValue) {
      self.key = key
      self.value = value
    }
  }

  /// The name of a value's type, as documents and declarations have it.
  public enum Kind: String, Sendable, CaseIterable {
    /// A truth value.
    case bool
    /// An integer.
    case int
    /// An integer above those of 64 bits with a sign.
    case uint
    /// A number in binary floating point.
    case double
    /// A number with its decimal digits.
    case decimal
    /// A text.
    case string
    /// A word as it is written.
    case plain
    /// A date.
    case date
    /// Bytes.
    case data
    /// No value.
    case null
    /// Values in their order.
    case array
    /// Values by name.
    case dict
  }

  /// The type.
  public var kind: Kind {
    switch self {
    case .bool: .bool
    case .int: .int
    case .uint: .uint
    case .double: .double
    case .decimal: .decimal
    case .string: .string
    case .plain: .plain
    case .date: .date
    case .data: .data
    case .null: .null
    case .array: .array
    case .dict: .dict
    }
  }

  /// The text, if it is one.
  public var string: String? { if case .string(let text) = self { text } else { nil } }
  /// The truth value, if it is one.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  public static func == (left: SettingValue, right: SettingValue) -> Bool {
    left.stored == right.stored
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(stored) }
}
