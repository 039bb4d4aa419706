/// The types of a field's bytes, by their numbers in a definition.
///
/// Source: the [FIT protocol](https://developer.garmin.com/fit/protocol/), "base types".
enum FITBaseType: UInt8 {
  case enumeration = 0x00
  case int8 = 0x01
  case uint8 = 0x02
  case int16 = 0x83
  case uint16 = 0x84
  case int32 = 0x85
  case uint32 = 0x86
  case string = 0x07
  case float32 = 0x88
  case float64 = 0x89
  case uint8z = 0x0A
  case uint16z = 0x8B
  case uint32z = 0x8C
  case byte = 0x0D
  case int64 = 0x8E
  case uint64 = 0x8F
  case uint64z = 0x90

  /// The size of one value in bytes.
  var size: Int {
    switch self {
    case .enumeration, .int8, .uint8, .string, .uint8z, .byte: 1
    case .int16, .uint16, .uint16z: 2
    case .int32, .uint32, .float32, .uint32z: 4
    case .float64, .int64, .uint64, .uint64z: 8
    }
  }

  /// Reads the first value of a field; nil when the device marks it as absent.
  func value(of bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> FITValue? {
    if self == .string {
      let text = bytes.prefix { $0 != 0 }
      return text.isEmpty ? nil : .text(String(decoding: text, as: UTF8.self))
    }
    guard bytes.count >= size else { return nil }
    let first = bytes.prefix(size)
    let ordered = isBigEndian ? Array(first) : first.reversed()
    let raw = ordered.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let all: UInt64 = size == 8 ? .max : (1 << UInt64(size * 8)) - 1
    switch self {
    case .enumeration, .uint8, .uint16, .uint32, .byte, .uint64:
      return raw == all ? nil : .unsigned(raw)
    case .uint8z, .uint16z, .uint32z, .uint64z:
      return raw == 0 ? nil : .unsigned(raw)
    case .int8, .int16, .int32, .int64:
      guard raw != all >> 1 else { return nil }
      let shift = UInt64(64 - size * 8)
      return .signed(Int64(bitPattern: raw << shift) >> Int64(shift))
    case .float32:
      let value = Double(Float(bitPattern: UInt32(truncatingIfNeeded: raw)))
      return raw == all || !value.isFinite ? nil : .real(value)
    case .float64:
      let value = Double(bitPattern: raw)
      return raw == all || !value.isFinite ? nil : .real(value)
    case .string: return nil
    }
  }
}

/// A value of a field.
enum FITValue: Equatable, Sendable {
  case unsigned(UInt64)
  case signed(Int64)
  case real(Double)
  case text(String)

  /// The value as a number.
  var number: Double? {
    switch self {
    case .unsigned(let value): Double(value)
    case .signed(let value): Double(value)
    case .real(let value): value
    case .text: nil
    }
  }

  /// The value as a whole number that fits.
  var whole: Int64? {
    switch self {
    case .unsigned(let value): Int64(exactly: value)
    case .signed(let value): value
    case .real, .text: nil
    }
  }

  /// The value as a text.
  var text: String? { if case .text(let text) = self { text } else { nil } }
}
