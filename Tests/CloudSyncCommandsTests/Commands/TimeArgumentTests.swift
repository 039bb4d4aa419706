import CommandFoundation
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Times as people type them; the time zone is that of the process, so these tests take turns.
@Suite(.serialized) struct TimeArgumentTests {
  private func inZone<T>(_ zone: String, _ body: () throws -> T) rethrows -> T {
    let before = getenv("TZ").map { String(cString: $0) }
    setenv("TZ", zone, 1)
    tzset()
    defer {
      if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") }
      tzset()
    }
    return try body()
  }

  private func time(_ text: String) -> String? {
    TimeArgument(argument: text).map { Timestamp.format(milliseconds: $0.milliseconds(now: 0)) }
  }

  @Test(arguments: [
    ("2026-11-25T07:16:27", "2026-11-25T12:16:27.000Z"),
    ("2026-11-25 07:16:27", "2026-11-25T12:16:27.000Z"),
    ("2026-11-25 07:16", "2026-11-25T12:16:00.000Z"),
    ("2026-11-25T07:16:27.250", "2026-11-25T12:16:27.250Z"),
    ("2026-07-01 00:00", "2026-07-01T04:00:00.000Z"),
    ("2026-11-25", "2026-11-25T05:00:00.000Z"),
    ("2026-11-25T07:16:27Z", "2026-11-25T07:16:27.000Z"),
    ("2026-11-25T07:16:27+02:00", "2026-11-25T05:16:27.000Z"),
  ])
  func `a time without a zone is local time`(text: String, utc: String) {
    // New York by its rule, so that no time zone data is needed.
    inZone("EST5EDT,M3.2.0,M11.1.0") { #expect(time(text) == utc) }
  }

  @Test func `a time from a table can be typed again`() {
    for zone in ["UTC0", "CET-1CEST,M3.5.0,M10.5.0/3", "<+0545>-5:45"] {
      inZone(zone) {
        for milliseconds in [Int64(1_764_054_987_000), 1_782_000_000_000, -86_400_000] {
          let shown = LocalTime.text(milliseconds)
          #expect(TimeArgument(argument: shown)?.milliseconds(now: 0) == milliseconds, "\(shown)")
        }
      }
    }
  }

  @Test func `a date of a record is the same day everywhere, and a span counts back from now`() {
    inZone("<+0900>-9") {
      let day = TimeArgument(argument: "2026-11-25")
      #expect(day?.recorded(now: 0) == Timestamp.parse("2026-11-25"))
      #expect(day?.milliseconds(now: 0) == Timestamp.parse("2026-11-24T15:00:00Z"))
      #expect(TimeArgument(argument: "2d")?.milliseconds(now: 200_000_000) == 27_200_000)
    }
  }

  @Test(arguments: ["2026-13-01", "2026-11-25T7:16", "yesterday", "2026-11-25T07", "-3d"])
  func `an invalid time is refused with the valid forms`(text: String) async throws {
    #expect(TimeArgument(argument: text) == nil)
    let outcome = await (try TestMachine()).run("log", "--since=\(text)", "--json")
    #expect(outcome.status == 64)
    #expect(outcome.failure["hint"]?.string?.contains("'2026-11-25 07:16' in local time") == true)
  }
}
