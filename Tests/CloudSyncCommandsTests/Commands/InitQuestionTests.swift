import LocalMachine
import CommandFoundation
import SyncKit
import Testing

@testable import CloudSyncCommands

/// What `init` asks on a terminal.
struct InitQuestionTests {
  private static func machine(_ answers: String) throws -> TestMachine {
    var machine = try TestMachine()
    (machine.isTerminal, machine.input) = (true, answers)
    return machine
  }

  @Test func `a wrong answer is asked again, and earlier ones stay`() async throws {
    let machine = try Self.machine("laptop\n~/none/sync\nsync.example.org\n~/sync\n")
    let made = await machine.run("init")
    #expect(made.status == 0, "\(made.error)")
    #expect(made.error.contains("there is no folder \(machine.home.path)/none"))
    #expect(made.error.contains("'sync.example.org' is not the URL of a remote"))
    let questions = made.error.ranges(of: "where your devices meet").count
    #expect(questions == 3 && made.error.ranges(of: "name of this").count == 1)
    #expect(await machine.run("config", "get", "device.name", "--plain").output == "laptop\n")
    #expect(LocalFolder.exists("\(machine.home.path)/sync"))
  }

  @Test func `a name that no device can have is asked again as well`() async throws {
    let machine = try Self.machine("a\u{7}b\nlaptop\nlater\n")
    #expect(await machine.run("init").status == 0)
    #expect(await machine.run("config", "get", "device.name", "--plain").output == "laptop\n")
  }

  @Test func `the end of the input is a missing answer, and nothing is set up`() async throws {
    let machine = try Self.machine("laptop\n~/none/sync\n")
    let made = await machine.run("init")
    #expect(made.status == 64 && made.error.contains("the input ended before an answer"))
    #expect(FileSignature(machine.configuration) == nil)
  }

  @Test func `without a terminal nothing is asked`() async throws {
    let machine = try TestMachine()
    let made = await machine.run("init")
    #expect(made.status == 0 && !made.error.contains("other devices see"))
  }
}
