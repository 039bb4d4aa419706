import SyncKitFormats
import Testing

struct DurationTextTests {
  @Test(
    arguments: [
      ("500ms", 500), ("1s", 1000), ("15m", 900_000), ("2h", 7_200_000), ("7d", 604_800_000),
      ("400d", 34_560_000_000), ("1h30m", 5_400_000), ("1d1h1m1s1ms", 90_061_001),
      ("1m500ms", 60_500),
      ("-1h30m", -5_400_000), ("0s", 0), ("106751991167d7h12m55s807ms", .max),
      ("-106751991167d7h12m55s808ms", .min),
    ] as [(String, Int64)])
  func `a span and its text belong together`(text: String, milliseconds: Int64) {
    #expect(DurationText.parse(text) == milliseconds)
    #expect(DurationText.format(milliseconds: milliseconds) == text)
  }

  @Test(
    arguments: [
      ("90m", 5_400_000), ("1500ms", 1500), ("0d", 0), ("0ms", 0), ("-0s", 0), ("007s", 7000),
      ("1h0m", 3_600_000), ("24h", 86_400_000), ("9223372036854775807ms", .max),
    ] as [(String, Int64)])
  func `reads spans that have a plainer text`(text: String, milliseconds: Int64) {
    #expect(DurationText.parse(text) == milliseconds)
  }

  @Test(arguments: [
    "", "-", "0", "15", "m", "ms", "1", "h1", "1 m", " 1m", "1m ", "1h 30m", "30m1h", "1m1m",
    "1ms1s", "1.5h",
    "1,5h", "1e3s", "+1s", "--1s", "1h-30m", "1H", "1M", "1min", "1w", "1y", "1us", "1µs", "٣m",
    "1m\u{301}",
    "1h30", "9223372036854775808ms", "106751991168d", "99999999999999999999s", "106751991167d8h",
  ])
  func `refuses other texts and spans beyond 64 bits`(text: String) {
    #expect(DurationText.parse(text) == nil)
  }

  @Test(arguments: 1...10)
  func `every span comes back`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let span = Int64(bitPattern: random.next()) >> Int64.random(in: 0...63, using: &random)
      #expect(DurationText.parse(DurationText.format(milliseconds: span)) == span)
    }
  }
}
