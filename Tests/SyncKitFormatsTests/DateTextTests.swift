import SyncKitFormats
import Testing

struct DateTextTests {
  private func text(_ milliseconds: Int64?) -> String? {
    milliseconds.map { Timestamp.format(milliseconds: $0) }
  }

  @Test(arguments: [
    ("2026-03-01", "2026-03-01"), ("2024-02-29", "2024-02-29"), ("2026-02-29", nil),
    ("2026-3-01", nil), ("2026-03-01 ", nil), ("2026-13-01", nil), ("", nil), ("２026-03-01", nil),
  ])
  func `reads days that exist`(written: String, day: String?) {
    #expect(DateText.day(written)?.text == day)
  }

  @Test(arguments: [
    ("2026-03-01 17:04:03 +0100", "2026-03-01T16:04:03.000Z"),
    ("2026-03-01 00:04:03 +0530", "2026-02-28T18:34:03.000Z"),
    ("2026-03-01 17:04:03 -0800", "2026-03-02T01:04:03.000Z"), ("2026-03-01 17:04:03", nil),
    ("2026-03-01 24:04:03 +0100", nil), ("2026-03-01 17:04:03 +01:00", nil),
    ("2026-03-01 17:04:60 +0100", nil), ("2026-03-01 17:04:03 +0160", nil),
  ])
  func `reads times with an offset`(written: String, time: String?) {
    #expect(text(DateText.offsetTime(written)) == time)
  }

  @Test(arguments: [
    ("Mar 1, 2026, 5:04:03 PM", "2026-03-01T17:04:03.000Z"),
    ("Mar 1, 2026, 5:04:03\u{202F}PM", "2026-03-01T17:04:03.000Z"),
    ("Dec 31, 2025, 12:00:00 AM", "2025-12-31T00:00:00.000Z"),
    ("Dec 31, 2025, 12:30:00 PM", "2025-12-31T12:30:00.000Z"),
    ("Feb 29, 2024 at 5:04 PM", nil), ("Feb 29, 2024 5:04 am", "2024-02-29T05:04:00.000Z"),
    ("Feb 29, 2026, 5:04:03 PM", nil), ("Mar 1, 2026, 13:04:03 PM", nil),
    ("Mar 1, 2026, 0:04:03 AM", nil), ("Mar 1, 2026, 5:04:03", nil),
    ("März 1, 2026, 5:04:03 PM", nil),
  ])
  func `reads English times of twelve hours`(written: String, time: String?) {
    #expect(text(DateText.englishTime(written)) == time)
  }

  @Test(arguments: [
    ("Sun Mar 01 17:04:03 2026", "2026-03-01T17:04:03.000Z"),
    ("Sun Mar  1 07:04:03 2026", "2026-03-01T07:04:03.000Z"), ("Mon Mar  1 07:04:03 2026", nil),
    ("Sun Mar  1 07:04:03 2026 UTC", nil), ("Sun Feb 30 07:04:03 2026", nil),
  ])
  func `reads the times of C, if the day of the week is right`(written: String, time: String?) {
    #expect(text(DateText.asctime(written)) == time)
  }

  @Test func `reads seconds since 1970 and since 2001`() {
    #expect(DateText.unixSeconds(1_772_384_643.25) == 1_772_384_643_250)
    #expect(text(DateText.referenceSeconds(0)) == "2001-01-01T00:00:00.000Z")
    for seconds in [Double.nan, .infinity, 1e300, -1e12, 1e12] {
      #expect(DateText.unixSeconds(seconds) == nil)
      #expect(DateText.referenceSeconds(seconds) == nil)
    }
  }

  @Test func `knows the day of the week`() {
    #expect(CivilDate(year: 1970, month: 1, day: 1)?.weekday == 4)
    #expect(CivilDate(year: 2026, month: 3, day: 1)?.weekday == 7)
    #expect(CivilDate(year: 0, month: 1, day: 1)?.weekday == 6)
    #expect(CivilDate(daysSince1970: .max).text == "9999-12-31")
    #expect(CivilDate(daysSince1970: .min).text == "0000-01-01")
  }

  @Test(arguments: 1...10)
  func `never traps on damaged text`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let good = [
      "2026-03-01 17:04:03 +0100", "Mar 1, 2026, 5:04:03\u{202F}PM", "Sun Mar  1 07:04:03 2026",
    ]
    for _ in 0..<300 {
      var bytes = Array((good.randomElement(using: &random) ?? "").utf8)
      bytes[Int.random(in: bytes.indices, using: &random)] = .random(
        in: 0x20...0x7E, using: &random)
      let text = String(decoding: bytes, as: UTF8.self)
      _ = DateText.day(text)
      let times = [DateText.offsetTime(text), DateText.englishTime(text), DateText.asctime(text)]
      #expect(times.compactMap { $0 }.count <= 1)
    }
  }
}
