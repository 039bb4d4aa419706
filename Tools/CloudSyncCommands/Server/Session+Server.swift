import ArgumentParser
import CommandFoundation
import HTTPTransport
import SyncKit

/// Which server a command is about.
struct ServerOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("The server, where several are configured.", valueName: "remote"),
    completion: remoteCompletion)
  var remote: String?
}

extension Session {
  /// A configured server and how to ask it.
  struct Server {
    var name: String
    var client: SyncServerClient
    /// What makes it trusted besides the authorities of the system.
    var trust: ServerTrust
  }

  /// The remotes that are servers.
  var serverRemotes: [Configuration.Remote] {
    configuration.remotes.filter(\.location.isServer)
  }

  /// The server that a command is about: the one that is named, or the only one.
  ///
  /// - Throws: ``SyncError`` `usage` when it is not clear which; `remote.no-server` when there is none,
  ///   or when the remote that is named is a folder or a file.
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
        hint: "say which one with --remote NAME")
    }
    return try server(first.trusting(trust))
  }

  /// A configured server.
  func server(_ remote: Configuration.Remote) throws -> Server {
    Server(
      name: remote.name, client: try SyncServerClient(ServerAccess(remote, surroundings())),
      trust: ServerTrust(
        certificates: remote.web.certificates, fingerprint: remote.web.fingerprint))
  }
}

extension SyncError {
  /// Something that only a server can do, and there is none.
  static func noServer(_ purpose: String, _ remote: Configuration.Remote?) -> SyncError {
    guard let remote else {
      return SyncError(
        .remoteNoServer, "\(purpose) needs a server, and none is configured",
        hint: "host one with 'cloudsync serve', or join one with 'cloudsync init --join LINK'")
    }
    return SyncError(
      .remoteNoServer,
      "\(purpose) needs a server; '\(remote.name)' is a folder or a file, where whoever can read one"
        + " thing can read all and nobody can be shut out again",
      hint:
        "add a server with 'cloudsync remote add NAME https://HOST --join CODE', or give the other"
        + " person a copy with 'export'")
  }
}

extension SyncError.Code {
  /// A folder or a file cannot do what only a server can.
  static let remoteNoServer = Self("remote.no-server", exit: 78)
}
