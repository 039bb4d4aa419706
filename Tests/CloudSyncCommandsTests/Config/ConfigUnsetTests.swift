import CommandFoundation
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

/// A setting that is removed again.
struct ConfigUnsetTests {
  private static let text = """
    version: 1
    # Ours.
    remotes:
      home: { type: http, url: "https://sync.example.org", fingerprint: "\(String(repeating: "AB", count: 32))" }
    defaults: { poll: 1m }

    """

  @Test func `a fingerprint goes, and every other line stays`() async throws {
    let machine = try TestMachine(configuration: Self.text)
    let gone = await machine.run("config", "unset", "remotes.home.fingerprint", "--json")
    #expect(gone.status == 0 && gone.document["changed"] == true, "\(gone.error)")
    #expect(try Schemas.problems(in: gone.document, by: "config").isEmpty)
    let left = try machine.home.read(TestMachine.file)
    #expect(left.contains("# Ours.") && left.contains("poll: 1m"))
    #expect(left.contains("{ type: http, url: \"https://sync.example.org\" }"), "\(left)")
    #expect(await machine.run("config", "get", "remotes.home.fingerprint").status == 66)
  }

  @Test func `a dry run changes nothing, and again there is nothing to do`() async throws {
    let machine = try TestMachine(configuration: Self.text)
    #expect(await machine.run("config", "unset", "defaults.poll", "-n").status == 0)
    #expect(try machine.home.read(TestMachine.file) == Self.text)
    #expect(await machine.run("config", "unset", "defaults.poll").status == 0)
    let again = await machine.run("config", "unset", "defaults.poll")
    #expect(again.status == 0 && again.error.contains("is not set in"))
  }

  @Test func `what must be there stays, and a misspelt key gets a suggestion`() async throws {
    let machine = try TestMachine(configuration: Self.text)
    #expect(await machine.run("config", "unset", "remotes.home.url").status == 78)
    #expect(try machine.home.read(TestMachine.file) == Self.text)
    let wrong = await machine.run("config", "unset", "defaults.pol")
    #expect(wrong.status == 64 && wrong.error.contains("poll"))
  }
}
