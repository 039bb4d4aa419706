import ArgumentParser
import SyncKitFormats

/// An option or an argument of a command, in the detail that completing a word needs.
struct CompletionArgument {
  /// What a value can be.
  enum Values {
    /// Anything; there is nothing to offer.
    case free
    case list([String])
    /// Files with one of these extensions, or any file for none.
    case files(extensions: [String])
    case folders
    /// What a function of the command returns.
    case computed
  }

  /// `-c` and `--config`; none for an argument that is told by its position.
  var names: [String]
  /// The name by which the parser's completion knows it.
  var key: String
  var takesValue: Bool
  var isRepeating: Bool
  var isShown: Bool
  var summary: String
  var values: Values

  /// The name to offer: a long one where there is one.
  var preferredName: String? { names.first { $0.hasPrefix("--") } ?? names.first }

  /// All options and arguments of a command, in the order of its declaration.
  ///
  /// The parser publishes them only as the JSON document of `--experimental-dump-help`.
  static func all(of command: any ParsableArguments.Type) -> [CompletionArgument] {
    let document = try? JSON(parsing: command._dumpHelp())
    var positions = 0
    return (document?["command"]?["arguments"]?.array ?? []).map { json in
      let argument = CompletionArgument(json, position: positions)
      if argument.names.isEmpty { positions += 1 }
      return argument
    }
  }

  private init(_ argument: JSON, position: Int) {
    names = (argument["names"]?.array ?? []).compactMap { name in
      guard let text = name["name"]?.string else { return nil }
      return (name["kind"]?.string == "long" ? "--" : "-") + text
    }
    key = names.first { $0.hasPrefix("--") } ?? names.first ?? "positional@\(position)"
    takesValue = argument["kind"]?.string != "flag"
    isRepeating = argument["isRepeating"]?.bool ?? false
    isShown = argument["shouldDisplay"]?.bool ?? true
    summary = argument["abstract"]?.string ?? ""
    values = Values(argument["completionKind"], all: argument["allValues"])
  }
}

extension CompletionArgument.Values {
  fileprivate init(_ kind: JSON?, all: JSON?) {
    func strings(_ json: JSON?) -> [String] { (json?.array ?? []).compactMap(\.string) }
    if let list = kind?["list"] {
      self = .list(strings(list["values"]))
    } else if let file = kind?["file"] {
      self = .files(extensions: strings(file["extensions"]))
    } else if kind?["directory"] != nil {
      self = .folders
    } else if kind?["custom"] != nil || kind?["customAsync"] != nil {
      self = .computed
    } else {
      let all = strings(all)
      self = all.isEmpty ? .free : .list(all)
    }
  }
}
