import CommandFoundation
import SyncKit
import Testing

@testable import CloudSyncCommands

/// Questions are asked only if a person can answer, and progress is shown only if a person is watching.
struct QuestionTests {
  @Test(arguments: [
    ("y\n", true), ("YES\n", true), (" yes \r\n", true), ("n\n", false), ("\n", false), ("", false),
    ("yesterday\n", false),
  ])
  func `only a yes is a yes`(answer: String, expected: Bool) throws {
    var machine = try TestMachine()
    machine.isTerminal = true
    machine.input = answer
    let context = try machine.context()
    #expect(try context.confirm("Remove it?") == expected)
    #expect(context.terminal.error.text == "Remove it? [y/N]: ")
    #expect(context.terminal.output.text.isEmpty)
  }

  @Test func `without a terminal it asks no question`() throws {
    let context = try TestMachine().context()
    let error = #expect(throws: SyncError.self) { try context.confirm("Remove it?") }
    #expect(error?.code == .usage && error?.hint?.contains("--yes") == true)
    #expect(try context.ask("Name?", fallback: "laptop") == "laptop")
    #expect(context.terminal.error.text.isEmpty)
  }

  @Test func `--no-input asks no question, --yes answers it`() throws {
    var machine = try TestMachine()
    machine.isTerminal = true
    machine.input = "n\n"
    #expect(throws: SyncError.self) { try machine.context("--no-input").confirm("Remove it?") }
    #expect(try machine.context("--yes").confirm("Remove it?"))
  }

  @Test func `an empty answer is the fallback`() throws {
    var machine = try TestMachine()
    machine.isTerminal = true
    machine.input = "\n"
    #expect(try machine.context().ask("Name?", fallback: "laptop") == "laptop")
    machine.input = "phone\n"
    #expect(try machine.context().ask("Name?", fallback: "laptop") == "phone")
  }

  @Test func `progress appears after half a second, updates slowly and disappears`() throws {
    var machine = try TestMachine()
    machine.isTerminal = true
    let context = try machine.context()
    let line = ProgressLine(context)
    line.show("early")
    machine.clock.advance(by: 500)
    line.show("one")
    machine.clock.advance(by: 50)
    line.show("too soon")
    machine.clock.advance(by: 50)
    line.show("two")
    line.clear()
    line.clear()
    #expect(context.terminal.error.text == "\r\u{1B}[Kone\r\u{1B}[Ktwo\r\u{1B}[K")
  }

  @Test(arguments: [[], ["-q"], ["--json"], ["--progress", "never"]])
  func `progress is shown only where wanted`(arguments: [String]) throws {
    var machine = try TestMachine()
    machine.isTerminal = !arguments.isEmpty
    let context = try machine.context(arguments)
    let line = ProgressLine(context)
    machine.clock.advance(by: 10_000)
    line.show("x")
    #expect(context.terminal.error.text.isEmpty)
  }

  @Test func `progress into a file is lines without escapes`() throws {
    let machine = try TestMachine()
    let context = try machine.context("--progress", "always")
    let line = ProgressLine(context)
    machine.clock.advance(by: 1000)
    line.show("one")
    machine.clock.advance(by: 1000)
    line.show("two")
    line.clear()
    #expect(context.terminal.error.text == "one\ntwo\n")
  }
}
