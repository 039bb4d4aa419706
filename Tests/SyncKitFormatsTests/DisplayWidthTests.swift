import SyncKitFormats
import Testing

struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("Ålesund", 7), ("e\u{301}", 1), ("日本", 4), ("ｱ", 1), ("Ａ", 2), ("한국", 4),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("ไทย", 3), ("น้ำ", 2), ("กิ", 1), ("א\u{5B8}", 1), ("👍", 2),
    ("👍🏽", 2), ("👩‍👩‍👧‍👦", 2), ("🏳️‍🌈", 2), ("🇳🇴", 2), ("🇳🇴🇸🇪", 4), ("❤", 1), ("❤️", 2), ("1️⃣", 2),
    ("✈", 1), ("⌚", 2), ("…", 1), ("a\u{200B}b", 2), ("a\u{200D}b", 2), ("\u{FEFF}a", 1),
    ("a\u{AD}b", 3),
    ("│─", 2), ("αβγ", 3), ("\u{20000}", 2), ("\u{1FAE9}", 2), ("\u{4DC0}", 2), ("\u{E000}", 1),
    ("\u{303F}", 1),
    ("\u{1F1E6}", 1), ("½°", 2), ("\u{0301}", 0), ("a\u{20DD}", 1),
  ])
  func `counts the columns of a terminal`(text: String, columns: Int) {
    #expect(DisplayWidth.columns(of: text) == columns)
  }

  @Test(arguments: [
    ("plain é 漢", "plain é 漢"), ("\u{1B}[31mred\u{1B}[0m", "\u{FFFD}[31mred\u{FFFD}[0m"),
    ("a\tb\nc\r\nd", "a\u{FFFD}b\u{FFFD}c\u{FFFD}\u{FFFD}d"),
    ("\u{0}\u{7F}\u{9B}2J", "\u{FFFD}\u{FFFD}\u{FFFD}2J"),
    ("a\u{2028}b\u{2029}", "a\u{FFFD}b\u{FFFD}"), ("\u{202E}cba\u{2069}", "\u{FFFD}cba\u{FFFD}"),
    ("👩‍👧\u{200F}", "👩‍👧\u{200F}"), ("\u{1B}]8;;x\u{7}", "\u{FFFD}]8;;x\u{FFFD}"),
  ])
  func `shows what could steer the terminal as a replacement character`(text: String, shown: String)
  {
    #expect(DisplayWidth.sanitized(text) == shown)
  }

  @Test(arguments: [
    ("Bergen", 6, "Bergen"), ("Bergen", 5, "Berg…"), ("Bergen", 1, "…"), ("Bergen", 0, ""),
    ("Bergen", -1, ""),
    ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("👩‍👧👩‍👧", 3, "👩‍👧…"), ("", 0, ""),
  ])
  func `cuts between characters to fit`(text: String, limit: Int, result: String) {
    #expect(DisplayWidth.truncated(text, to: limit) == result)
  }

  @Test func `fills up to a width`() {
    #expect(DisplayWidth.padded("日本", to: 6) == "日本  ")
    #expect(DisplayWidth.padded("Bergen", to: 3) == "Bergen")
    #expect(DisplayWidth.padded("", to: -3) == "")
  }

  @Test(arguments: 1...20)
  func `a text and its safe form take the same columns, and cutting keeps the limit`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let text = random.text(upTo: 12)
      let safe = DisplayWidth.sanitized(text)
      let limit = Int.random(in: 0...12, using: &random)
      #expect(DisplayWidth.columns(of: safe) == DisplayWidth.columns(of: text))
      #expect(DisplayWidth.sanitized(safe) == safe)
      #expect(DisplayWidth.columns(of: DisplayWidth.truncated(safe, to: limit)) <= limit)
      #expect(!safe.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }
  }
}
