import ArgumentParser
import CommandFoundation
import LocalMachine
import SyncKit
import Synchronization
import Testing

@testable import CloudSyncCommands

/// The passphrase of a backup, as a person types it.
struct BackupPassphraseTests {
  /// A machine with one record, on a terminal on which some lines are typed.
  private static func machine(typing input: String = "") async throws -> TestMachine {
    var machine = try TestMachine()
    #expect(await machine.run("airports", "add", "ZRH", "LSZH").status == 0)
    machine.isTerminal = true
    machine.input = input
    return machine
  }

  @Test func `a person types it twice, and once to open the backup`() async throws {
    var machine = try await Self.machine(typing: "lamp orbit canoe\nlamp orbit canoe\n")
    let made = await machine.run("backup", "create", "b.age")
    #expect(made.status == 0, "\(made.error)")
    #expect(made.error.hasPrefix("Passphrase for the backup: Once more: "), "\(made.error)")
    machine.input = "lamp orbit canoe\n"
    let verified = await machine.run("backup", "verify", "b.age")
    #expect(verified.status == 0 && verified.error.hasPrefix("Passphrase of the backup: "))
    machine.input = "Lamp orbit canoe\n"
    #expect(await machine.run("backup", "verify", "b.age").status == 77)
    // A yes to all questions is no passphrase.
    machine.input = "lamp orbit canoe\n"
    let restored = await machine.run("backup", "restore", "b.age", "--yes")
    #expect(restored.status == 0, "\(restored.error)")
  }

  @Test(arguments: [
    ("lamp orbit canoe\nlamp orbit kayak\n", "differ"), ("sesame\n", "8 characters"),
    ("\n", "8 characters"), ("lamp orbit canoe\n", "differ"), ("", "no passphrase"),
  ])
  func `a slip, a word that is too short or no answer writes nothing`(
    input: String, reason: String
  ) async throws {
    let machine = try await Self.machine(typing: input)
    let outcome = await machine.run("backup", "create", "b.age")
    #expect(outcome.status == 64 && outcome.error.contains(reason), "\(outcome.error)")
    #expect(await machine.run("backup", "verify", "b.age").status == 66)
  }

  @Test func `--no-input asks nothing`() async throws {
    let machine = try await Self.machine(typing: "lamp orbit canoe\nlamp orbit canoe\n")
    let outcome = await machine.run("backup", "create", "b.age", "--no-input")
    #expect(outcome.status == 64 && !outcome.error.contains("Passphrase for"), "\(outcome.error)")
  }

  @Test func `nothing of what is typed is shown, and spaces count`() throws {
    var machine = try TestMachine()
    machine.isTerminal = true
    machine.input = " a b \r\nnext"
    var terminal = machine.terminal()
    let steps = Steps()
    let read = terminal.read
    terminal.hideInput = { steps.add($0 ? "hide" : "show") }
    terminal.read = { () throws(SystemError) in
      steps.add("read")
      return try read()
    }
    let context = try CommandContext(try GlobalOptions.parse([]), terminal)
    #expect(try context.askSecret("Word") == " a b ")
    #expect(steps.all == ["hide", "read", "show"])
    #expect(context.terminal.error.text == "Word: ")
  }

  /// What was done to a terminal, in turn.
  private final class Steps: Sendable {
    private let list = Mutex<[String]>([])
    var all: [String] { list.withLock { $0 } }
    func add(_ step: String) { list.withLock { $0.append(step) } }
  }
}
