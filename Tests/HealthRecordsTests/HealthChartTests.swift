import SyncKit
import Testing

@testable import HealthRecords

struct HealthChartTests {
  private func home() throws -> Household {
    let home = try Household("home")
    try home.add(["personalGivenName": "Anna"])
    for (day, weight) in [("2024-01-01", 72.5), ("2024-02-01", 71.0), ("2024-03-01", 70.25)] {
      try home.add(.weight, ["date": .string(day), "weightKg": .double(weight)])
      try home.add(.blood, ["date": .string(day), "name": "120/80 mmHg"])
    }
    try home.add(.weight, ["weightKg": 99])
    return home
  }

  @Test func `weights are drawn with their unit, those without a date are not`() throws {
    let chart = try HealthChart(home().tree(), .weight)
    #expect(chart.count == 3)
    #expect(chart.text(width: 60).contains("kg"))
    #expect(chart.svg.hasPrefix("<svg") && chart.svg.contains("kg"))
  }

  @Test func `blood pressures are drawn as pairs in mmHg`() throws {
    let chart = try HealthChart(home().tree(), .bloodPressure)
    #expect(chart.count == 3)
    #expect(chart.text(width: 60).contains("mmHg") && chart.svg.contains("mmHg"))
  }

  @Test func `a chart may begin later, and one of nothing is an error`() throws {
    let tree = try home().tree()
    let start = try #require(HealthDate("2024-02-01")).start
    #expect(try HealthChart(tree, .weight, since: start).count == 2)
    let error = #expect(throws: SyncError.self) { try HealthChart(tree, .reading("Ferritin")) }
    #expect(error?.code == .notFound)
  }

  @Test func `readings with different units do not fit into one chart`() throws {
    let home = try home()
    try home.add(.blood, ["date": "2024", "name": "Glucose", "value": 90, "unit": "mg/dL"])
    #expect(try HealthChart(home.tree(), .reading("glucose")).unit == "mg/dL")
    try home.add(.blood, ["date": "2025", "name": "Glucose", "value": 5, "unit": "mmol/L"])
    let error = #expect(throws: SyncError.self) {
      try HealthChart(home.tree(), .reading("glucose"))
    }
    #expect(error?.code == .inputInvalid)
  }
}
