import SyncKitTesting

/// Changes good inputs at random: for builds without coverage.
struct Mutator {
  private var random: SeededRandom
  private let corpus: [[UInt8]]
  /// Text that parsers treat specially.
  private static let tokens = [
    "\u{0}", "\u{FF}", "-1", "9223372036854775808", "1e999", "\u{FEFF}", "\r\n", "\"", "]]>",
    "&#0;",
    "\\ud800", "{}", "[[[[[[[[", "null", "%00", "../", "\u{301}", "0x7fffffff",
  ].map { Array($0.utf8) }

  init(corpus: [[UInt8]], seed: UInt64) {
    random = SeededRandom(seed: seed)
    self.corpus = corpus.isEmpty ? [[]] : corpus
  }

  /// The next input.
  mutating func next() -> [UInt8] {
    var bytes = corpus[below(corpus.count)]
    for _ in 0...below(6) { change(&bytes) }
    if bytes.count > 1 << 16 { bytes.removeLast(bytes.count - (1 << 16)) }
    return bytes
  }

  private mutating func below(_ limit: Int) -> Int {
    limit < 2 ? 0 : Int(random.next() % UInt64(limit))
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    let place = below(bytes.count + 1)
    switch below(9) {
    case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(below(8))
    case 1 where place < bytes.count: bytes[place] = UInt8(below(256))
    case 2: bytes.insert(UInt8(below(256)), at: place)
    case 3: bytes.removeSubrange(place..<min(bytes.count, place + 1 + below(8)))
    case 4: bytes.insert(contentsOf: Self.tokens[below(Self.tokens.count)], at: place)
    case 5: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + below(64))], at: place)
    case 6: bytes.removeSubrange(place...)
    case 7:
      let other = corpus[below(corpus.count)]
      let start = below(other.count + 1)
      bytes.replaceSubrange(place..., with: other[start...])
    default:
      // A number of several bytes at its edges.
      for index in place..<min(bytes.count, place + 4) {
        bytes[index] = below(2) == 0 ? 0xFF : 0x7F
      }
    }
  }
}
