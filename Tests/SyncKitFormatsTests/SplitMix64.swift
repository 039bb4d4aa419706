/// A small generator of numbers that are the same for the same seed.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension SplitMix64 {
  /// A string of up to that many characters, with what tends to break formats well represented.
  mutating func text(upTo length: Int) -> String {
    let awkward: [Unicode.Scalar] = [
      "\"", ",", ";", "\n", "\r", "\t", "\\", "/", " ", "'", "\0", "\u{1F}", "\u{7F}", "\u{85}",
      "é",
      "\u{301}", "\u{FEFF}", "\u{2028}", "\u{FFFD}", "\u{FFFF}", "漢", "👩", "\u{200D}", "\u{10FFFF}",
    ].map { $0.unicodeScalars.first ?? " " }
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...length, using: &self) {
      if Bool.random(using: &self), let scalar = awkward.randomElement(using: &self) {
        text.append(scalar)
      } else if let scalar = Unicode.Scalar(UInt32.random(in: 0x20...0x2FF, using: &self)) {
        text.append(scalar)
      }
    }
    return String(text)
  }
}
