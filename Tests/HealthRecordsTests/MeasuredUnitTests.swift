import SyncKit
import Testing

@testable import HealthRecords

struct MeasuredUnitTests {
  @Test(arguments: [
    ("72.5 kg", 72.5), ("72,5kg", 72.5), ("160 lb", 72.575), ("160 lbs", 72.575),
    ("11 st", 69.853), ("11 st 6 lb", 72.575), ("800 g", 0.8),
  ])
  func `weights are read in the units people use`(text: String, kilograms: Double) {
    #expect(MassUnit.kilograms(in: text) == kilograms)
  }

  @Test(arguments: ["72.5", "kg", "", "72 km", "1e9 kg", "7 7 kg", "--7 kg", "1 st 2 lb 3 g"])
  func `a text without a known unit is not a weight`(text: String) {
    #expect(MassUnit.kilograms(in: text) == nil)
  }

  @Test func `a number alone has the unit of its column`() {
    #expect(MassUnit.kilograms(in: "160", unit: .pound) == 72.575)
  }

  @Test(arguments: [
    ("120/80 mmHg", 120.0, 80.0), ("120/80", 120, 80), ("RR 135 / 85 mm Hg", 135, 85),
    ("16.0/10.7 kPa", 120, 80.3), ("118,5/78 mm[Hg]", 118.5, 78),
  ])
  func `a blood pressure is read out of its text`(
    text: String, systolic: Double, diastolic: Double
  ) throws {
    let pressure = try #require(BloodPressure(text))
    #expect(pressure.systolic == systolic && pressure.diastolic == diastolic)
    #expect(BloodPressure(pressure.text) == pressure)
  }

  @Test(arguments: [
    "1/2", "20/40", "80/120 mmHg", "12/2024", "120/80 km", "120", "", "/", "120/", "/80",
    "120/80/60",
    "HbA1c 5.4 %", "500/80 mmHg", "120/0 mmHg",
  ])
  func `other texts with a slash are not a blood pressure`(text: String) {
    #expect(BloodPressure(text) == nil)
  }

  @Test func `numbers are written without noise`() {
    #expect(72.0.plainText == "72")
    #expect(72.575.plainText == "72.575")
    #expect(72.10.plainText == "72.1")
    #expect((-0.0004).plainText == "0")
    #expect((-1.5).plainText == "-1.5")
    #expect(Double.nan.plainText.isEmpty)
    #expect(1e300.plainText == "1e+300")
  }
}
