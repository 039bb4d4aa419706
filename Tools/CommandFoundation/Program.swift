import Synchronization

/// The program that runs: its name, and what its domains and transports add to the configuration.
///
/// A process is one program. It is chosen once, before the first command line is read; until then, and in
/// the program of the server, it is `cloudsync` without domains and transports.
package struct Program: Sendable {
  /// What people type; it names the folders (`~/.config/NAME`) and the variables (`NAME_…`) as well.
  package var name: String
  /// What `--version` says behind the name.
  package var version: String
  /// What its domains and transports add; nil in a program that reads the configuration of another one
  /// and leaves alone what is none of its own.
  package var plugIns: (@Sendable () -> ConfigPlugIns)?

  package init(
    name: String = Self.usualName, version: String = Version.number,
    plugIns: (@Sendable () -> ConfigPlugIns)? = nil
  ) {
    self.name = name
    self.version = version
    self.plugIns = plugIns
  }

  package static let usualName = "cloudsync"

  private static let chosen = Mutex<Program?>(nil)

  /// The program of this process.
  package static var current: Program { chosen.withLock { $0 } ?? Program() }

  /// Makes this process a program.
  package static func choose(_ program: Program) { chosen.withLock { $0 = program } }

  /// What the variables of this program begin with.
  package var variablePrefix: String {
    String(name.uppercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }) + "_"
  }
}

/// What domains and transports add to the table of keys.
package struct ConfigPlugIns: Sendable {
  /// A domain.
  package struct Domain: Sendable {
    package var name: String
    /// Its keys besides those of every domain.
    package var keys: [ConfigKey]
    /// Whether `include` and `exclude` have something to choose among.
    package var hasPatterns: Bool

    package init(name: String, keys: [ConfigKey], hasPatterns: Bool) {
      self.name = name
      self.keys = keys
      self.hasPatterns = hasPatterns
    }
  }

  /// A kind of remote.
  package struct Remote: Sendable {
    /// What `type` says.
    package var type: String
    /// Its keys besides those of every remote.
    package var keys: [ConfigKey]

    package init(type: String, keys: [ConfigKey]) {
      self.type = type
      self.keys = keys
    }
  }

  package var domains: [Domain]
  package var remotes: [Remote]

  package init(domains: [Domain], remotes: [Remote]) {
    self.domains = domains
    self.remotes = remotes
  }
}

extension [ConfigKey] {
  /// Adds keys that only some maps have; one that is there already goes with those as well.
  package mutating func add(_ keys: [ConfigKey], only kind: String) {
    for var key in keys {
      if let index = firstIndex(where: { $0.name == key.name && !$0.only.isEmpty }) {
        self[index].only.append(kind)
      } else {
        key.only = [kind]
        append(key)
      }
    }
  }
}

// MARK: Words

extension Program {
  /// A text for people with the name of this program wherever it says what to type.
  ///
  /// The texts are written for `cloudsync`, which they are left for.
  package static func words(_ text: String) -> String {
    let program = current
    guard program.name != usualName else { return text }
    let old = Array(usualName.utf8) + [UInt8(ascii: " ")]
    let variables = Array("CLOUDSYNC_".utf8)
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index...].starts(with: variables) {
        result += Array(program.variablePrefix.utf8)
        index += variables.count
      } else if bytes[index...].starts(with: old), isTyped(result) {
        result += Array(program.name.utf8) + [UInt8(ascii: " ")]
        index += old.count
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether a command line may begin behind a text: at its start, in quotes, behind `: ` or `; `, indented.
  private static func isTyped(_ before: [UInt8]) -> Bool {
    guard let last = before.last else { return true }
    switch last {
    case UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "\n"): return true
    case UInt8(ascii: " "):
      let rest = before.dropLast()
      return rest.last.map {
        [UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: " ")].contains($0)
      }
        ?? true
    default: return false
    }
  }
}
