import CommandFoundation
import SyncKitFormats
import SyncKit
import Testing

@testable import CloudSyncCommands

/// The options that every command has, and the variables that stand in for them.
struct OptionTests {
  @Test func `they may stand before the command, between its words and after it`() async throws {
    let machine = try TestMachine(configuration: "device: { name: x }\n")
    for arguments in [
      ["--json", "config", "get", "device.name"], ["config", "--json", "get", "device.name"],
      ["config", "get", "--json", "device.name"], ["config", "get", "device.name", "--json"],
      ["--output", "json", "config", "get", "device.name"],
      ["--output=json", "-c", machine.configuration, "config", "get", "device.name"],
    ] {
      let outcome = await machine.run(arguments)
      #expect(outcome.status == 0, "\(arguments): \(outcome.error)")
      #expect(outcome.document["settings"]?[0]?["value"]?.string == "x")
    }
  }

  @Test func `a group with options still prints its help`() async throws {
    let outcome = try await TestMachine().run("--json", "config")
    #expect(outcome.status == 0 && outcome.output.contains("USAGE: cloudsync config"))
  }

  @Test(arguments: [
    ["--json", "--plain"], ["--output", "csv", "--json"], ["-q", "-v"], ["--output", "xml"],
    ["--color", "sometimes"], ["--profile", "../x"], ["--config"],
  ])
  func `a senseless command line is an error of usage`(arguments: [String]) async throws {
    let outcome = try await TestMachine().run(["config", "path"] + arguments)
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
  }

  @Test func `variables replace missing options, options override them`() throws {
    var machine = try TestMachine()
    machine.environment = [
      "CLOUDSYNC_OUTPUT": "csv", "CLOUDSYNC_VERBOSE": "2", "CLOUDSYNC_YES": "1",
      "CLOUDSYNC_LOG_FORMAT": "json", "CLOUDSYNC_QUIET": "",
    ]
    let context = try machine.context()
    #expect(context.format == .csv && context.verbosity == 2 && context.assumesYes)
    #expect(context.logFormat == .json && !context.isQuiet)
    #expect(try machine.context("--plain").format == .plain)
    #expect(try machine.context("-q").isQuiet)
    #expect(try machine.context("-v").verbosity == 1)
    #expect(try machine.context("-vv").verbosity == 2)
  }

  @Test(arguments: [
    ("OUTPUT", "jsn", "did you mean 'json'?"), ("COLOR", "yes", nil), ("YES", "yes", nil),
    ("VERBOSE", "3", nil), ("PROGRESS", "nevr", "did you mean 'never'?"),
  ])
  func `a variable with a wrong value is an error of configuration`(
    name: String, value: String, hint: String?
  ) throws {
    var machine = try TestMachine()
    machine.environment["CLOUDSYNC_\(name)"] = value
    let error = #expect(throws: SyncError.self) { try machine.context() }
    #expect(error?.code == .configInvalid)
    #expect(error?.message.hasPrefix("CLOUDSYNC_\(name): ") == true)
    #expect(error?.hint == hint)
  }

  @Test func `messages go to standard error, fewer or more as asked`() throws {
    let machine = try TestMachine()
    func said(_ arguments: String...) throws -> String {
      let context = try machine.context(arguments)
      context.warn("w")
      context.note("n")
      context.say("i", .info)
      context.say("d", .debug)
      #expect(context.terminal.output.text.isEmpty)
      return context.terminal.error.text
    }
    #expect(try said() == "cloudsync: warning: w\ncloudsync: n\n")
    #expect(try said("-q").isEmpty)
    #expect(try said("-v") == "cloudsync: warning: w\ncloudsync: n\ncloudsync: i\n")
    #expect(try said("-vv").hasSuffix("cloudsync: d\n"))
    #expect(try said("--json").isEmpty)
    #expect(
      try said("--log-format", "json").hasPrefix(
        "{\"time\":\"1970-01-01T00:00:00.000Z\",\"level\":\"warning\",\"message\":\"w\"}\n"))
  }

  @Test func `a message cannot control the terminal`() throws {
    let context = try TestMachine().context()
    context.note("a\u{1B}[31mb\nc")
    #expect(context.terminal.error.text == "cloudsync: a\u{FFFD}[31mb\nc\n")
  }
}
