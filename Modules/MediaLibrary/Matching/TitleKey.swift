/// A title in the form for comparing: small letters and digits without accents, one space between
/// words.
///
/// `Amélie` and `AMELIE` are the same, and so are `WALL·E` and `wall e`; `&` is `and`, and apostrophes
/// vanish. Letters of other scripts stay as they are, in lower case. Ids of imported records are made
/// from it, so it never changes.
struct TitleKey: Hashable, Sendable {
  /// The folded title; empty when it has no letter or digit.
  let text: String

  /// Folds a title.
  init(_ title: String) { text = Self.foldedASCII(title) ?? Self.folded(title) }

  /// Most titles have nothing beyond ASCII, and need no tables; nil for others.
  private static func foldedASCII(_ title: String) -> String? {
    var folded: [UInt8] = []
    folded.reserveCapacity(title.utf8.count + 4)
    var isApart = false
    func add(_ byte: UInt8) {
      if isApart, !folded.isEmpty { folded.append(UInt8(ascii: " ")) }
      isApart = false
      folded.append(byte)
    }
    for byte in title.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): add(byte)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): add(byte | 0x20)
      case UInt8(ascii: "'"), UInt8(ascii: "`"): continue
      case UInt8(ascii: "&"):
        isApart = true
        for letter in "and".utf8 { add(letter) }
        isApart = true
      case 0x80...: return nil
      default: isApart = true
      }
    }
    return String(decoding: folded, as: UTF8.self)
  }

  private static func folded(_ title: String) -> String {
    var folded = String.UnicodeScalarView()
    var isApart = false
    func add(_ scalars: some Sequence<Unicode.Scalar>) {
      if isApart, !folded.isEmpty { folded.append(" ") }
      isApart = false
      folded.append(contentsOf: scalars)
    }
    for scalar in title.unicodeScalars {
      if scalar == "&" {
        isApart = true
        add("and".unicodeScalars)
        isApart = true
      } else if Self.vanishing.contains(scalar) {
        continue
      } else if let base = Self.bases[scalar] {
        add(base.unicodeScalars)
      } else {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: continue
        case .uppercaseLetter, .titlecaseLetter:
          // The lower case of a capital may have its own base, and Turkish dots are marks.
          for small in scalar.properties.lowercaseMapping.unicodeScalars
          where small.properties.generalCategory != .nonspacingMark {
            if let base = Self.bases[small] { add(base.unicodeScalars) } else { add([small]) }
          }
        case .lowercaseLetter, .modifierLetter, .otherLetter, .decimalNumber, .letterNumber,
          .otherNumber, .spacingMark:
          add([scalar])
        default: isApart = true
        }
      }
    }
    return String(folded)
  }

  private static let vanishing: Set<Unicode.Scalar> = [
    "'", "\u{2019}", "\u{2018}", "\u{02BC}", "`",
  ]

  /// Small Latin letters with a mark, and their forms without it.
  private static let bases: [Unicode.Scalar: String] = {
    let rows = [
      ("a", "àáâãäåāăąǎ"), ("ae", "æ"), ("c", "çćĉċč"), ("d", "ďđð"), ("e", "èéêëēĕėęě"),
      ("g", "ĝğġģ"), ("h", "ĥħ"), ("i", "ìíîïĩīĭįıǐ"), ("j", "ĵ"), ("k", "ķ"), ("l", "ĺļľŀł"),
      ("n", "ñńņňŋ"), ("o", "òóôõöøōŏőǒ"), ("oe", "œ"), ("r", "ŕŗř"), ("s", "śŝşšș"),
      ("ss", "ß"), ("t", "ţťŧț"), ("th", "þ"), ("u", "ùúûüũūŭůűųǔ"), ("w", "ŵ"), ("y", "ýÿŷ"),
      ("z", "źżž"), ("2", "²"), ("3", "³"),
    ]
    var bases: [Unicode.Scalar: String] = [:]
    for (base, letters) in rows {
      for letter in letters.unicodeScalars { bases[letter] = base }
    }
    return bases
  }()
}
