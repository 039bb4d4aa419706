import LocalMachine
import SyncKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// One of the programs that are installed apart from each other and find each other.
package struct SeparateProgram: Sendable {
  /// What its file is called.
  package let name: String
  /// The error when it is not installed.
  private let missing: SyncError.Code

  /// The client.
  package static let client = SeparateProgram(name: "cloudsync", missing: .programMissing)
  /// The server.
  package static let server = SeparateProgram(name: "cloudsync-server", missing: .serverMissing)
  /// The pages of a person at this machine.
  package static let web = SeparateProgram(name: "cloudsync-web", missing: .programMissing)

  /// The command of the client that ``web`` carries out.
  package static let webCommand = (
    name: "web", abstract: "Look at your data and your devices in a browser."
  )

  /// The name under which a person calls its commands: the client's, where that has become this program.
  package var called: String {
    let isClient = ProcessArguments.current.first?.split(separator: "/").last == "cloudsync"
    return isClient ? Self.client.name : name
  }

  /// Where the program is: beside this one, or in a folder of `PATH`; nil where it is not installed.
  package func path(beside program: String, _ variables: [String: String]) -> String? {
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
  /// - Throws: ``SyncError`` `server.missing` or `program.missing` when it is not installed, `store.io` when it cannot
  ///   be started.
  package func become(
    _ words: [String], beside program: String, _ terminal: Terminal
  ) throws -> Never {
    guard let path = path(beside: program, terminal.environment) else {
      throw SyncError(
        missing, "This command needs the program \(name), which is not installed.",
        hint:
          "Install its package with 'apt install ./\(name)_*.deb', or build it with 'Tools/release \(name)' "
          + "and put it next to cloudsync or into a folder of PATH.")
    }
    throw SyncError(terminal.become(path, [Self.client.name] + words))
  }
}
