import CommandFoundation
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

/// A record is deleted with its children, and another device that has never seen it creates it.
struct CreatedAgainTests {
  private let base: TemporaryFolder
  private let owner: TestMachine
  private let other: TestMachine
  private let third: TestMachine

  init() async throws {
    base = try TemporaryFolder()
    (owner, other, third) = (try TestMachine(), try TestMachine(), try TestMachine())
    for machine in [owner, other, third] {
      machine.clock.advance(by: 1_800_000_000_000)
      let made = await machine.run(
        "init", "--yes", "--unencrypted", "--remote", "r=file:\(base.path)/remote")
      #expect(made.status == 0, "\(made.error)")
    }
  }

  private func run(_ machine: TestMachine, _ words: String...) async {
    machine.clock.advance(by: 1_000)
    let outcome = await machine.run(words)
    #expect(outcome.status == 0, "\(words): \(outcome.error)")
  }

  private func ids(_ machine: TestMachine, _ words: String...) async -> [String] {
    let list = await machine.run(words + ["--json"]).document["records"]?.array ?? []
    return list.compactMap { $0["id"]?.string }.sorted()
  }

  private func settle() async {
    for machine in [owner, other, third, owner] { await run(machine, "sync") }
  }

  @Test func `settings of a namespace that was deleted do not come back with a new one`()
    async throws
  {
    for key in ["old", "older"] {
      await run(owner, "settings", "put", key, "1", "--namespace", "app")
    }
    await run(owner, "sync")
    await run(owner, "settings", "rm", "namespace/app")
    await run(owner, "sync")
    await run(other, "settings", "put", "new", "2", "--namespace", "app")
    await settle()
    for machine in [owner, other, third] {
      #expect(await ids(machine, "settings", "list") == ["new"])
    }
  }
}
