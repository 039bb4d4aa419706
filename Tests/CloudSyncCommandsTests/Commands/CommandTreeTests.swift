import ArgumentParser
import CloudSyncServerCommands
import CloudSyncWebCommands
import CommandFoundation
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

/// The rules for every command.
struct CommandTreeTests {
  /// A command and the words that lead to it.
  struct Place: Sendable, CustomTestStringConvertible {
    var words: [String]
    var command: any ParsableCommand.Type
    var testDescription: String { (["cloudsync"] + words).joined(separator: " ") }
  }

  /// All commands of the client, with those of other programs instead of the forwarded ones.
  static let all =
    places(Place(words: [], command: CloudSync.self)).filter {
      !($0.command is any ForwardedCommand.Type)
    } + places(Place(words: [], command: CloudSyncWeb.self)).dropFirst()
    + places(Place(words: [], command: CloudSyncServer.self)).dropFirst()

  /// The commands that the client forwards.
  static let handed = CloudSync.configuration.subcommands.filter {
    $0 is any ForwardedCommand.Type
  }.map { $0._commandName }

  @Test
  func `the client forwards exactly the others' commands and describes them in the same words`() {
    let others =
      CloudSyncWeb.configuration.subcommands + CloudSyncServer.configuration.subcommands
    #expect(Self.handed == others.map { $0._commandName })
    for command in CloudSync.configuration.subcommands where command is any ForwardedCommand.Type {
      let other = others.first { $0._commandName == command._commandName }
      #expect(command.configuration.abstract == other?.configuration.abstract)
    }
  }

  private static func places(_ place: Place) -> [Place] {
    [place]
      + place.command.configuration.subcommands.flatMap { command in
        places(Place(words: place.words + [command._commandName], command: command))
      }
  }

  @Test(arguments: all)
  func `its help prints and shows two examples or more`(_ place: Place) async throws {
    let machine = try TestMachine()
    let outcome = await machine.run(place.words + ["--help"])
    #expect(outcome.status == 0 && outcome.error.isEmpty)
    #expect(outcome.output.contains("EXAMPLES:"))
    let examples = outcome.output.split(separator: "\n").filter {
      $0.hasPrefix("  cloudsync ") || $0.hasPrefix("  cloudsync-server ")
    }
    #expect(examples.count + (place.words == ["config", "path"] ? 1 : 0) >= 2)
    let isOfServer = CommandTreeTests.handed.contains(place.words.first ?? "")
    #expect(await machine.run(["help"] + place.words).status == (isOfServer ? 74 : 0))
  }

  @Test(arguments: all)
  func `it has a summary that ends like a sentence`(_ place: Place) {
    #expect(place.command.configuration.abstract.hasSuffix("."))
  }

  @Test(arguments: all)
  func `its name has no special meaning in YAML or a shell`(_ place: Place) {
    guard let name = place.words.last else { return }
    #expect(name.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || $0 == 0x2D })
  }

  @Test(arguments: all)
  func `it has all global options, or only groups others`(_ place: Place) {
    let isGroup = !place.command.configuration.subcommands.isEmpty
    #expect(isGroup != (place.command is any ContextCommand.Type))
  }

  @Test func `the program without arguments prints its help`() async throws {
    let outcome = try await TestMachine().run()
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("USAGE: cloudsync <subcommand>"))
  }

  @Test func `both ways to print the version agree`() async throws {
    let machine = try TestMachine()
    #expect(await machine.run("--version").output == "cloudsync \(Version.number)\n")
    #expect(await machine.run("version").output == "cloudsync \(Version.number)\n")
    #expect(await machine.run("version", "--json").document["version"]?.string == Version.number)
    #expect(await machine.run("version", "--plain").output == "\(Version.number)\n")
  }
}
