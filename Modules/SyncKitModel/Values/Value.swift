/// A value of a field: what can be stored, compared and merged as one unit.
///
/// Equality is by content to the byte: texts by UTF-8, doubles by bit pattern (every NaN is one,
/// and `-0` is not `0`), maps by their sorted members.
public enum Value: Sendable {
  /// Unset.
  case null
  /// A truth value.
  case bool(Bool)
  /// An integer.
  case int(Int64)
  /// A number in binary floating point.
  case double(Double)
  /// A text.
  case string(String)
  /// Bytes.
  case bytes([UInt8])
  /// Milliseconds since 1970.
  case instant(Int64)
  /// Values in their order.
  case list([Value])
  /// Values by name.
  case map(ValueMap)
}

/// The members of a map value, sorted by the bytes of their names, each name once.
public struct ValueMap: Hashable, Sendable {
  /// The members in order.
  public private(set) var members: [Member]

  /// One named value.
  public struct Member: Hashable, Sendable {
    /// The name within the map.
    public let name: FieldName
    /// Its value.
    public var value: Value
  }

  /// Makes a map; of two members with one name the last counts.
  public init(_ pairs: some Sequence<(FieldName, Value)>) {
    members = []
    for (name, value) in pairs { self[name] = value }
  }

  /// Makes an empty map.
  public init() { members = [] }

  /// A member's value, nil when there is none; setting nil removes the member.
  public subscript(name: FieldName) -> Value? {
    get {
      let index = insertionIndex(of: name)
      return index < members.count && members[index].name == name ? members[index].value : nil
    }
    set {
      let index = insertionIndex(of: name)
      let exists = index < members.count && members[index].name == name
      switch (newValue, exists) {
      case (let value?, true): members[index].value = value
      case (let value?, false): members.insert(Member(name: name, value: value), at: index)
      case (nil, true): members.remove(at: index)
      case (nil, false): break
      }
    }
  }

  private func insertionIndex(of name: FieldName) -> Int {
    var low = 0
    var high = members.count
    while low < high {
      let middle = (low + high) / 2
      if members[middle].name < name { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Value: Hashable {
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.double(let a), .double(let b)): a.canonicalBits == b.canonicalBits
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.bytes(let a), .bytes(let b)): a == b
    case (.instant(let a), .instant(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    case (.map(let a), .map(let b)): a == b
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(rank)
    switch self {
    case .null: break
    case .bool(let value): hasher.combine(value)
    case .int(let value), .instant(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value.canonicalBits)
    case .string(let value): value.hashBytes(into: &hasher)
    case .bytes(let value): hasher.combine(value)
    case .list(let value): hasher.combine(value)
    case .map(let value): hasher.combine(value)
    }
  }
}

extension Value {
  /// Whether the value means "unset".
  public var isNull: Bool { if case .null = self { true } else { false } }
  /// The text, if it is one.
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  /// The truth value, if it is one.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The integer, if it is one.
  public var int: Int64? { if case .int(let value) = self { value } else { nil } }
  /// Milliseconds since 1970, if it is an instant.
  public var instant: Int64? { if case .instant(let value) = self { value } else { nil } }
  /// The members, if it is a map.
  public var map: ValueMap? { if case .map(let value) = self { value } else { nil } }

  /// The place of the value's type in the total order.
  package var rank: UInt8 {
    switch self {
    case .null: 0
    case .bool: 1
    case .int: 2
    case .double: 3
    case .instant: 4
    case .string: 5
    case .bytes: 6
    case .list: 7
    case .map: 8
    }
  }

  /// A total order over all values, for `max` and `min`: null is least, integers and doubles
  /// compare as numbers with NaN behind all of them, other types by kind and then content.
  public static func precedes(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.bool(let a), .bool(let b)): return !a && b
    case (.int(let a), .int(let b)), (.instant(let a), .instant(let b)): return a < b
    case (.double(let a), .double(let b)): return numbersPrecede(a, b)
    case (.int(let a), .double(let b)):
      return Double(a) == b ? true : numbersPrecede(Double(a), b)
    case (.double(let a), .int(let b)):
      return a == Double(b) ? false : numbersPrecede(a, Double(b))
    case (.string(let a), .string(let b)): return a.utf8.lexicographicallyPrecedes(b.utf8)
    case (.bytes(let a), .bytes(let b)): return a.lexicographicallyPrecedes(b)
    case (.list(let a), .list(let b)): return a.lexicographicallyPrecedes(b, by: precedes)
    case (.map(let a), .map(let b)):
      return a.members.lexicographicallyPrecedes(b.members) {
        $0.name != $1.name ? $0.name < $1.name : precedes($0.value, $1.value)
      }
    default: return left.rank < right.rank
    }
  }

  private static func numbersPrecede(_ left: Double, _ right: Double) -> Bool {
    // By its bits NaN would stand between the positive and the negative numbers, and the order
    // would run in a circle.
    if left.isNaN || right.isNaN { return !left.isNaN }
    return left == right ? left.canonicalBits < right.canonicalBits : left < right
  }
}

extension Double {
  /// The bit pattern, with every NaN the same.
  var canonicalBits: UInt64 { isNaN ? Double.nan.bitPattern : bitPattern }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .int(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(arrayLiteral values: Value...) { self = .list(values) }
}
