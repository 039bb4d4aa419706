import ArgumentParser
import CommandFoundation
import SyncKitHTTP
import SyncKit

/// The choice of a server for a command.
struct ServerOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("The server, if several are configured.", valueName: "remote"),
    completion: remoteCompletion)
  var remote: String?
}

extension Session {
  /// A configured server and its client.
  struct Server {
    var name: String
    var client: SyncServerClient
    /// The trust settings besides the authorities of the system.
    var trust: ServerTrust
  }

  /// The remotes that are servers.
  var serverRemotes: [Configuration.Remote] {
    configuration.remotes.filter(\.location.isServer)
  }

  /// The server for a command: the named one, or the only one.
  ///
  /// - Throws: ``SyncError`` `usage` if the choice is not clear; `remote.no-server` if there is none,
  ///   or if the named remote is a folder or a file.
  func server(
    _ name: String?, for purpose: String, trusting trust: ServerTrust = ServerTrust()
  ) throws -> Server {
    if let name {
      guard let remote = configuration[remote: name] else {
        throw SyncError.unknownName("remote", name, among: configuration.remotes.map(\.name))
      }
      guard remote.location.isServer else { throw SyncError.noServer(purpose, remote) }
      return try server(remote.trusting(trust))
    }
    guard let first = serverRemotes.first else {
      throw SyncError.noServer(purpose, configuration.remotes.first)
    }
    guard serverRemotes.count == 1 else {
      throw SyncError(
        .usage, "there are several servers: \(serverRemotes.map(\.name).joined(separator: ", "))",
        hint: "choose one with --remote NAME")
    }
    return try server(first.trusting(trust))
  }

  /// A configured server.
  func server(_ remote: Configuration.Remote) throws -> Server {
    Server(
      name: remote.name, client: try SyncServerClient(ServerAccess(remote, host())),
      trust: ServerTrust(
        certificates: remote.web.certificates, fingerprint: remote.web.fingerprint))
  }
}

extension SyncError {
  /// The error for an action that needs a server, without one.
  static func noServer(_ purpose: String, _ remote: Configuration.Remote?) -> SyncError {
    guard let remote else {
      return SyncError(
        .remoteNoServer, "\(purpose) needs a server, and none is configured",
        hint: "host one with 'cloudsync serve', or join one with 'cloudsync init --join LINK'")
    }
    return SyncError(
      .remoteNoServer,
      "\(purpose) needs a server; '\(remote.name)' is a folder or a file, where anyone who can read one"
        + " thing can read everything, and access cannot be revoked",
      hint:
        "add a server with 'cloudsync remote add NAME https://HOST --join CODE', or give the other"
        + " person a copy with 'export'")
  }
}

extension SyncError.Code {
  /// A folder or a file cannot do what only a server can.
  static let remoteNoServer = Self("remote.no-server", exit: 78)
}
