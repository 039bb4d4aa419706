import SyncKit
import Testing

@testable import HealthRecords

/// The facts that a stranger needs at a glance.
struct SummaryTests {
  private static let made: Int64 = 1_767_225_600_000

  private func page(_ home: Household, _ id: RecordID = .anna) throws -> String {
    String(decoding: HealthSummary(try home.tree(id), made: Self.made).page, as: UTF8.self)
  }

  @Test func `the page is written as it always was`() throws {
    let family = try Household.family()
    try expectGolden(try page(family), "summary.html")
  }

  @Test func `it has no scripts, asks for nothing and escapes what people wrote`() throws {
    let home = try Household("home")
    try home.add(["personalGivenName": "<script>alert(1)</script>", "personalAddress": "a\"b&c"])
    try home.add(
      .allergy, ["name": "<img src=x onerror=alert(1)>", "comment": "https://example.org"])
    let page = try page(home)
    #expect(!page.contains("<script") && !page.contains("<img"))
    #expect(!page.contains("src=\"") && !page.contains("href=") && !page.contains("url("))
    #expect(page.contains("default-src 'none'"))
    #expect(page.contains("&lt;script&gt;"))
  }

  @Test func `allergies, medicines and problems are there even when nothing is recorded`() throws {
    let home = try Household("home")
    try home.add(["personalGivenName": "Anna"])
    let summary = HealthSummary(try home.tree(), made: Self.made)
    #expect(
      summary.sections.map(\.title) == ["Allergies and intolerances", "Medicines", "Problems"])
    #expect(try page(home).contains("Nothing is recorded."))
  }

  @Test func `what has ended moves to the history, and each number shows its unit`() throws {
    let summary = HealthSummary(try Household.family().tree(), made: Self.made)
    func titles(_ section: String) -> [String] {
      summary.sections.first { $0.title == section }?.items.map(\.title) ?? []
    }
    #expect(titles("Medicines") == ["Ramipril 5 mg 1-0-0"])
    #expect(titles("Problems") == ["Hypertension"])
    #expect(titles("History") == ["Appendectomy", "Otitis"])
    #expect(
      titles("Latest readings") == [
        "120/80 mmHg", "Ferritin low", "Heart rate: 72.5 /min (48 to 131 /min)", "72.5 kg",
      ])
  }

  @Test func `it judges nothing and says so`() throws {
    #expect(try page(Household.family()).contains("not medical advice"))
  }

  @Test func `a vaccination says when it is to be repeated`() throws {
    let summary = HealthSummary(try Household.family().tree(.rex), made: Self.made)
    let items = summary.sections.first { $0.title == "Vaccinations" }?.items
    #expect(items?.first { $0.title == "Rabies" }?.detail == "next due 2027-06-01")
  }
}
