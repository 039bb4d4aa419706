import SyncKitFormats
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Two devices that write the same code.
struct RecordsConflictTests {
  private static let id = "airports/mapping/ABC/code"

  /// Both have published a code for ABC before they saw the other's.
  private func disagreeing() async throws -> TwoDevices {
    let two = try await TwoDevices()
    try await two.first.run("airports", "add", "ABC", "LEAB")
    try await two.sync()
    try await two.first.run("airports", "add", "ABC", "KABC")
    try await two.second.run("airports", "add", "ABC", "MABC")
    try await two.first.run("sync")
    // The second publishes elsewhere, so that its change is sealed before the first sync.
    try await two.second.run("remote", "add", "--unencrypted", "other", "file:\(two.shared)-other")
    rename(two.shared, "\(two.shared)-away")
    try await two.second.run("sync")
    rename("\(two.shared)-away", two.shared)
    try await two.sync()
    return two
  }

  @Test func `an edit that both have published is a conflict on both`() async throws {
    let two = try await disagreeing()
    let here = try await two.first.json("conflicts", "list")
    expectKeys(here, "cloudsync.conflicts/1", "conflicts")
    let conflict = try #require(here["conflicts"]?[0])
    #expect(conflict["id"]?.string == Self.id)
    #expect(conflict["domain"]?.string == "airports")
    #expect(conflict["collection"]?.string == "mapping")
    #expect(conflict["record"]?.string == "ABC" && conflict["field"]?.string == "code")
    #expect(conflict["decision"]?.string == "settled")
    #expect(conflict["shown"]?["icao"]?.string == "MABC")
    let values = conflict["values"]?.array ?? []
    #expect(values.map { $0["value"]?["icao"]?.string } == ["MABC", "KABC"])
    #expect(values.map { $0["device"]?.string } == ["phone", "laptop"])
    #expect(values.allSatisfy { Timestamp.parse($0["at"]?.string ?? "") != nil })
    #expect(try await two.second.json("conflicts")["conflicts"]?[0]?["id"]?.string == Self.id)
    let shown = try await two.first.json("airports", "show", "ABC")
    #expect(shown["conflicts"] == ["code"])
    let single = try await two.first.json("conflicts", "show", "airports/mapping/abc/code")
    #expect(single["conflicts"] == here["conflicts"])
    #expect(try await two.first.json("airports", "conflicts") == here)
  }

  @Test(arguments: [("--mine", "KABC"), ("--theirs", "MABC")])
  func `a decision ends it everywhere`(side: String, icao: String) async throws {
    let two = try await disagreeing()
    let resolved = try await two.first.json("conflicts", "resolve", Self.id, side)
    expectKeys(resolved, "cloudsync.conflicts.resolve/1", "batch", "warnings", "errors")
    #expect(resolved.counts == [0, 1, 0, 0])
    try await two.sync()
    for device in [two.first, two.second] {
      #expect(try await device.codes() == ["ABC": icao])
      #expect(try await device.json("conflicts")["conflicts"] == [])
    }
    expectFailure(
      try await two.first.run("conflicts", "resolve", Self.id, side, "--json"), 66,
      "record.not-found")
  }

  @Test func `a third value may be the answer`() async throws {
    let two = try await disagreeing()
    let digest = try await two.first.digest()
    for value in ["IABC", "7", "{\"icao\":7}", "{\"icoa\":\"LEAB\"}", "{", "{}"] {
      let outcome = try await two.first.run(
        "conflicts", "resolve", Self.id, "--value", value, "--json")
      #expect([64, 65].contains(outcome.status), "\(value): \(outcome.status)")
    }
    let plan = try await two.first.json("conflicts", "resolve", Self.id, "--value", "LEAB", "-n")
    #expect(plan["plan"]?[0]?["to"]?["icao"]?.string == "LEAB")
    #expect(try await two.first.digest() == digest)
    #expect(plan["warnings"] == [])
    // A value that the reference contradicts causes a warning, as in `add`.
    let added = try await two.second.json("airports", "add", "ABC", "KJFK", "-n")["warnings"]
    let wrong = try await two.first.json("conflicts", "resolve", Self.id, "--value", "KJFK", "-n")
    #expect(added?.array?.isEmpty == false && wrong["warnings"] == added)
    #expect(try await two.first.run("conflicts", "resolve", Self.id, "--value", "leab").status == 0)
    let fields = try await two.first.json("airports", "show", "ABC")["fields"]
    #expect(fields?["icao"]?.string == "LEAB" && fields?["source"]?.string == "manual")
    #expect(fields?["verifiedByCoordinates"]?.bool == false)
  }

  @Test func `a value that is not one of the two is refused with the list`() async throws {
    let two = try await disagreeing()
    for arguments in [[], ["--mine", "--theirs"], ["--mine", "--value", "LEAB"]] {
      let outcome = try await two.first.run(["conflicts", "resolve", Self.id] + arguments)
      #expect(outcome.status == 64)
    }
    for id in ["airports/mapping/XYZ/code", "airports", "x/y/z", "", "airports/mapping/ABC/icao"] {
      expectFailure(
        try await two.first.run("conflicts", "show", id, "--json"), 66, "record.not-found")
    }
  }
}
