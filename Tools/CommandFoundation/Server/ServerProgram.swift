import LocalMachine
import SyncKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The program of the server, which is installed apart from the client.
package enum ServerProgram {
  /// What its file is called.
  package static let name = "cloudsync-server"

  /// Its commands, which the client has too: their names and what they are for.
  package static let serve = (name: "serve", abstract: "Run the server that devices sync with.")
  package static let token = (
    name: "token", abstract: "Manage the tokens of programs on this machine's server."
  )
  package static let server = (name: "server", abstract: "Manage the server on this machine.")

  /// The name under which a person calls these commands: the client's, where it has become this program.
  package static let called = isCalled("cloudsync") ? "cloudsync" : name

  /// Whether this process was started under a name, whatever its folder.
  private static func isCalled(_ name: String) -> Bool {
    ProcessArguments.current.first?.split(separator: "/").last.map { $0 == name } ?? false
  }

  /// Where the program is: beside this one, or in a folder of `PATH`; nil where it is not installed.
  package static func path(beside program: String, _ variables: [String: String]) -> String? {
    let beside = program.lastIndex(of: "/").map { String(program[..<$0]) }
    let folders = (variables["PATH"] ?? "").split(separator: ":").map(String.init)
    return ([beside].compactMap { $0 } + folders.filter { $0.hasPrefix("/") })
      .map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  /// Becomes the program, under the name of the client.
  ///
  /// - Parameters:
  ///   - words: What is asked of it.
  ///   - program: Where this program is.
  ///   - terminal: The outside world.
  /// - Throws: ``SyncError`` `server.missing` when it is not installed, `store.io` when it cannot be started.
  package static func become(
    _ words: [String], beside program: String, _ terminal: Terminal
  ) throws -> Never {
    guard let path = path(beside: program, terminal.environment) else {
      throw SyncError(
        .serverMissing, "This command needs the program \(name), which is not installed.",
        hint:
          "Install its package with 'apt install ./\(name)_*.deb', or build it with 'Tools/release \(name)' "
          + "and put it next to cloudsync or into a folder of PATH.")
    }
    throw SyncError(terminal.become(path, ["cloudsync"] + words))
  }
}

extension SyncError.Code {
  /// The program of the server is not installed.
  package static let serverMissing = Self("server.missing", exit: 69)
}
