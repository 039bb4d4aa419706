import SegmentFormat
import SyncKit

extension SFTPBlobStore {
  public func put(_ name: String, _ bytes: [UInt8], replacing: Bool) async throws -> Bool {
    guard let parts = BlobName.parts(of: name), BlobName.isProper(name) else {
      throw SyncError(.bug, "'\(name)' cannot be the name of a blob.")
    }
    let folder = parts.dropLast().joined(separator: "/")
    var left: [String] = []
    return try await server.perform { connection in
      // What an earlier connection could not remove.
      for name in left { connection.send(.remove(full(name))) }
      var isKnown = connection.knows(full(folder))
      while true {
        if !isKnown { try await reach(Array(parts.dropLast()), connection) }
        if !replacing, try await isTaken(name, in: folder, connection) { return false }
        let draft = SFTPDraft(name: name, folder: folder, store: self, connection: connection)
        left.append(draft.temporary)
        if let isStored = try await draft.write(bytes, replacing: replacing, isKnown: isKnown) {
          return isStored
        }
        // The folder went away since it was seen.
        connection.note(full(folder), isThere: false)
        isKnown = false
      }
    }
  }

  /// Whether something bears the name; it is durable then.
  private func isTaken(
    _ name: String, in folder: String, _ connection: SFTPConnection
  ) async throws -> Bool {
    guard case .success(let found) = try await connection.send(.look(full(name))).attributes()
    else { return false }
    // Its writer may have been cut off before it was.
    if found.kind == .file {
      try await synchronize(file: name, connection)
      try await synchronize(folder: full(folder), connection)
    }
    return true
  }

  /// Makes the folders on the way to a blob, as far as they are missing.
  private func reach(_ parts: [String], _ connection: SFTPConnection) async throws {
    let root = connection.send(.follow(path))
    let steps = look(parts, connection)
    try checkRoot(await root.attributes())
    var folder = ""
    for (part, step) in zip(parts, steps) {
      let above = folder
      folder = folder.isEmpty ? part : "\(folder)/\(part)"
      var found = try await step.attributes()
      if case .failure(let status) = found, status.isMissing {
        let made = try await connection.send(.makeFolder(full(folder))).status()
        found = try await connection.send(.look(full(folder))).attributes()
        if made.isDone {
          try await synchronize(folder: full(above), connection)
        } else if case .failure = found {
          throw try await failure("create the folder", folder, made, storing: 1, connection)
        }
      }
      switch found {
      case .failure(let status):
        throw try await failure("open the folder", folder, status, connection)
      case .success(let attributes):
        guard attributes.isFolderOrUnknown else { throw obstruction(folder, attributes.kind) }
      }
      connection.note(full(folder), isThere: true)
    }
    connection.note(path, isThere: true)
  }

  /// Brings a folder's names to the disk, where the server can do that.
  func synchronize(folder path: String, _ connection: SFTPConnection) async throws {
    guard connection.offers(.synchronize),
      case .success(let handle) = try await connection.send(.open(path, .reading)).handle()
    else { return }
    let synchronized = connection.send(.synchronize(handle))
    connection.send(.close(handle))
    // Some file systems cannot, and some servers only do it for files.
    _ = try await synchronized.status()
  }

  private func synchronize(file name: String, _ connection: SFTPConnection) async throws {
    guard connection.offers(.synchronize),
      case .success(let handle) = try await connection.send(.open(full(name), .reading)).handle()
    else { return }
    let synchronized = connection.send(.synchronize(handle))
    connection.send(.close(handle))
    let status = try await synchronized.status()
    guard status.isDone else {
      throw try await failure("write", name, status, storing: 0, connection)
    }
  }

  public func delete(_ name: String) async throws {
    guard let parts = BlobName.parts(of: name) else { return }
    let folder = parts.dropLast().joined(separator: "/")
    try await server.perform { connection in
      if !connection.knows(full(folder)) {
        let root = connection.send(.follow(path))
        let steps = look(parts.dropLast(), connection)
        try checkRoot(await root.attributes())
        for step in steps {
          guard case .success(let found) = try await step.attributes(), found.isFolderOrUnknown
          else { return }
        }
        connection.note(full(folder), isThere: true)
      }
      let status = try await connection.send(.remove(full(name))).status()
      if status.isMissing { return }
      guard status.isDone else { throw try await failure("remove", name, status, connection) }
      try await synchronize(folder: full(folder), connection)
    }
  }

  public func tryPutting(_ count: Int, in folder: String) async throws {
    guard let parts = folder.isEmpty ? [] : BlobName.parts(of: folder) else {
      throw SyncError(.bug, "'\(folder)' cannot be the name of a folder.")
    }
    try await server.perform { connection in
      let root = connection.send(.follow(path))
      let steps = look(parts, connection)
      try checkRoot(await root.attributes())
      var deepest = ""
      for (part, step) in zip(parts, steps) {
        let name = deepest.isEmpty ? part : "\(deepest)/\(part)"
        switch try await step.attributes() {
        case .failure(let status) where status.isMissing:
          // Here the folder would be made.
          if count > 0 { try await tryMaking(part, in: deepest, connection) }
          return try await tryWriting(count, in: deepest, connection)
        case .failure(let status):
          throw try await failure("open the folder", name, status, connection)
        case .success(let found):
          guard found.isFolderOrUnknown else { throw obstruction(name, found.kind) }
        }
        deepest = name
      }
      try await tryWriting(count, in: deepest, connection)
    }
  }

  private func tryMaking(
    _ part: String, in folder: String, _ connection: SFTPConnection
  ) async throws {
    let temporary = TemporaryName.make(server.access.environment.random())
    let path = full(folder.isEmpty ? temporary : "\(folder)/\(temporary)")
    let made = connection.send(.makeFolder(path))
    let removed = connection.send(.removeFolder(path))
    let status = try await made.status()
    guard status.isDone else {
      throw try await failure("make the folder", part, status, storing: 1, connection)
    }
    _ = try await removed.status()
  }

  private func tryWriting(
    _ count: Int, in folder: String, _ connection: SFTPConnection
  ) async throws {
    guard count > 0 else { return }
    // Of chance, since some media write down zeros as nothing.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
      withUnsafeBytes(of: server.access.environment.random()) { bytes += $0 }
    }
    // The name that it gets is a temporary one as well, which no reader takes for anything.
    let name = TemporaryName.make(server.access.environment.random())
    let draft = SFTPDraft(
      name: folder.isEmpty ? name : "\(folder)/\(name)", folder: folder, store: self,
      connection: connection, called: folder)
    _ = try await draft.write(Array(bytes.prefix(count)), replacing: false, isKnown: false)
    try await draft.withdraw()
  }

  /// The clock of the server by the time of a file that is written and removed, and the room of its disk.
  public func survey() async throws -> RemoteSurvey {
    try await server.perform { connection in
      let draft = SFTPDraft(name: "", folder: "", store: self, connection: connection)
      let clock = try await draft.clock()
      return RemoteSurvey(
        clock: clock, room: try await room(connection).map { Int64(clamping: $0.bytes) })
    }
  }

  public func deleteEmpty(_ folder: String) async throws {
    guard let parts = BlobName.parts(of: folder) else { return }
    try await server.perform { connection in
      for step in look(parts, connection) {
        guard case .success(let found) = try await step.attributes(), found.isFolderOrUnknown
        else { return }
      }
      _ = try await removeEmpty(folder, connection)
    }
  }

  /// Removes a folder if nothing but empty folders and unfinished files of ours is in it.
  ///
  /// - Returns: Whether it is gone.
  private func removeEmpty(_ folder: String, _ connection: SFTPConnection) async throws -> Bool {
    // Half a file that a crash left goes too, however young: it holds as much as a whole one.
    var walk = SFTPWalk(reach: .folder, store: self, connection: connection, draftAge: nil)
    let listing = try await walk.listing(of: folder, walk.open(folder))
    var isEmpty = listing.blobs.isEmpty && listing.notes.isEmpty && walk.draftsLeft == 0
    for inner in listing.folders where try await !removeEmpty(inner, connection) { isEmpty = false }
    guard isEmpty else { return false }
    connection.note(full(folder), isThere: false)
    let status = try await connection.send(.removeFolder(full(folder))).status()
    guard status.isDone || status.isMissing else {
      // Somebody may have put something there meanwhile.
      var walk = SFTPWalk(reach: .folder, store: self, connection: connection)
      let listing = try await walk.listing(of: folder, walk.open(folder))
      if listing.blobs.isEmpty, listing.folders.isEmpty, listing.notes.isEmpty,
        walk.draftsLeft == 0
      {
        throw try await failure("remove", folder, status, storing: 0, connection)
      }
      return false
    }
    let above = folder.split(separator: "/").dropLast().joined(separator: "/")
    try await synchronize(folder: full(above), connection)
    return true
  }
}
