import SyncKitModel

/// Values as bytes that are in the order in which queries compare them.
///
/// Unset comes first, then truth values, numbers, instants, texts, bytes, lists and maps. Integers and doubles are one
/// line of numbers. No encoding is the beginning of another one, so that several can stand behind each other.
/// Documented in Documentation/Formats/Store.md.
package enum SortKey {
  /// The first byte of what is not unset.
  static let anySet: UInt8 = 2

  package static func encode(_ value: Value) -> [UInt8] {
    var bytes: [UInt8] = []
    append(value, to: &bytes)
    return bytes
  }

  /// The beginning of all texts with this one at their beginning.
  static func beginning(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = [5]
    append(escaping: text.utf8, to: &bytes)
    return bytes
  }

  static func append(_ value: Value, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(1)
    case .bool(let value): bytes += [2, value ? 1 : 0]
    case .int(let value):
      bytes.append(3)
      append(Double(value), exactly: value, to: &bytes)
    case .double(let value):
      bytes.append(3)
      append(value, exactly: Int64(exactly: value) ?? (value < 0 ? .min : .max), to: &bytes)
    case .instant(let value):
      bytes.append(4)
      bytes += (UInt64(bitPattern: value) ^ (1 << 63)).bigEndianBytes
    case .string(let text):
      bytes.append(5)
      append(escaping: text.utf8, to: &bytes)
      bytes += end
    case .bytes(let content):
      bytes.append(6)
      append(escaping: content, to: &bytes)
      bytes += end
    case .list(let values):
      bytes.append(7)
      for value in values { append(value, to: &bytes) }
      bytes.append(0)
    case .map(let map):
      bytes.append(8)
      for member in map.members {
        bytes.append(1)
        append(escaping: member.name.text.utf8, to: &bytes)
        bytes += end
        append(member.value, to: &bytes)
      }
      bytes.append(0)
    }
  }

  /// A number: its double, and where doubles are sparser than integers the integer as well.
  private static func append(_ value: Double, exactly integer: Int64, to bytes: inout [UInt8]) {
    let value = value == 0 ? 0 : value
    let bits = value.isNaN ? UInt64.max >> 1 : value.bitPattern
    bytes += (bits >> 63 == 0 ? bits | 1 << 63 : ~bits).bigEndianBytes
    if value.magnitude >= 0x1p53 {
      bytes += (UInt64(bitPattern: integer) ^ (1 << 63)).bigEndianBytes
    }
  }

  /// Ends what is escaped.
  private static let end: [UInt8] = [0, 0]

  /// After a zero comes a byte that no end has.
  private static func append(escaping content: some Sequence<UInt8>, to bytes: inout [UInt8]) {
    for byte in content {
      bytes.append(byte)
      if byte == 0 { bytes.append(0xFF) }
    }
  }
}

extension Value {
  /// Whether a query puts one value before another.
  package static func sorts(_ left: Value, before right: Value) -> Bool {
    switch (left, right) {
    case (.int(let left), .int(let right)): left < right
    case (.instant(let left), .instant(let right)): left < right
    case (.string(let left), .string(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    default: SortKey.encode(left).precedes(SortKey.encode(right))
    }
  }

  /// Whether two values are the same for a query: 1 and 1.0 are.
  package static func sortsEqual(_ left: Value, _ right: Value) -> Bool {
    left == right || SortKey.encode(left) == SortKey.encode(right)
  }
}
