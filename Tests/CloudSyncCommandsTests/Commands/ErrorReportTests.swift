import LocalMachine
import CommandFoundation
import SyncKitFormats
import SyncKit
import Testing

@testable import CloudSyncCommands

/// The output and the exit status of a failing run.
struct ErrorReportTests {
  private func report(_ error: any Error, json: Bool) throws -> (Int32, String) {
    let terminal = try TestMachine().terminal()
    let status = ErrorReport(json ? ["--json"] : [], terminal).print(error)
    #expect(terminal.output.text.isEmpty)
    return (status, terminal.error.text)
  }

  private let unreachable = SyncError(
    .remoteUnavailable, "home: connection refused", hint: "cloudsync remote test home",
    cause: "errno 111")

  @Test func `for people it is a sentence, its cause and a hint`() throws {
    let (status, text) = try report(unreachable, json: false)
    #expect(status == 69)
    #expect(
      text == """
        cloudsync: home: connection refused
          cause: errno 111
          hint: cloudsync remote test home

        """)
  }

  @Test func `for programs it is one object on one line`() throws {
    let (status, text) = try report(unreachable, json: true)
    #expect(status == 69)
    #expect(
      text == """
        {"schema":"cloudsync.error/1","code":"remote.unavailable","exit":69,\
        "message":"home: connection refused","hint":"cloudsync remote test home",\
        "retryable":true,"safe":true,"cause":"errno 111"}

        """)
    #expect(try Schemas.problems(in: try JSON(parsing: text), by: "error").isEmpty)
  }

  @Test func `an unexpected error is 1 and says that state may have changed`() throws {
    struct Surprise: Error {}
    let (status, text) = try report(Surprise(), json: true)
    let document = try JSON(parsing: text)
    #expect(status == 1 && document["code"]?.string == "failure")
    #expect(document["safe"]?.bool == false && document["hint"]?.isNull == true)
    #expect(try Schemas.problems(in: document, by: "error").isEmpty)
  }

  @Test(arguments: [
    (Int32(28), "store.disk-full"), (Int32(13), "store.read-only"), (Int32(5), "store.io"),
  ])
  func `a failed system call has a code`(number: Int32, code: String) throws {
    let (status, text) = try report(SystemError("write /x", number: number), json: true)
    #expect(status == 74)
    #expect(try JSON(parsing: text)["code"]?.string == code)
  }

  @Test func `a foreign message cannot control the terminal`() throws {
    let error = SyncError(.failure, "a\u{1B}[2Jb", hint: "\u{9B}1m", cause: "\u{202E}x")
    let text = try report(error, json: false).1
    #expect(!text.contains("\u{1B}") && !text.contains("\u{9B}") && !text.contains("\u{202E}"))
  }

  @Test(arguments: [
    ["stauts"], ["config", "sett"], ["config", "path", "--jsn"], ["config", "get"],
    ["config", "get", "a", "b"], ["--nonsense"], ["completions", "tcsh"], ["help", "exit-cods"],
    ["help", "config", "sett"], ["config", "path", "--output", "xml"],
  ])
  func `usage is 64, in both forms`(arguments: [String]) async throws {
    let machine = try TestMachine()
    let people = await machine.run(arguments)
    #expect(people.status == 64 && people.output.isEmpty)
    #expect(people.error.hasPrefix("cloudsync: "))
    for before in [["--json"], ["--output", "jsonl"], ["--output=json"]] {
      let program = await machine.run(before + arguments.filter { $0 != "xml" && $0 != "--output" })
      if arguments.contains("xml") { continue }
      #expect(program.status == 64)
      #expect(program.failure["code"]?.string == "usage", "\(program.error)")
      #expect(program.failure["exit"]?.int == 64 && program.failure["safe"]?.bool == true)
      #expect(try Schemas.problems(in: program.failure, by: "error").isEmpty)
    }
  }

  @Test func `a variable can ask for objects as well`() async throws {
    var machine = try TestMachine()
    machine.environment["CLOUDSYNC_OUTPUT"] = "json"
    #expect(await machine.run("stauts").failure["code"]?.string == "usage")
    #expect(await machine.run("stauts", "--plain").error.hasPrefix("cloudsync: "))
  }

  @Test(arguments: [
    (["confg"], "did you mean 'cloudsync config'?"),
    (["verison"], "did you mean 'cloudsync version'?"),
    (["config", "validte"], "did you mean 'cloudsync config validate'?"),
    (["xyzzy"], "cloudsync --help lists the commands"),
    (["config", "xyzzy"], "cloudsync config --help lists the commands"),
    (["help", "enviroment"], "did you mean 'environment'?"),
  ])
  func `a typo gets a suggestion`(arguments: [String], hint: String) async throws {
    let outcome = try await TestMachine().run(arguments + ["--json"])
    #expect(outcome.failure["hint"]?.string == hint)
  }

  @Test func `a misspelt option gets a suggestion too`() async throws {
    let outcome = try await TestMachine().run("config", "path", "--jsno")
    #expect(
      outcome.error == """
        cloudsync: Unknown option '--jsno'
          hint: did you mean '--json'? see 'cloudsync config path --help'

        """)
  }

  @Test(arguments: [
    (["--jsno", "version"], "did you mean '--json'? see 'cloudsync --help'"),
    (["completions", "bsh"], "did you mean 'bash'? see 'cloudsync completions --help'"),
    (
      ["airports", "list", "--sort", "modifed"],
      "did you mean 'modified'? see 'cloudsync airports list --help'"
    ),
  ])
  func `so do a misspelt value, and an option before the command`(
    arguments: [String], hint: String
  ) async throws {
    let outcome = try await TestMachine().run(arguments + ["--json"])
    #expect(outcome.status == 64)
    #expect(outcome.failure["hint"]?.string == hint)
  }

  @Test func `an internal error explains how to report it`() throws {
    let (status, text) = try report(SyncError(.bug, "A row is gone."), json: false)
    #expect(status == 70)
    #expect(text.contains("hint: please report it: 'cloudsync diagnose' makes"))
    let hinted = try report(SyncError(.bug, "A row is gone.", hint: "Try again."), json: true).1
    let hint = try JSON(parsing: hinted)["hint"]?.string ?? ""
    #expect(hint.hasPrefix("Try again.\n") && hint.contains("cloudsync diagnose"))
  }

  @Test func `an invalid name is shown harmlessly`() async throws {
    let outcome = try await TestMachine().run("\u{1B}[31m\n")
    #expect(outcome.status == 64 && !outcome.error.contains("\u{1B}"))
  }

  @Test func `every code in the table has a status in the table`() {
    let statuses = Set(ExitCodeTable.statuses.map(\.status))
    for (code, _) in ExitCodeTable.codes { #expect(statuses.contains(code.exit)) }
    #expect(Set(ExitCodeTable.codes.map(\.code)).count == ExitCodeTable.codes.count)
    #expect(ExitCodeTable.codes.map(\.code.exit) == ExitCodeTable.codes.map(\.code.exit).sorted())
  }
}
