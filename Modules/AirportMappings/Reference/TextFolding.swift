/// Makes text comparable: small ASCII letters and digits, one space between words.
///
/// Marks and apostrophes vanish, other signs separate words: `O'Hare` becomes `ohare`, `São Paulo`
/// becomes `sao paulo`. A letter without a known folding becomes a byte of its own, so
/// that a query in another script finds nothing rather than everything.
struct TextFolding: Sendable {
  private static let unknown: UInt8 = 0x7F
  private static let space: UInt8 = 0x20
  private static let entrySize = 5
  private let entries: [UInt8]

  /// Reads the section of foldings; nil if it breaks its format.
  init?(_ section: ReferenceSection) {
    entries = section.bytes
    guard entries.count.isMultiple(of: Self.entrySize),
      stride(from: 2, to: entries.count, by: Self.entrySize).allSatisfy({ entries[$0] <= 2 })
    else { return nil }
  }

  /// The words of a text.
  func words(_ text: String) -> [ArraySlice<UInt8>] {
    var folded: [UInt8] = []
    append(text.utf8, to: &folded)
    return folded.split(separator: Self.space)
  }

  /// Adds UTF-8 bytes, folded, to those that are there already, after a space unless at the start.
  func append(_ text: some Collection<UInt8>, to folded: inout [UInt8]) {
    separate(&folded)
    if text.allSatisfy({ $0 < 0x80 }) {
      for byte in text { append(ascii: byte, to: &folded) }
      return
    }
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      if scalar.isASCII {
        append(ascii: UInt8(truncatingIfNeeded: scalar.value), to: &folded)
      } else if let replacement = replacement(scalar) {
        for byte in replacement { append(ascii: byte, to: &folded) }
      } else if scalar.properties.isWhitespace {
        separate(&folded)
      } else {
        folded.append(Self.unknown)
      }
    }
  }

  private func append(ascii byte: UInt8, to folded: inout [UInt8]) {
    switch byte {
    case 0x61...0x7A, 0x30...0x39: folded.append(byte)
    case 0x41...0x5A: folded.append(byte + 0x20)
    case 0x27, 0x60: break
    default: separate(&folded)
    }
  }

  private func separate(_ folded: inout [UInt8]) {
    if let last = folded.last, last != Self.space { folded.append(Self.space) }
  }

  private func replacement(_ scalar: Unicode.Scalar) -> ArraySlice<UInt8>? {
    var (low, high) = (0, entries.count / Self.entrySize)
    while low < high {
      let middle = (low + high) / 2
      let entry = middle * Self.entrySize
      let found = UInt32(entries[entry]) | UInt32(entries[entry + 1]) << 8
      if found == scalar.value {
        return entries[entry + 3..<entry + 3 + Int(entries[entry + 2])]
      }
      if found < scalar.value { low = middle + 1 } else { high = middle }
    }
    return nil
  }
}
