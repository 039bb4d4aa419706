import SyncKitFormats
import Testing

/// `defaults.keep-history`, from the configuration to the store.
struct KeepHistoryTests {
  @Test
  func `a device that keeps no history has the data and says since when its history is complete`()
    async throws
  {
    let pair = try await TwoDevices()
    let outcome = try await pair.first.run("config", "set", "defaults.keep-history", "0s")
    try #require(outcome.status == 0, "\(outcome.error)")
    for code in ["KABC", "LEAB", "KJFK", "EGLL", "EDDF", "LFPG", "LOWW", "EHAM"] {
      try await pair.first.run("airports", "add", "ABC", code)
      try await pair.first.run("sync")
      try await pair.second.run("airports", "add", "XYZ", code)
      try await pair.second.run("sync")
    }
    try await pair.sync()
    let oldest = try #require(
      try await pair.first.json("history", "list")["batches"]?.array?.last?["id"]?.string)
    #expect(try await pair.first.json("history", "list")["since"] == .null)
    for device in [pair.first, pair.second] {
      let outcome = try await device.run("compact")
      try #require(outcome.status == 0, "\(outcome.error)")
    }
    let history = try await pair.first.json("history", "list")
    #expect(Timestamp.parse(history["since"]?.string ?? "") != nil)
    #expect(history["batches"]?.array?.isEmpty == true)
    // By default everything of the last 400 days is kept.
    let other = try await pair.second.json("history", "list")
    #expect(other["since"] == .null)
    #expect(other["batches"]?.array?.count == 16)
    let undo = try await pair.first.run("undo", oldest, "--json")
    expectFailure(undo, 66, "record.not-found")
    #expect(undo.error.contains("begins"))
    let restore = try await pair.first.run(
      "airports", "restore", "ABC", "--at", "2020-01-01", "--json")
    expectFailure(restore, 66, "record.not-found")
    #expect(restore.error.contains("begins"))

    try await pair.first.run("airports", "add", "NEW", "LSZH")
    try await pair.sync()
    #expect(try await pair.first.codes() == pair.second.codes())
    #expect(try await pair.first.digest() == pair.second.digest())
    #expect(try await pair.first.json("history", "list")["batches"]?.array?.count == 1)
    // A new device and a new remote get everything that exists.
    let base = try TestDevice()
    let third = try TestDevice(in: base.home, name: "third")
    let place = "file:\(base.path("other"))"
    let added = try await pair.first.run("remote", "add", "--unencrypted", "other", place)
    try #require(added.status == 0, "\(added.error)")
    try await pair.first.run("sync")
    let made = try await third.run(
      "init", "--yes", "--unencrypted", "--device", "third", "--remote", "other=\(place)")
    try #require(made.status == 0, "\(made.error)")
    for device in [third, pair.first, third] {
      let outcome = try await device.run("sync")
      try #require(outcome.status == 0, "\(outcome.error)")
    }
    #expect(try await third.codes() == pair.first.codes())
    #expect(try await third.digest() == pair.first.digest())
    let verified = try await pair.first.run("verify", "--remotes")
    #expect(verified.status == 0, "\(verified.error)")
  }
}
