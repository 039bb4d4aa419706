import SyncKitFormats
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// People read times in their own zone, programs in UTC.
struct LocalTimeTests {
  private static let hasZones = access("/usr/share/zoneinfo/America/New_York", R_OK) == 0

  /// What a device shows of the time of its only record: by how many minutes it is ahead of UTC, and its zone.
  private func shown(in zone: String) async throws -> (minutes: Int64, zone: String) {
    let device = try TestDevice()
    _ = try await device.json("airports", "add", "ZRH", "LSZH")
    let plain = try await device.run("airports", "list", "--plain", variables: ["TZ": zone]).output
    let raw = try #require(plain.split(separator: "\t").first { $0.hasSuffix("Z") })
    let time = try #require(Timestamp.parse(String(raw)))
    let table = try await device.run("airports", "list", variables: ["TZ": zone]).output
    let row = try #require(table.split(separator: "\n").last)
    let words = row.split(separator: " ").map(String.init)
    let day = try #require(words.firstIndex { $0.hasPrefix("20") })
    let wall = try #require(Timestamp.parse("\(words[day])T\(words[day + 1])Z"))
    return ((wall - time / 1_000 * 1_000) / 60_000, words[day + 2])
  }

  @Test(.enabled(if: hasZones)) func `a zone with summer time`() async throws {
    let shown = try await shown(in: "America/New_York")
    #expect([-300: "EST", -240: "EDT"][shown.minutes] == shown.zone)
  }

  @Test func `UTC`() async throws {
    #expect(try await shown(in: "UTC") == (0, "UTC"))
  }

  @Test func `a zone by its rule, with a name and without`() async throws {
    #expect(try await shown(in: "NPT-5:45") == (345, "NPT"))
    #expect(try await shown(in: "<-0330>3:30") == (-210, "-03:30"))
  }
}
