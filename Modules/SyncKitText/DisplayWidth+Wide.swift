extension DisplayWidth {
  /// Whether the scalar on its own takes two columns.
  static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x1100 else { return false }
    if scalar.properties.isEmojiPresentation { return !(0x1F1E6...0x1F1FF ~= scalar.value) }
    var range = wideRanges[...]
    while let middle = range.indices.middle {
      if wideRanges[middle].contains(scalar.value) { return true }
      range =
        scalar.value < wideRanges[middle].lowerBound ? range[..<middle] : range[(middle + 1)...]
    }
    return false
  }

  /// The scalars of East Asian width W and F that are not emoji; gaps between them that Unicode has not
  /// assigned are closed.
  ///
  /// Source: [EastAsianWidth.txt](https://www.unicode.org/Public/17.0.0/ucd/EastAsianWidth.txt).
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F,  // Hangul initial consonants
    0x2329...0x232A,  // angle brackets
    0x2630...0x2637,  // trigrams
    0x268A...0x268F,  // monograms and digrams
    0x2E80...0x303E,  // radicals, ideographic punctuation
    0x3041...0x3247,  // kana, bopomofo, Hangul letters, enclosed ideographs
    0x3250...0xA4C6,  // ideographs, hexagrams, Yi
    0xA960...0xA97C,  // old Hangul initial consonants
    0xAC00...0xD7A3,  // Hangul syllables
    0xF900...0xFAFF,  // compatibility ideographs
    0xFE10...0xFE19,  // vertical punctuation
    0xFE30...0xFE6B,  // compatibility and small forms
    0xFF01...0xFF60,  // full-width forms
    0xFFE0...0xFFE6,  // full-width signs
    0x16FE0...0x16FF6,  // ideographic symbols
    0x17000...0x18DF2,  // Tangut, Khitan
    0x1AFF0...0x1B2FB,  // kana extensions, Nüshu
    0x1D300...0x1D356,  // tetragrams of the Supreme Mystery
    0x1D360...0x1D376,  // counting rods
    0x1F200...0x1F265,  // enclosed ideographs
    0x20000...0x2FFFD,  // ideographs, supplementary plane
    0x30000...0x3FFFD,  // ideographs, tertiary plane
  ]
}

extension Range<Int> {
  fileprivate var middle: Int? { isEmpty ? nil : lowerBound + count / 2 }
}
