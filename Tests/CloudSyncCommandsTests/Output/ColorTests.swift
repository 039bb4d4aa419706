import CommandFoundation
import Testing

@testable import CloudSyncCommands

/// The settings that decide about colour, in order.
struct ColorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var option: When?
    var environment: [String: String]
    var isTerminal: Bool
    var expected: Bool

    init(
      _ name: String, _ option: When? = nil, _ environment: [String: String] = [:],
      terminal: Bool, _ expected: Bool
    ) {
      testDescription = name
      self.option = option
      self.environment = environment
      isTerminal = terminal
      self.expected = expected
    }
  }

  static let cases: [Case] = [
    Case("a terminal has colour", terminal: true, true),
    Case("a pipe has none", terminal: false, false),
    Case("a dumb terminal has none", nil, ["TERM": "dumb"], terminal: true, false),
    Case("CLICOLOR=0 takes it away", nil, ["CLICOLOR": "0"], terminal: true, false),
    Case("NO_COLOR takes it away", nil, ["NO_COLOR": "1"], terminal: true, false),
    Case("NO_COLOR=0 does as well", nil, ["NO_COLOR": "0"], terminal: true, false),
    Case("an empty NO_COLOR says nothing", nil, ["NO_COLOR": ""], terminal: true, true),
    Case("FORCE_COLOR gives it to a pipe", nil, ["FORCE_COLOR": "1"], terminal: false, true),
    Case("CLICOLOR_FORCE as well", nil, ["CLICOLOR_FORCE": "1"], terminal: false, true),
    Case("CLICOLOR_FORCE=0 does not", nil, ["CLICOLOR_FORCE": "0"], terminal: false, false),
    Case(
      "FORCE_COLOR wins over a dumb terminal", nil, ["FORCE_COLOR": "1", "TERM": "dumb"],
      terminal: true, true),
    Case(
      "NO_COLOR wins over FORCE_COLOR", nil, ["NO_COLOR": "1", "FORCE_COLOR": "1"], terminal: true,
      false),
    Case(
      "our variable wins over NO_COLOR", nil, ["CLOUDSYNC_COLOR": "always", "NO_COLOR": "1"],
      terminal: false, true),
    Case(
      "our variable wins over FORCE_COLOR", nil, ["CLOUDSYNC_COLOR": "never", "FORCE_COLOR": "1"],
      terminal: true, false),
    Case(
      "the option wins over our variable", .never, ["CLOUDSYNC_COLOR": "always"], terminal: true,
      false),
    Case("the option wins over NO_COLOR", .always, ["NO_COLOR": "1"], terminal: false, true),
    Case("auto leaves it to the others", .auto, ["NO_COLOR": "1"], terminal: true, false),
  ]

  @Test(arguments: cases)
  func `the first setting decides`(_ example: Case) {
    let usesColor = ColorChoice.usesColor(
      option: example.option, environment: example.environment, isTerminal: example.isTerminal)
    #expect(usesColor == example.expected)
  }

  @Test func `a pipe gets no escape byte, whatever is printed`() async throws {
    let machine = try TestMachine(configuration: "device: { name: x }\n")
    for arguments in [
      ["config", "show", "--resolved"], ["help", "exit-codes"], ["nonsense"], ["--help"],
    ] {
      let outcome = await machine.run(arguments)
      #expect(!(outcome.output + outcome.error).contains("\u{1B}"))
    }
  }

  @Test func `a terminal gets colour`() async throws {
    var machine = try TestMachine(configuration: "device: { name: x }\n")
    machine.isTerminal = true
    #expect(await machine.run("config", "show").output.contains("\u{1B}[1mkey"))
    #expect(await machine.run("nonsense").error.contains("\u{1B}[31m"))
    #expect(!(await machine.run("nonsense", "--color=never").error.contains("\u{1B}")))
    #expect(!(await machine.run("config", "show", "--color", "never").output.contains("\u{1B}")))
  }
}
