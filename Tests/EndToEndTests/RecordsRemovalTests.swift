import SyncKitFormats
import Testing

/// Deleting, restoring, undoing.
struct RecordsRemovalTests {
  @Test func `a record is deleted, and a missing one is not found`() async throws {
    let device = try TestDevice()
    try await device.run("airports", "add", "JFK", "KJFK")
    let removed = try await device.json("airports", "rm", "mapping/jfk")
    expectKeys(removed, "cloudsync.airports.rm/1", "warnings", "errors")
    #expect(removed.counts == [0, 0, 1, 0])
    expectFailure(try await device.run("airports", "rm", "JFK", "--json"), 66, "record.not-found")
    expectFailure(try await device.run("airports", "rm", "!!", "--json"), 66, "record.not-found")
  }

  @Test func `several are all deleted, or none`() async throws {
    let device = try TestDevice()
    try await device.run("airports", "add", "JFK", "KJFK")
    try await device.run("airports", "add", "LHR", "EGLL")
    let outcome = try await device.run("airports", "rm", "JFK", "XYZ", "LHR", "QQQ", "--json")
    expectFailure(outcome, 66, "record.not-found")
    #expect(outcome.document["errors"]?.array?.count == 2)
    #expect(try await device.codes().count == 2)
    #expect(try await device.json("airports", "rm", "JFK", "lhr", "jfk").counts == [0, 0, 2, 0])
  }

  @Test func `a deleted record comes back with its fields`() async throws {
    let device = try TestDevice()
    try await device.run("airports", "add", "ABC", "KABC")
    try await device.run("airports", "rm", "ABC")
    let restored = try await device.json("airports", "restore", "abc")
    expectKeys(restored, "cloudsync.airports.restore/1", "batch")
    #expect(try await device.codes() == ["ABC": "KABC"])
    let again = try await device.json("restore", "airports", "ABC")
    expectKeys(again, "cloudsync.restore/1", "batch")
    #expect(again.counts == [0, 0, 0, 1])
    expectFailure(
      try await device.run("restore", "airports", "XYZ", "--json"), 66, "record.not-found")
    expectFailure(try await device.run("restore", "airprots", "XYZ", "--json"), 64, "usage")
  }

  @Test func `a record can be restored to a time`() async throws {
    let device = try TestDevice()
    try await device.run("airports", "add", "ABC", "KABC")
    let before = try #require(try await device.json("airports", "show", "ABC")["modified"]?.string)
    try await device.run("airports", "add", "ABC", "LEAB")
    let restored = try await device.json("airports", "restore", "ABC", "--at", before)
    #expect(restored.counts == [0, 1, 0, 0])
    #expect(try await device.codes() == ["ABC": "KABC"])
    expectFailure(
      try await device.run("airports", "restore", "ABC", "--at", "2001-01-01", "--json"), 66,
      "record.not-found")
    #expect(try await device.run("airports", "restore", "ABC", "--at", "later").status == 64)
  }
}
