import SyncKitFormats
import Testing

/// Headers of columns, with their units.
struct ColumnHeaderTests {
  private static let units: Set<String> = ["kg", "lb", "%", "mmHg", "mmol/L", "bpm", "°C"]
  private static let names = [
    "weight": 1, "gewicht": 1, "体重": 1, "body fat": 2, "blood pressure systolic": 3, "glucose": 4,
    "time offset": 5, "body temperature": 6, "masa ciała": 1,
  ]

  @Test(
    arguments: [
      ("Weight (kg)", 1, "kg"), ("Gewicht [kg]", 1, "kg"), ("weight, kg", 1, "kg"),
      ("Weight kg", 1, "kg"), ("weight in kg", 1, "kg"), ("体重(kg)", 1, "kg"), ("体重（kg）", 1, "kg"),
      ("Masa ciała (kg)", 1, "kg"), ("Body Fat %", 2, "%"), ("Body Fat(%)", 2, "%"),
      ("bodyFat", 2, nil), ("body_fat", 2, nil), ("Blood Pressure [Systolic] (mmHg)", 3, "mmHg"),
      ("Glucose mmol/L", 4, "mmol/L"), ("com.samsung.health.weight.time_offset", 5, nil),
      ("#weight", 1, nil), (" WEIGHT : ", 1, nil), ("Temperature (body)", nil, nil),
      ("Body (temperature)", 6, nil), ("Weight (moon)", 1, "moon"), ("Mood", nil, nil),
      ("", nil, nil),
      ("weight_kg", 1, "kg"), ("weightKg", 1, "kg"),
    ] as [(String, Int?, String?)])
  func `a header has a meaning and perhaps a unit`(text: String, meaning: Int?, unit: String?) {
    let found = ColumnHeader(text).find(in: Self.names, isUnit: Self.units.contains)
    #expect(found?.meaning == meaning)
    #expect(found?.unit == unit)
  }

  @Test func `brackets within brackets belong to the unit`() {
    let header = ColumnHeader("Systolic (mm[Hg])")
    #expect(header.name == "systolic" && header.unit == "mm[Hg]")
  }

  @Test func `a report names what was used and what not`() {
    var report = ColumnReport()
    #expect(report.sentences == [])
    report.use("Gewicht (kg)", as: "weight in kg")
    report.use("comment", as: "comment")
    report.pass("Laune")
    report.pass("")
    #expect(
      report.sentences == [
        "columns used: Gewicht (kg) as weight in kg; comment",
        "columns not used: Laune; (no header)",
      ])
  }
}
