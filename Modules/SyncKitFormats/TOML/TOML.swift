/// One value of a TOML document, with its type.
///
/// Whole numbers, floats and the four kinds of dates are kept apart. A table keeps its keys in the
/// order they were written, tables that are defined later at the end.
///
/// Source: [TOML 1.0.0](https://toml.io/en/v1.0.0).
public indirect enum TOML: Sendable, Hashable {
  /// A truth value.
  case bool(Bool)
  /// An integer.
  case int(Int64)
  /// A whole number beyond 64 bits, which the format does not promise.
  case whole(String)
  /// A float.
  case double(Double)
  /// A text.
  case string(String)
  /// A point in time, in milliseconds since 1970.
  case dateTime(milliseconds: Int64)
  /// A date, a time, or both without an offset, as it was written.
  case local(String)
  /// Values in their order.
  case array([TOML])
  /// Values by key.
  case table(TOMLTable)
}

/// The keys of a table and their values, in order.
public struct TOMLTable: Sendable, Hashable {
  /// A key and its value.
  public struct Member: Sendable, Hashable {
    /// The key.
    public var key: String
    /// What belongs to it.
    public var value: TOML
  }

  /// Every member, in order.
  public private(set) var members: [Member] = []
  private var positions: [ExactText: Int] = [:]

  /// Makes a table without keys.
  public init() {}

  /// Makes a table; when a key appears twice, the later value takes the earlier position.
  public init(_ members: some Sequence<(String, TOML)>) {
    for (key, value) in members { self[key] = value }
  }

  /// The value of a key, nil when there is none; a new key goes last, nil does nothing.
  public subscript(key: String) -> TOML? {
    get { positions[ExactText(key)].map { members[$0].value } }
    set {
      guard let newValue else { return }
      if let position = positions[ExactText(key)] {
        members[position].value = newValue
      } else {
        positions[ExactText(key)] = members.count
        members.append(Member(key: key, value: newValue))
      }
    }
  }

  public static func == (left: TOMLTable, right: TOMLTable) -> Bool {
    left.members == right.members
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(members) }
}

/// Why bytes are not the TOML they should be, and where.
///
/// Trying again does not help; the text has to change.
public struct TOMLError: Error, Equatable, Sendable {
  /// The line, from 1.
  public var line: Int
  /// The column in that line, from 1, counted in Unicode scalars.
  public var column: Int
  /// What is wrong, in words, without a full stop.
  public var message: String
}

extension TOMLError: CustomStringConvertible {
  public var description: String { "line \(line), column \(column): \(message)" }
}
