import LocalMachine
import CommandFoundation
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

/// What `status` tells people, and what its exit status tells.
struct StatusWordsTests {
  private let machine: TestMachine

  init() async throws {
    machine = try TestMachine()
    machine.clock.advance(by: 1_800_000_000_000)
    let made = await machine.run(
      "init", "--yes", "--unencrypted", "--domains", "airports", "--remote", "r=~/remote")
    #expect(made.status == 0, "\(made.error)")
  }

  private func state() async -> String? {
    await machine.run("status", "--json").document["domains"]?[0]?["state"]?.string
  }

  @Test func `a state has words for people and a name for programs`() async throws {
    #expect(await machine.run("status").output.contains("never synced"))
    #expect(await state() == "neverSynced")
    #expect(await machine.run("sync").status == 0)
    #expect(await machine.run("status").output.contains("up to date"))
    #expect(await state() == "upToDate")
    #expect(await machine.run("status", "--plain").output.contains("\tupToDate\t"))
  }

  @Test func `the last sync is told by its distance, and in full when more is asked for`()
    async throws
  {
    #expect(await machine.run("status").output.contains("never  "))
    #expect(await machine.run("sync").status == 0)
    #expect(await machine.run("status").output.contains("just now"))
    machine.clock.advance(by: 185_000)
    #expect(await machine.run("status").output.contains("3 minutes ago"))
    #expect(await machine.run("status", "-v").output.contains(LocalTime.text(1_800_000_000_000)))
    let document = await machine.run("status", "--json").document
    #expect(document["domains"]?[0]?["lastSync"] == "2027-01-15T08:00:00.000Z")
    machine.clock.advance(by: -7_385_000)
    #expect(await machine.run("status").output.contains("in 2 hours"))
  }

  @Test func `a remote that is away is no finding as long as nothing waits for it`() async throws {
    #expect(await machine.run("sync").status == 0)
    let place = "\(machine.home.path)/remote"
    try LocalFile.move(place, to: "\(place).away")
    #expect(await machine.run("sync").status == 69)
    #expect(await state() == "offline")
    #expect(await machine.run("status", "--check").status == 0)
    #expect(await machine.run("airports", "add", "ZRH", "LSZH").status == 0)
    #expect(await machine.run("status", "--check").status == 2)
  }

  @Test func `a remote that no domain uses is given domains by remote add`() async throws {
    #expect(await machine.run("config", "unset", "domains.airports.remotes").status == 0)
    let sync = await machine.run("sync", "-v")
    #expect(sync.error.contains("cloudsync remote add") && !sync.error.contains("config set"))
    #expect(
      await machine.run("remote", "add", "--unencrypted", "r", "~/remote", "--domains", "airports")
        .status == 0)
    #expect(await machine.run("sync").status == 0)
    #expect(await state() == "upToDate")
  }

  @Test func `what other devices changed in a tree is told without its parent`() async throws {
    let other = try TestMachine()
    other.clock.advance(by: 1_800_000_000_000)
    let (place, home) = ("\(machine.home.path)/settings", machine)
    for device in [home, other] {
      if device.home.path == other.home.path {
        let made = await other.run(
          "init", "--yes", "--unencrypted", "--domains", "settings", "--remote", "s=\(place)")
        #expect(made.status == 0, "\(made.error)")
      } else {
        #expect(await home.run("config", "set", "domains.settings.enabled", "true").status == 0)
        let added = await home.run(
          "remote", "add", "--unencrypted", "s", place, "--domains", "settings")
        #expect(added.status == 0, "\(added.error)")
      }
    }
    func sync(_ device: TestMachine) async {
      let outcome = await device.run("sync", "--domain", "settings")
      #expect(outcome.status == 0, "\(outcome.error)")
    }
    #expect(await home.run("settings", "put", "theme", "dark", "--namespace", "app").status == 0)
    await sync(home)
    await sync(other)
    #expect(await home.run("settings", "put", "size", "12", "--namespace", "app").status == 0)
    await sync(home)
    await sync(other)
    let entry = await other.run("log", "--json").document["entries"]?[0]
    let records = entry?["changes"]?[0]?["records"]?.array?.compactMap(\.string) ?? []
    #expect(records.count == 1 && records[0].contains("size"), "\(records)")
    let table = await other.run("log").output
    #expect(table.contains("changed by another device: \(records.first ?? "?")"), "\(table)")
  }
}
