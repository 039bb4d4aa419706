import SyncKit

/// The commands of the program of the server, which the client has too: their names and what they are for.
package enum ServerProgram {
  package static let serve = (name: "serve", abstract: "Run the server that devices sync with.")
  package static let token = (
    name: "token", abstract: "Manage the tokens of programs on this machine's server."
  )
  package static let server = (name: "server", abstract: "Manage the server on this machine.")
}

extension SyncError.Code {
  /// The program of the server is not installed.
  package static let serverMissing = Self("server.missing", exit: 69)
}
