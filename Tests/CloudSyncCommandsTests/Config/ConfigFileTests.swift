import LocalMachine
import CommandFoundation
import SyncKit
import Testing

@testable import CloudSyncCommands

/// Two processes that change the configuration at once.
struct ConfigFileTests {
  @Test func `changes of another process are not overwritten`() async throws {
    let machine = try TestMachine(configuration: "version: 1\n")
    var file = try ConfigFile(machine.context())
    try file.set(["device", "name"], to: "laptop")
    let other = "version: 1\ndefaults: { poll: 5s }\n"
    try machine.home.write(other, to: TestMachine.file)
    let error = await #expect(throws: SyncError.self) { try await file.save() }
    #expect(error?.code == .configChanged && error?.code.exit == 75)
    #expect(try machine.home.read(TestMachine.file) == other)

    var again = try ConfigFile(machine.context())
    try again.set(["device", "name"], to: "laptop")
    try await again.save()
    #expect(try machine.load().setting(at: ConfigPath("defaults.poll"))?.shown == "5s")
    #expect(try machine.load().values.deviceName == "laptop")
  }

  @Test
  func `a file created meanwhile is not overwritten, and one removed meanwhile not created again`()
    async throws
  {
    let machine = try TestMachine()
    var file = try ConfigFile(machine.context())
    try file.set(["version"], to: "1")
    try machine.home.write("version: 1\n# mine\n", to: TestMachine.file)
    await #expect(throws: SyncError.self) { try await file.save() }
    #expect(try machine.home.read(TestMachine.file) == "version: 1\n# mine\n")
    var other = try ConfigFile(machine.context())
    try other.set(["device", "name"], to: "laptop")
    try LocalFile.remove(machine.configuration)
    await #expect(throws: SyncError.self) { try await other.save() }
    #expect(FileSignature(machine.configuration) == nil)
  }

  @Test func `of two remotes added at once every domain gets both`() async throws {
    let machine = try TestMachine()
    let place = "file:\(machine.home.path)"
    let made = await machine.run(
      "init", "--yes", "--unencrypted", "--remote", "first=\(place)/first", "-q")
    #expect(made.status == 0, "\(made.error)")
    async let one = machine.run("remote", "add", "--unencrypted", "a", "\(place)/a")
    async let two = machine.run("remote", "add", "--unencrypted", "b", "\(place)/b")
    for (name, outcome) in [("a", await one), ("b", await two)] {
      // A process that comes in between must try again.
      if outcome.status == 75 {
        #expect(
          await machine.run("remote", "add", "--unencrypted", name, "\(place)/\(name)").status == 0)
      } else {
        #expect(outcome.status == 0, "\(outcome.error)")
      }
    }
    for domain in try machine.load().values.domains {
      #expect(Set(domain.remotes) == ["first", "a", "b"], "\(domain.name)")
    }
  }
}
