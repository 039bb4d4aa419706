public import SegmentFormat
import SyncKit

/// Keeps blobs as files of a folder of an SSH server.
///
/// - The folder's own path may lead through links; below it no link is followed, and only plain files are read.
/// - A blob is written under a temporary name, brought to the disk where the server can do that (OpenSSH can), and
///   then given its name, in place of another one only when it is to replace it.
/// - Files get the modes that the server gives.
/// - Requests travel together wherever one does not need the answer of another.
public struct SFTPBlobStore: BlobStore {
  let server: SFTPServer
  /// The folder's path as the server takes it.
  let path: String
  private let isMade: Bool

  /// Keeps blobs in a folder of a server.
  ///
  /// - Parameters:
  ///   - server: The server; remotes that share it share its connection.
  ///   - path: The folder's path there; below the login folder unless it begins with `/`.
  ///   - createIfParentExists: Whether ``prepare(creating:)`` makes the folder in a parent that exists.
  public init(server: SFTPServer, path: String, createIfParentExists: Bool = false) {
    self.server = server
    var parts = path.split(separator: "/").filter { $0 != "." }
    if parts.first == "~", !path.hasPrefix("/") { parts.removeFirst() }
    let rest = parts.joined(separator: "/")
    self.path = path.hasPrefix("/") ? "/\(rest)" : rest.isEmpty ? "." : rest
    isMade = createIfParentExists
  }

  public var location: String {
    let shown = path.hasPrefix("/") ? path : path == "." ? "/~" : "/~/\(path)"
    return "'sftp://\(server.access.place)\(shown)'"
  }

  /// The path of a blob or a folder as the server takes it.
  func full(_ name: String) -> String {
    name.isEmpty ? path : path == "/" ? "/\(name)" : "\(path)/\(name)"
  }

  public func prepare(creating mayCreate: Bool) async throws {
    try check()
    try await server.perform { connection in
      var found = try await connection.send(.follow(path)).attributes()
      if case .failure(let status) = found, status.isMissing, isMade, mayCreate {
        try await make(connection)
        found = try await connection.send(.follow(path)).attributes()
      }
      try checkRoot(found)
    }
  }

  private func make(_ connection: SFTPConnection) async throws {
    let status = try await connection.send(.makeFolder(path)).status()
    if status.isDone { return try await synchronize(folder: parent(path), connection) }
    if status.isMissing {
      throw SyncError(
        .remoteUnavailable,
        "The folder \(location) cannot be created: its parent folder does not exist.",
        hint: "Create the parent folder, or correct the remote's folder.")
    }
    // Another device may have been faster.
    if case .success = try await connection.send(.look(path)).attributes() { return }
    throw try await failure("create", path, status, storing: 1, connection)
  }

  private func parent(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Refuses a path that no server takes.
  private func check() throws {
    guard !path.utf8.contains(0) else { throw unavailable(SFTPStatus(SFTPStatus.noSuchFile)) }
  }

  /// Refuses a folder that is none.
  func checkRoot(_ found: Result<SFTPAttributes, SFTPStatus>) throws {
    switch found {
    case .failure(let status): throw unavailable(status)
    case .success(let attributes):
      guard attributes.kind == .folder || attributes.kind == nil else {
        throw SyncError(
          .remoteUnavailable, "\(location) is not a folder.", hint: "Correct the remote's folder.")
      }
    }
  }

  public func list(_ folder: String, _ reach: BlobReach) async throws -> BlobListing {
    guard let parts = folder.isEmpty ? [] : BlobName.parts(of: folder) else {
      return BlobListing()
    }
    return try await server.perform { connection in
      let root = folder.isEmpty ? nil : connection.send(.follow(path))
      let steps = look(parts, connection)
      var walk = SFTPWalk(reach: reach, store: self, connection: connection)
      let opening = walk.open(folder)
      do {
        if let root { try checkRoot(await root.attributes()) }
        for step in steps {
          // A folder that a link leads to is not looked into.
          if case .success(let found) = try await step.attributes(), found.isFolderOrUnknown {
            continue
          }
          walk.abandon(opening)
          return BlobListing()
        }
      } catch {
        walk.abandon(opening)
        throw error
      }
      return try await walk.listing(of: folder, opening)
    }
  }

  /// Asks what each of the folders on the way to a name is.
  func look(_ parts: some Collection<String>, _ connection: SFTPConnection) -> [SFTPTicket] {
    var name = ""
    return parts.map { part in
      name = name.isEmpty ? part : "\(name)/\(part)"
      return connection.send(.look(full(name)))
    }
  }

  public func get(_ name: String, upTo limit: Int) async throws -> [UInt8]? {
    guard limit > 0, let parts = BlobName.parts(of: name) else { return nil }
    return try await server.perform { connection in
      let root = connection.send(.follow(path))
      let steps = look(parts, connection)
      try checkRoot(await root.attributes())
      var size = UInt64(limit)
      for (number, step) in steps.enumerated() {
        switch try await step.attributes() {
        case .failure: return nil
        case .success(let found) where number == steps.count - 1:
          // A look before opening: to open a pipe can hold up the server.
          guard found.kind == .file || found.kind == nil else { return nil }
          size = min(found.size ?? size, size)
        case .success(let found): guard found.isFolderOrUnknown else { return nil }
        }
      }
      let file: SFTPFile
      switch try await connection.open(full(name), .reading) {
      case .success(let opened): file = opened
      case .failure(let status):
        if status.isMissing || status.code == SFTPStatus.permissionDenied { return nil }
        throw unread(name, status)
      }
      defer { file.close() }
      return try await SFTPReading(file.handle, Int(size), connection).bytes {
        unread(name, $0)
      }
    }
  }

  private func unread(_ name: String, _ status: SFTPStatus) -> SyncError {
    SyncError(
      .remoteUnread, "Could not read '\(name)' in \(location).",
      hint: "Sync again; if it fails again, check the server's disk.",
      cause: status.message.isEmpty ? "status \(status.code)" : status.message)
  }
}

extension SFTPAttributes {
  /// Whether it can be a folder.
  var isFolderOrUnknown: Bool { kind == .folder || kind == nil }
}
