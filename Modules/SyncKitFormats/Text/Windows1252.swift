/// The encoding of western Windows, with Latin-1 as a part of it.
enum Windows1252 {
  /// The characters of bytes 80 to 9F; five of them are none.
  private static let scalars: [Unicode.Scalar?] = [
    "\u{20AC}", nil, "\u{201A}", "\u{0192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}",
    "\u{02C6}", "\u{2030}", "\u{0160}", "\u{2039}", "\u{0152}", nil, "\u{017D}", nil,
    nil, "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}",
    "\u{02DC}", "\u{2122}", "\u{0161}", "\u{203A}", "\u{0153}", nil, "\u{017E}", "\u{0178}",
  ]

  /// The text as UTF-8.
  static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      if byte < 0x80 { text.append(byte) } else { text += String(scalar(byte)).utf8 }
    }
    return text
  }

  /// Whether the bytes make words of western languages, as opposed to another encoding's.
  ///
  /// Other encodings show in a byte that has no character, in a sign or a capital within a word of
  /// small letters, and in four characters beyond ASCII in a row, which no western word has. One in ten
  /// such places is forgiven, as names of other languages stand in every table.
  static func isPlausible(_ bytes: [UInt8]) -> Bool {
    var (beyondASCII, odd) = (0, 0)
    var run = 0
    for place in bytes.indices {
      let kind = Kind(bytes[place])
      guard bytes[place] >= 0x80 else {
        run = 0
        continue
      }
      beyondASCII += 1
      run += 1
      let before = place > 0 ? Kind(bytes[place - 1]) : .other
      let after = place + 1 < bytes.count ? Kind(bytes[place + 1]) : .other
      switch kind {
      case .none: odd += 1
      case .sign where before.isInWord && after.isInWord: odd += 1
      case .capital where before == .small: odd += 1
      default: if run == 4 { odd += 4 } else if run > 4 { odd += 1 }
      }
    }
    return odd * 10 <= beyondASCII
  }

  private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
    (0x80...0x9F).contains(byte)
      ? scalars[Int(byte) - 0x80] ?? Unicode.Scalar(byte) : Unicode.Scalar(byte)
  }

  private enum Kind {
    case small, capital
    /// A sign that does not stand within a word, such as ¹ or ¿.
    case sign
    /// No character.
    case none
    /// Anything else: digits, space, and signs that do stand in words, such as the apostrophe.
    case other

    var isInWord: Bool { self == .small || self == .capital || self == .sign }

    init(_ byte: UInt8) {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): self = .small
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): self = .capital
      case 0..<0x80: self = .other
      case 0x81, 0x8D, 0x8F, 0x90, 0x9D: self = .none
      case 0x8A, 0x8C, 0x8E, 0x9F: self = .capital
      case 0x83, 0x9A, 0x9C, 0x9E: self = .small
      case 0x85, 0x91, 0x92, 0x96, 0x97, 0xA0, 0xAA, 0xAD, 0xB4, 0xB7, 0xBA: self = .other
      case 0xD7, 0xF7: self = .sign
      case 0xDF...0xFF: self = .small
      case 0xC0...0xDE: self = .capital
      default: self = .sign
      }
    }
  }
}
