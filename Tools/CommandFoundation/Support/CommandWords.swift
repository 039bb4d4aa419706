import ArgumentParser
import SyncKit

/// The words of a command line, arranged so that the parser finds each option where it knows it.
///
/// Global options may stand before the command, `cloudsync --json status`, though only commands that do
/// something have them. Going down the tree of commands also shows which name is not one of them, where
/// the parser would only say that a word was unexpected.
package struct CommandWords {
  /// The words in an order the parser understands.
  package let arranged: [String]
  /// Those that come after the command's name, in the same order.
  package let ownWords: [String]
  /// The names of the commands on the way, the program's own left out.
  package let names: [String]
  /// The command they lead to.
  package let command: any ParsableCommand.Type
  /// Whether they ask for its help page.
  package let wantsHelp: Bool

  /// Goes down the tree as far as the words lead.
  ///
  /// - Throws: ``SyncError`` `usage` for a name that no command has, with the nearest one.
  package init(_ words: [String], root: any ParsableCommand.Type) throws(SyncError) {
    var command = root
    var names: [String] = []
    var options: [String] = []
    var rest = words.map { Self.isPosition($0) ? " \($0)" : $0 }[...]
    while let word = rest.first {
      if word.hasPrefix("-"), word != "-" {
        guard let count = Self.length(of: word), count <= rest.count else { break }
        options += rest.prefix(count)
        rest = rest.dropFirst(count)
        continue
      }
      let below = command.configuration.subcommands
      guard !below.isEmpty else { break }
      guard let next = below.first(where: { Self.names(of: $0).contains(word) }) else {
        throw Self.unknown(word, below: command, after: [root._commandName] + names)
      }
      command = next
      names.append(word)
      rest = rest.dropFirst()
    }
    self.command = command
    self.names = names
    wantsHelp = rest.first.map { $0 == "-h" || $0 == "--help" } ?? false
    let configuration = command.configuration
    if !wantsHelp, let usual = configuration.defaultSubcommand {
      ownWords = options + rest
      arranged = names + [usual._commandName] + ownWords
      return
    }
    // A group prints its help and has no use for options of its commands.
    let isGroup = !configuration.subcommands.isEmpty
    ownWords = (isGroup ? [] : options) + rest
    arranged = names + ownWords
  }

  /// The global options, by their long names.
  package static let globalOptions = [
    "--config", "--profile", "--output", "--color", "--progress", "--log-format", "--json",
    "--plain",
    "--quiet", "--verbose", "--yes", "--dry-run", "--no-input",
  ]

  /// How many words a global option takes, nil for what is none.
  private static func length(of word: String) -> Int? {
    let name = word.prefix { $0 != "=" }
    switch name {
    case "-c", "--config", "--profile", "--output", "--color", "--progress", "--log-format":
      return name.count == word.count ? 2 : 1
    case "--json", "--plain", "-q", "--quiet", "-v", "-vv", "--verbose", "-y", "--yes", "-n",
      "--dry-run",
      "--no-input":
      return name.count == word.count ? 1 : nil
    default: return nil
    }
  }

  /// Whether a word is a position south of the equator, `-33.9,151.2`, which the parser would take for
  /// options; with a space before it, it does not.
  private static func isPosition(_ word: String) -> Bool {
    word.hasPrefix("-") && word.contains(",")
      && word.utf8.allSatisfy { byte in
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || [0x2B, 0x2C, 0x2D, 0x2E].contains(byte)
      }
  }

  private static func names(of command: any ParsableCommand.Type) -> [String] {
    // Made once: a configuration takes as long as the rest of a short command.
    let configuration = command.configuration
    return [configuration.commandName ?? command._commandName] + configuration.aliases
  }

  private static func unknown(
    _ word: String, below command: any ParsableCommand.Type, after names: [String]
  ) -> SyncError {
    let visible = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    let known = visible.flatMap { self.names(of: $0) }
    let path = names.joined(separator: " ")
    let nearest = NearestName.to(word, among: known)
    return SyncError(
      .usage, "there is no command '\(path) \(Sanitized.line(word))'",
      hint: nearest.map { "did you mean '\(path) \($0)'?" } ?? "\(path) --help lists the commands")
  }
}
