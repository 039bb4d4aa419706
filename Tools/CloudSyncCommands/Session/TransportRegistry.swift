import CommandFoundation
import FileTransport
import SyncKitHTTP
import SQLiteTransport
import SyncKit

/// The facts of the device that a transport may need besides its location.
struct TransportContext: Sendable {
  /// Whether a missing location may be created.
  var mayCreate = false
  /// The clock and the source of randomness.
  var environment: SyncEnvironment
  /// All variables.
  var variables: [String: String] = [:]
  /// The folder of the stores, where tokens are kept too.
  var data: String
}

/// Registers a kind of remote with the command line: one line in ``TransportRegistry``.
struct TransportRegistration: Sendable {
  /// The scheme of its URLs, such as `file`.
  let scheme: String
  /// The transport for a configured location; nil if it is of another kind.
  let open: @Sendable (Configuration.Remote, TransportContext) throws -> (any Transport)?
}

/// The kinds of remotes of this build.
enum TransportRegistry {
  static let all: [TransportRegistration] = [
    TransportRegistration(scheme: "file") { remote, host in
      guard case .file(let path) = remote.location else { return nil }
      return FileTransport(
        path: path, createIfParentExists: host.mayCreate, whenMoved: remote.moveAdvice)
    },
    TransportRegistration(scheme: "sqlite") { remote, host in
      guard case .sqlite(let path) = remote.location else { return nil }
      return SQLiteTransport(
        path: path, createIfParentExists: host.mayCreate, whenMoved: remote.moveAdvice)
    },
    TransportRegistration(scheme: "http") { remote, host in
      guard case .http = remote.location else { return nil }
      return try HTTPTransport(ServerAccess(remote, host))
    },
  ]

  /// The transport for a location.
  ///
  /// - Throws: ``SyncError`` `remote.unsupported` if this build has none.
  static func transport(
    for remote: Configuration.Remote, _ host: TransportContext
  ) throws -> any Transport {
    for registration in all {
      if let transport = try registration.open(remote, host) { return transport }
    }
    throw SyncError(
      .remoteUnsupported, "this build cannot reach '\(remote.name)' (\(remote.location.url))",
      hint: "it supports these kinds of remote: \(all.map(\.scheme).joined(separator: ", "))")
  }
}

extension SyncError.Code {
  /// A kind of remote that this build has no transport for.
  static let remoteUnsupported = Self("remote.unsupported", exit: 78)
}

extension Configuration.Remote.Location {
  /// The location as a URL.
  var url: String {
    switch self {
    case .file(let path): "file:\(path)"
    case .sqlite(let path): "sqlite:\(path)"
    case .http(let url, _): url
    }
  }
}
