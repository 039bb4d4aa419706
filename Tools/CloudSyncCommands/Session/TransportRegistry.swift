import FileTransport
import SQLiteTransport
import SyncKit

/// Makes a kind of remote known to the command line: one line in ``TransportRegistry``.
struct TransportRegistration: Sendable {
  /// What a URL of the kind begins with, such as `file`.
  let scheme: String
  /// The transport for a configured place; nil when the place is of another kind.
  ///
  /// The second argument says whether a missing place may be made.
  let make: @Sendable (Configuration.Remote.Location, Bool) -> (any Transport)?
}

/// The kinds of remotes of this build.
enum TransportRegistry {
  static let all: [TransportRegistration] = [
    TransportRegistration(scheme: "file") { location, mayCreate in
      guard case .file(let path) = location else { return nil }
      return FileTransport(path: path, createIfParentExists: mayCreate)
    },
    TransportRegistration(scheme: "sqlite") { location, mayCreate in
      guard case .sqlite(let path) = location else { return nil }
      return SQLiteTransport(path: path, createIfParentExists: mayCreate)
    },
  ]

  /// The transport that reaches a place.
  ///
  /// - Throws: ``SyncError`` `remote.unsupported` when this build has none.
  static func transport(
    for remote: Configuration.Remote, creating mayCreate: Bool = false
  ) throws -> any Transport {
    for registration in all {
      if let transport = registration.make(remote.location, mayCreate) { return transport }
    }
    throw SyncError(
      .remoteUnsupported, "this build cannot reach '\(remote.name)' (\(remote.location.url))",
      hint: "it knows remotes of the kinds \(all.map(\.scheme).joined(separator: ", "))")
  }
}

extension SyncError.Code {
  /// A kind of remote that this build has no transport for.
  static let remoteUnsupported = Self("remote.unsupported", exit: 78)
}

extension Configuration.Remote.Location {
  /// The place as a URL.
  var url: String {
    switch self {
    case .file(let path): "file:\(path)"
    case .sqlite(let path): "sqlite:\(path)"
    case .http(let url, _): url
    }
  }
}
