import Testing

@testable import HealthRecords

struct HealthDateTests {
  @Test(arguments: [
    ("2024", "2024"), ("2024-01", "2024-01"), (" 2024-01-15 ", "2024-01-15"),
    ("2024-01-15T10:30:00Z", "2024-01-15T10:30:00Z"),
    ("2024-01-15 10:30", "2024-01-15T10:30:00Z"),
    ("2024-01-15t10:30:00.000z", "2024-01-15T10:30:00Z"),
    ("2024-01-15T10:30:00.250+01:00", "2024-01-15T10:30:00.250+01:00"),
    ("2023-01-05 08:12:00 +0100", "2023-01-05T08:12:00+01:00"),
    ("2024-01-15T10:30:00+00:00", "2024-01-15T10:30:00Z"),
  ])
  func `a date keeps the precision it came with`(text: String, normal: String) throws {
    let date = try #require(HealthDate(text))
    #expect(date.text == normal)
    #expect(HealthDate(normal) == date)
  }

  @Test(arguments: [
    "", "24", "0000", "2024-13", "2023-02-29", "2024-1-5", "15.01.2024", "2024-01-15T25:00:00Z",
    "2024-01-15T10", "2024-01-15Tx", "2024-01-15T10:30:00+99:00", "yesterday", "20240115",
    "2024-01-15T10:30:00Zjunk", "２０２４",
  ])
  func `a text that is not a date is nil`(text: String) { #expect(HealthDate(text) == nil) }

  @Test func `a day is the day where it was measured`() throws {
    let late = try #require(HealthDate("2024-01-15T00:30:00+01:00"))
    #expect(late.day == "2024-01-15")
    #expect(late.start == HealthDate("2024-01-14T23:30:00Z")?.start)
  }

  @Test func `a midnight in UTC is a day, any other moment is a moment`() {
    #expect(HealthDate(milliseconds: 1_705_276_800_000).text == "2024-01-15")
    #expect(HealthDate(milliseconds: 1_705_314_600_000).text == "2024-01-15T10:30:00Z")
    #expect(HealthDate(milliseconds: 1_705_314_600_125).text == "2024-01-15T10:30:00.125Z")
    #expect(HealthDate(milliseconds: .max).text.hasPrefix("9999"))
    #expect(HealthDate(milliseconds: .min).text == "0001-01-01")
  }

  @Test func `dates are in order of their beginnings`() throws {
    let texts = ["2023", "2024-01-14T23:30:00Z", "2024-01-15", "2024-01-15T10:30:00Z", "2025-02"]
    let dates = texts.compactMap { HealthDate($0) }
    #expect(dates.shuffled().sorted() == dates)
  }
}
