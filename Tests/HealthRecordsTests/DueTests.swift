import SyncKit
import Testing

@testable import HealthRecords

struct DueTests {
  private static let now: Int64 = 1_767_225_600_000  // 2026-01-01
  private static let year: Int64 = 365 * 86_400_000

  private func due(_ home: Household, within days: Int64 = 365) throws -> [DueItem] {
    DueItem.all(
      in: HealthTree.trees(try home.records()), until: Self.now + days * 86_400_000, now: Self.now)
  }

  @Test func `vaccinations and refills are due on the days entered, the earliest first`()
    throws
  {
    let home = try Household.family()
    let items = try due(home, within: 700)
    #expect(items.map(\.day.text) == ["2026-12-01", "2027-06-01"])
    #expect(items.map(\.reason) == [.refill, .vaccination])
    #expect(items.map(\.subject.displayName) == ["Schmidt - Anna - Änni", "Rex"])
    #expect(try due(home, within: 30).isEmpty)
  }

  @Test func `a vaccination that was repeated is not due again`() throws {
    let home = try Household("home")
    try home.add(["personalGivenName": "Anna"])
    try home.add(.vaccination, ["name": "Tetanus", "date": "2015", "nextDue": "2025"])
    #expect(try due(home)[0].isOverdue(at: Self.now))
    try home.add(.vaccination, ["name": "tetanus ", "date": "2025-05-01", "nextDue": "2035"])
    #expect(try due(home).isEmpty)
  }

  @Test func `a medicine that has ended needs no refill`() throws {
    let home = try Household("home")
    try home.add(["personalGivenName": "Anna"])
    try home.add(.drug, ["nameAndDosage": "A", "refillDue": "2025-12-01", "until": "2025-12-24"])
    try home.add(.drug, ["nameAndDosage": "B", "refillDue": "2026-01-01", "until": "2026-01-01"])
    #expect(try due(home).map(\.entry.title) == ["B"])
    #expect(try due(home)[0].isOverdue(at: Self.now) == false)
  }
}
