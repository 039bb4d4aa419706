import SyncKitFormats
import Testing

@testable import SyncKitCharts

struct ChartScaleTests {
  @Test(arguments: [
    ([0.0, 10], ["0", "2", "4", "6", "8", "10"]),
    ([72.3, 81.9], ["72", "74", "76", "78", "80", "82"]),
    ([5.0], ["4.4", "4.6", "4.8", "5.0", "5.2", "5.4", "5.6"]),
    ([-3.0, 3], ["-4", "-2", "0", "2", "4"]),
    ([0.001, 0.0035], ["0.0010", "0.0015", "0.0020", "0.0025", "0.0030", "0.0035"]),
    ([], ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
    ([0, 120_000.0], ["0", "50\u{202F}000", "100\u{202F}000", "150\u{202F}000"]),
  ])
  func `ticks are round numbers around the values`(values: [Double], labels: [String]) {
    let scale = NumberScale(covering: values, ticks: 5)
    #expect(scale.ticks.map(scale.label) == labels)
    for value in values {
      #expect(scale.low <= value && value <= scale.high)
      #expect(0...1 ~= scale.fraction(of: value))
    }
  }

  @Test(arguments: [
    ("2026-01-01T00:00:00Z", "2026-01-01T00:00:40Z", ["00:00:15", "00:00:30"]),
    (
      "2026-03-01T06:00:00Z", "2026-03-02T07:00:00Z",
      ["06:00", "12:00", "18:00", "2026-03-02", "06:00"]
    ),
    ("2026-01-02", "2026-02-10", ["2026-01-05", "2026-01-19", "2026-02-02"]),
    ("2025-11-15", "2026-03-01", ["2025-12", "2026-01", "2026-02", "2026-03"]),
    ("2024-02-29", "2028-02-29", ["2025", "2026", "2027", "2028"]),
    ("0000-01-01", "9999-12-31", ["0000", "2000", "4000", "6000", "8000"]),
  ])
  func `ticks of time are whole units of it`(low: String, high: String, labels: [String]) throws {
    let ends = try [low, high].map { Double(try #require(Timestamp.parse($0))) }
    let scale = DateScale(covering: ends, ticks: 5)
    #expect(scale.ticks.map(\.label).suffix(labels.count) == labels[...])
    #expect(scale.ticks.allSatisfy { ends[0] <= $0.milliseconds && $0.milliseconds <= ends[1] })
  }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "0"), (72.35, "72.35"), (1234.5, "1234.5"), (12345, "12\u{202F}345"),
      (-1_234_567.891, "-1\u{202F}234\u{202F}567.89"), (0.00123, "0.00123"), (1e18, "1e+18"),
      (.nan, "–"),
      (-.infinity, "–"), (1e-20, "1e-20"), (99.999, "100"),
    ] as [(Double, String)])
  func `numbers are written for people`(value: Double, text: String) {
    #expect(ChartNumber.text(value) == text)
  }
}
