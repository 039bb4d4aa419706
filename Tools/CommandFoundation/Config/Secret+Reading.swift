import LocalMachine
import SyncKit

extension Secret {
  /// Fetches the secret from where it is.
  ///
  /// - Parameter environment: All variables.
  /// - Returns: The first line, without what ends it.
  /// - Throws: ``SyncError`` `config.invalid` when it cannot be read there or is empty; the message
  ///   names the source and never the secret.
  package func read(environment: [String: String]) throws(SyncError) -> String {
    let text: String
    switch self {
    case .text(let plain): text = plain
    case .environment(let name):
      guard let value = environment[name] else { throw Self.missing("the variable \(name)") }
      text = value
    case .file(let path): text = try Self.contents(of: path)
    case .credential(let name):
      guard let folder = environment["CREDENTIALS_DIRECTORY"], !name.contains("/") else {
        throw Self.missing("the credential \(name)")
      }
      text = try Self.contents(of: LocalFolder.path(folder, name))
    case .command(let command): text = try Self.output(of: command)
    case .keyring(let name): text = try Keyring.secret(name)
    }
    // By bytes: CR and LF together are one character and would not be found as two.
    let secret = text.utf8.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    guard !secret.isEmpty else { throw Self.missing(place) }
    return String(decoding: secret, as: UTF8.self)
  }

  private var place: String {
    switch self {
    case .command(let command): "the output of \(command.first ?? "a command")"
    case .file(let path): path
    case .environment(let name): "the variable \(name)"
    case .credential(let name): "the credential \(name)"
    case .keyring(let name): "the entry \(name) of the keyring"
    case .text: "the configuration"
    }
  }

  private static func contents(of path: String) throws(SyncError) -> String {
    do throws(SystemError) {
      return String(decoding: try LocalFile.read(path, limit: 1 << 16), as: UTF8.self)
    } catch {
      throw SyncError(.configInvalid, "could not read the secret: \(error)")
    }
  }

  private static func output(of command: [String]) throws(SyncError) -> String {
    let result: (status: Int32, output: [UInt8])
    do throws(SystemError) {
      result = try ChildProcess.run(command)
    } catch {
      throw SyncError(.configInvalid, "could not read the secret: \(error)")
    }
    guard result.status == 0 else {
      let program = command.first ?? "a command"
      throw SyncError(
        .configInvalid, "could not read the secret: \(program) ended with \(result.status)")
    }
    return String(decoding: result.output, as: UTF8.self)
  }

  private static func missing(_ place: String) -> SyncError {
    SyncError(.configInvalid, "could not read the secret: \(place) is missing or empty")
  }
}
