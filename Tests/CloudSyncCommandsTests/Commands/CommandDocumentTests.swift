import ArgumentParser
import CommandFoundation
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

/// The help pages for programs.
struct CommandDocumentTests {
  @Test(arguments: CommandTreeTests.all)
  func `the page of every command is a document`(_ place: CommandTreeTests.Place) async throws {
    let machine = try TestMachine()
    let isOfServer = CommandTreeTests.handed.contains(place.words.first ?? "")
    // `help config` is the topic of this name.
    let hasTopic = place.words == ["config"]
    let outcome = await machine.run(
      isOfServer || hasTopic
        ? place.words + ["--help", "--json"] : ["help"] + place.words + ["--json"])
    #expect(outcome.status == 0 && outcome.error.isEmpty)
    #expect(try Schemas.problems(in: outcome.document, by: "commands").isEmpty)
    #expect(outcome.document["abstract"]?.string == place.command.configuration.abstract)
    #expect(outcome.document["name"]?.string?.hasSuffix(place.words.joined(separator: " ")) == true)
    let below = outcome.document["commands"]?.array?.compactMap { $0["name"]?.string } ?? []
    let shown = place.command.configuration.subcommands.filter { command in
      command.configuration.shouldDisplay
    }
    #expect(below.count == shown.count)
  }

  @Test func `the root lists every command with its arguments and options`() async throws {
    let document = try await TestMachine().run("help", "--json").document
    func find(_ name: String, in command: JSON) -> JSON? {
      if command["name"]?.string == name { return command }
      return command["commands"]?.array?.lazy.compactMap { find(name, in: $0) }.first
    }
    let add = try #require(find("cloudsync remote add", in: document))
    #expect(add["arguments"]?.array?.compactMap { $0["name"]?.string } == ["name", "location"])
    let options = add["options"]?.array ?? []
    let dryRun = options.first { $0["names"] == ["-n", "--dry-run"] }
    #expect(dryRun?["value"]?.isNull == true && dryRun?["abstract"]?.string?.isEmpty == false)
    let domains = options.first { $0["names"] == ["--domains"] }
    #expect(domains?["value"]?.string == "a,b" && domains?["optional"]?.bool == true)
  }

  @Test func `--help with --json is the same document`() async throws {
    let machine = try TestMachine()
    let help = await machine.run("help", "sync", "--json")
    #expect(await machine.run("sync", "--help", "--json").output == help.output)
    #expect(await machine.run("--json", "sync", "--help").output == help.output)
    #expect(await machine.run("sync", "--help").output.contains("EXAMPLES:"))
  }
}
