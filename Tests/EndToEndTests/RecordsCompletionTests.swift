import SyncKitFormats
import Testing

/// The completions for a shell.
struct RecordsCompletionTests {
  @Test func `ids of records, batches and conflicts are offered`() async throws {
    let device = try TestDevice()
    let added = try await device.json("airports", "add", "JFK", "KJFK")
    try await device.run("airports", "add", "JED", "OEJN")
    try await device.run("airports", "add", "LHR", "EGLL")
    func offered(_ words: [String], _ argument: String, _ prefix: String) async throws -> [String] {
      // The request of ArgumentParser's scripts: the command, the argument, the words.
      let outcome = try await device.run(
        ["---completion"] + words + ["--", argument, "\(words.count)", "\(prefix.count)"]
          + ["cloudsync"] + words + [prefix])
      return outcome.output.split(whereSeparator: \.isNewline).map(String.init)
    }
    let ids = try await offered(["airports", "rm"], "positional@0", "j")
    #expect(ids.contains("JFK") && ids.contains("JED") && !ids.contains("LHR"))
    let batches = try await offered(["undo"], "positional@0", "")
    #expect(batches.contains(added["batch"]?.string ?? "none"))
  }
}
