import ArgumentParser
import SyncKitFormats
import SyncKit

/// The help page of a command for programs, as `cloudsync.commands/1`: the command, and all below it.
package struct CommandDocument {
  /// The document.
  package let keys: JSONObject

  /// Describes a command.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - path: The words that lead to it, the program's name first.
  /// - Throws: ``SyncError`` `internal.bug` when the parser describes it in another form.
  package init(_ command: any ParsableCommand.Type, at path: [String]) throws(SyncError) {
    guard let dump = try? JSON(parsing: command._dumpHelp()),
      var described = dump["command"]?.object
    else {
      throw SyncError(.bug, "the command '\(path.joined(separator: " "))' cannot be described")
    }
    // The parser adds a help command of its own at the end, whatever the command.
    described["subcommands"] = .array((described["subcommands"]?.array ?? []).dropLast())
    var keys: JSONObject = ["schema": "cloudsync.commands/1"]
    for (key, value) in Self.command(described, at: path).members { keys[key] = value }
    self.keys = keys
  }

  private static func command(_ described: JSONObject, at path: [String]) -> JSONObject {
    let arguments = visible(described["arguments"])
    let commands = visible(described["subcommands"]).map { inner -> JSON in
      .object(command(inner, at: path + [inner["commandName"]?.string ?? ""]))
    }
    return [
      "name": .string(path.joined(separator: " ")),
      "abstract": described["abstract"] ?? .null,
      "discussion": described["discussion"] ?? .null,
      "aliases": described["aliases"] ?? [],
      "default": described["defaultSubcommand"] ?? .null,
      "arguments": .array(
        arguments.filter { $0["kind"] == "positional" }.map { argument in
          var keys: JSONObject = ["name": argument["valueName"] ?? .null]
          for (key, value) in common(argument).members { keys[key] = value }
          return .object(keys)
        }),
      "options": .array(
        arguments.filter { $0["kind"] != "positional" }.map { option in
          var keys: JSONObject = [
            "names": .array((option["names"]?.array ?? []).compactMap(name).map { .string($0) }),
            "value": option["kind"] == "option" ? option["valueName"] ?? .null : .null,
          ]
          for (key, value) in common(option).members { keys[key] = value }
          return .object(keys)
        }),
      "commands": .array(commands),
    ]
  }

  /// What arguments and options have in common.
  private static func common(_ argument: JSONObject) -> JSONObject {
    [
      "abstract": argument["abstract"] ?? .null,
      "optional": argument["isOptional"] ?? true,
      "repeating": argument["isRepeating"] ?? false,
      "values": argument["allValueStrings"] ?? argument["allValues"] ?? [],
      "default": argument["defaultValue"] ?? .null,
      "section": argument["sectionTitle"] ?? .null,
    ]
  }

  /// The name of an option as it is typed.
  private static func name(_ described: JSON) -> String? {
    guard let name = described["name"]?.string else { return nil }
    return described["kind"] == "long" ? "--\(name)" : "-\(name)"
  }

  private static func visible(_ list: JSON?) -> [JSONObject] {
    (list?.array ?? []).compactMap(\.object).filter { $0["shouldDisplay"] != false }
  }
}
