import CommandFoundation
import Testing

@testable import CloudSyncCommands

/// Points in time as people read them: in their own zone, or by their distance from now.
struct TimeForPeopleTests {
  private static let noon: Int64 = 1_796_040_000_000  // 2026-11-30T12:00:00Z

  @Test(arguments: [
    (3_600, "CET", "2026-11-30 13:00:00 CET"), (-18_000, "EST", "2026-11-30 07:00:00 EST"),
    (20_700, "+0545", "2026-11-30 17:45:00 +05:45"), (-12_600, "", "2026-11-30 08:30:00 -03:30"),
    (0, "UTC", "2026-11-30 12:00:00 UTC"),
  ])
  func `a time has its zone, by name or by offset`(
    _ offset: Int64, _ name: String, _ text: String
  ) {
    #expect(LocalTime.text(Self.noon, offset: offset, name: name) == text)
  }

  @Test func `a zone that the system does not have is not called by its name`() {
    // What the C library answers for TZ=America/New_York without a zone database.
    #expect(LocalTime.text(Self.noon, offset: 0, name: "America") == "2026-11-30 12:00:00 UTC")
  }

  private static let distances: [(shift: Int64, text: String)] = [
    (0, "just now"), (-59_999, "just now"), (30_000, "just now"), (-60_000, "1 minute ago"),
    (-179_999, "2 minutes ago"), (-3_600_000, "1 hour ago"), (7_200_000, "in 2 hours"),
    (-169_200_000, "47 hours ago"), (-172_800_000, "2 days ago"),
    (34_560_000_000, "in 400 days"),
  ]

  @Test(arguments: distances)
  func `a distance is told in whole units`(_ shift: Int64, _ text: String) {
    #expect(RelativeTime.text(Self.noon + shift, now: Self.noon) == text)
  }

  @Test func `the farthest times there are have a text as well`() {
    #expect(RelativeTime.text(.min, now: .max).isEmpty == false)
    #expect(LocalTime.text(.max, offset: 3_600, name: "CET").hasSuffix(" UTC"))
  }
}
