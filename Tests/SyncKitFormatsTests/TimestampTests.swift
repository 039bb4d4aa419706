import SyncKitFormats
import Testing

struct TimestampTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (1, "1970-01-01T00:00:00.001Z"),
      (951_782_399_999, "2000-02-28T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (951_868_800_000, "2000-03-01T00:00:00.000Z"),
      (1_795_222_923_456, "2026-11-21T01:02:03.456Z"),
      (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"),
      (-2_203_891_200_001, "1900-02-28T23:59:59.999Z"),
      (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
      (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
      (1_735_689_599_999, "2024-12-31T23:59:59.999Z"),
      (1_735_689_600_000, "2025-01-01T00:00:00.000Z"),
      (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
      (-62_162_121_600_000, "0000-02-29T00:00:00.000Z"),
      (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ] as [(Int64, String)])
  func `a point in time and its text belong together`(milliseconds: Int64, text: String) {
    #expect(Timestamp.format(milliseconds: milliseconds) == text)
    #expect(Timestamp.parse(text) == milliseconds)
  }

  @Test func `points beyond four-digit years give the text of the limit`() {
    let first = "0000-01-01T00:00:00.000Z"
    let last = "9999-12-31T23:59:59.999Z"
    #expect(Timestamp.format(milliseconds: Timestamp.earliest - 1) == first)
    #expect(Timestamp.format(milliseconds: .min) == first)
    #expect(Timestamp.format(milliseconds: Timestamp.latest + 1) == last)
    #expect(Timestamp.format(milliseconds: .max) == last)
  }

  @Test(arguments: [
    ("2026-11-01", "2026-11-01T00:00:00.000Z"), ("2024-02-29", "2024-02-29T00:00:00.000Z"),
    ("2026-11-21t01:02:03z", "2026-11-21T01:02:03.000Z"),
    ("2026-11-21 01:02:03Z", "2026-11-21T01:02:03.000Z"),
    ("2026-11-21T01:02:03.4Z", "2026-11-21T01:02:03.400Z"),
    ("2026-11-21T01:02:03.45Z", "2026-11-21T01:02:03.450Z"),
    ("2026-11-21T01:02:03.456999999Z", "2026-11-21T01:02:03.456Z"),
    ("1969-12-31T23:59:59.9999Z", "1969-12-31T23:59:59.999Z"),
    ("2026-11-21T01:02:03+05:30", "2026-11-20T19:32:03.000Z"),
    ("2026-12-31T23:30:00-01:00", "2027-01-01T00:30:00.000Z"),
    ("2024-03-01T00:30:00+01:00", "2024-02-29T23:30:00.000Z"),
    ("2026-11-21T01:02:03-00:00", "2026-11-21T01:02:03.000Z"),
    ("2026-11-21T01:02:03.5+23:59", "2026-11-20T01:03:03.500Z"),
    ("1985-04-12T23:20:50.52Z", "1985-04-12T23:20:50.520Z"),
    ("1996-12-19T16:39:57-08:00", "1996-12-20T00:39:57.000Z"),
    ("1990-12-31T23:59:60Z", "1991-01-01T00:00:00.000Z"),
    ("1990-12-31T15:59:60.25-08:00", "1991-01-01T00:00:00.250Z"),
    ("1937-01-01T12:00:27.87+00:20", "1937-01-01T11:40:27.870Z"),
  ])
  func `reads what the standard allows`(text: String, expected: String) throws {
    let milliseconds = try #require(Timestamp.parse(text))
    #expect(Timestamp.format(milliseconds: milliseconds) == expected)
  }

  @Test(arguments: [
    "", "2026", "2026-11", "2026-11-", "2026-1-01", "2026-11-1", "20261101", "26-11-01",
    "+2026-11-01",
    "-2026-11-01", "12026-11-01", "2026-00-01", "2026-13-01", "2026-11-00", "2026-11-31",
    "2026-12-32",
    "2026-02-29", "1900-02-29", "2100-02-29", "2024-02-30", "2026/11/01", " 2026-11-01",
    "2026-11-01 ",
    "2026-11-01Z", "2026-11-01T", "2026-11-21T01:02:03", "2026-11-21T01:02Z", "2026-11-21T1:02:03Z",
    "2026-11-21T24:00:00Z", "2026-11-21T01:60:00Z", "2026-11-21T01:02:61Z", "2026-11-21T01:02:60Z",
    "2026-11-21T23:59:60Z", "2026-11-30T23:59:60-01:00", "2026-11-21T01:02:03.Z",
    "2026-11-21T01:02:03,5Z",
    "2026-11-21T01:02:03.1234567890Z", "2026-11-21T01:02:03+24:00", "2026-11-21T01:02:03+05:60",
    "2026-11-21T01:02:03+0530", "2026-11-21T01:02:03+05", "2026-11-21T01:02:03 Z",
    "2026-11-21T01:02:03ZZ",
    "2026-11-21T01:02:03Zx", "2026-11-21_01:02:03Z", "2026-11-21  01:02:03Z",
    "2026-11-21T-1:02:03Z",
    "２０２６-11-01", "2026-11-21T01:02:03.٤Z", "2026-11-21T01:02:03−05:00", "now",
    "2026-11-21T01:02:03.456",
  ])
  func `refuses other texts and impossible dates`(text: String) {
    #expect(Timestamp.parse(text) == nil)
  }

  @Test func `every day of four centuries follows the one before`() {
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var milliseconds: Int64 = -11_676_096_000_000
    for year in 1600..<2000 {
      for (month, length) in lengths.enumerated() {
        let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
        for day in 1...(month == 1 && isLeap ? 29 : length) where day < 3 || day > 27 {
          let days = Int64(day - 1) * 86_400_000
          let text = "\(year)-\(pad(month + 1))-\(pad(day))"
          #expect(Timestamp.parse(text) == milliseconds + days)
        }
        milliseconds += Int64(month == 1 && isLeap ? 29 : length) * 86_400_000
      }
    }
    #expect(milliseconds == 946_684_800_000)
  }

  @Test(arguments: 1...10)
  func `every millisecond comes back and texts sort as their times`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<1000 {
      let first = Int64.random(in: Timestamp.earliest...Timestamp.latest, using: &random)
      let second = Int64.random(in: Timestamp.earliest...Timestamp.latest, using: &random)
      let texts = [first, second].map { Timestamp.format(milliseconds: $0) }
      #expect(texts.map { Timestamp.parse($0) } == [first, second])
      #expect((texts[0] < texts[1]) == (first < second))
    }
  }

  private func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
