import ArgumentParser

/// What a shell may put in place of the last word of a command line.
///
/// The scripts of ``CompletionScript`` know nothing of the commands. They call the program with
/// ``request`` and the words up to the cursor, and read ``text``.
struct Completion {
  /// The first word of such a call; three dashes, so that no option can have this name.
  static let request = "---complete"

  /// A word that fits, and what it is for.
  struct Candidate: Equatable {
    var word: String
    var summary = ""
  }

  /// Which names of files fit as well.
  enum Files: Equatable {
    case none
    /// Files with one of these extensions, or any file for none.
    case files(extensions: [String])
    case folders
  }

  private(set) var candidates: [Candidate] = []
  private(set) var files = Files.none

  /// Looks for what fits.
  ///
  /// - Parameters:
  ///   - words: The words after the program's name; the last one is completed, and may be empty.
  ///   - root: The root of the tree of commands.
  init(_ words: [String], root: any ParsableCommand.Type) {
    let before = Array(words.dropLast())
    let word = words.last ?? ""
    // After a word that no command has, nothing fits.
    guard let line = try? CommandWords(before, root: root) else { return }
    let groups = line.command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    // A group has the options of the command that it runs without a further name.
    let command = line.command.configuration.defaultSubcommand ?? line.command
    let isGroup = !command.configuration.subcommands.isEmpty
    let arguments = CompletionArgument.all(of: isGroup ? GlobalOptions.self : command)
    let given = Given(line.ownWords, of: arguments)

    if let option = given.open {
      offer(option.values(for: word, words, of: command), before: "", word)
    } else if !given.isTerminated, word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
      let value = String(word[word.index(after: equals)...])
      guard let option = arguments.first(where: { $0.names.contains(String(word[..<equals])) })
      else { return }
      offer(option.values(for: value, words, of: command), before: word[...equals], value)
    } else if !given.isTerminated, word.hasPrefix("-") {
      offerOptions(arguments, given, command, isRoot: command == root, word)
    } else if !groups.isEmpty {
      candidates = groups.map {
        Candidate(word: $0._commandName, summary: $0.configuration.abstract)
      }.filter { $0.word.hasPrefix(word) }
    } else {
      let positional = arguments.filter(\.names.isEmpty)
      if let next = positional.dropFirst(given.positions).first
        ?? positional.last.flatMap({ $0.isRepeating ? $0 : nil })
      {
        offer(next.values(for: word, words, of: command), before: "", word)
      } else if word.isEmpty, !given.isTerminated {
        offerOptions(arguments, given, command, isRoot: false, word)
      }
    }
  }

  /// What the scripts read: which files fit, then a line for each candidate, with a tab before its summary.
  var text: String {
    let first =
      switch files {
      case .none: "none"
      case .files(let extensions): (["files"] + extensions).joined(separator: " ")
      case .folders: "folders"
      }
    return ([first] + candidates.map { "\($0.word)\t\(Sanitized.line($0.summary))" })
      .map { "\($0)\n" }.joined()
  }

  private mutating func offer(
    _ values: CompletionArgument.Values, before lead: some StringProtocol, _ word: String
  ) {
    switch values {
    case .list(let list):
      candidates = list.filter {
        $0.lowercased().hasPrefix(word.lowercased()) && !$0.contains(where: \.isNewline)
      }.map { Candidate(word: lead + $0) }
    case .files(let extensions): files = .files(extensions: extensions)
    case .folders: files = .folders
    case .free, .computed: break
    }
  }

  private mutating func offerOptions(
    _ arguments: [CompletionArgument], _ given: Given, _ command: any ParsableCommand.Type,
    isRoot: Bool, _ word: String
  ) {
    var options = arguments.filter {
      $0.isShown && ($0.isRepeating || given.names.isDisjoint(with: $0.names))
    }.compactMap { argument in
      argument.preferredName.map { Candidate(word: $0, summary: argument.summary) }
    }
    if !options.contains(where: { $0.word == "--help" }) {
      options.append(Candidate(word: "--help", summary: "Show help information."))
    }
    if isRoot { options.append(Candidate(word: "--version", summary: "Show the version.")) }
    candidates = options.filter { $0.word.hasPrefix(word) && $0.word != word }
  }
}

/// What the words before the completed one say.
private struct Given {
  /// The options among them.
  var names: Set<String> = []
  /// How many of them are told by their position.
  var positions = 0
  /// The option whose value comes next.
  var open: CompletionArgument?
  /// Whether `--` has ended the options.
  var isTerminated = false

  init(_ words: [String], of arguments: [CompletionArgument]) {
    for word in words {
      if open != nil {
        open = nil
      } else if isTerminated || !word.hasPrefix("-") || word == "-" {
        positions += 1
      } else if word == "--" {
        isTerminated = true
      } else {
        let name = String(word.prefix { $0 != "=" })
        names.insert(name)
        guard name.count == word.count else { continue }
        open = arguments.first { $0.takesValue && $0.names.contains(name) }
      }
    }
  }
}

extension CompletionArgument {
  /// What its value can be, with the answer of the command's own function where it has one.
  fileprivate func values(
    for prefix: String, _ words: [String], of command: any ParsableCommand.Type
  ) -> Values {
    guard case .computed = values else { return values }
    // The parser calls the function, and throws its answer as a message that is to be printed.
    let question = ["---completion", "--", key, "\(words.count - 1)", "\(prefix.count)"]
    do {
      _ = try command.parseAsRoot(question + words.dropLast() + [prefix])
      return .free
    } catch {
      guard command.exitCode(for: error) == .success else { return .free }
      return .list(command.fullMessage(for: error).split(separator: "\n").map(String.init))
    }
  }
}
