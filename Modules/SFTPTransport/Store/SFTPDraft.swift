import SegmentFormat
import SyncKit

/// A blob on its way to its name.
struct SFTPDraft {
  /// The name in the store.
  let name: String
  /// The folder in the store that holds it.
  let folder: String
  let store: SFTPBlobStore
  let connection: SFTPConnection
  /// The temporary name in the store.
  let temporary: String
  /// What it is called in messages.
  private let subject: String

  /// Draws a temporary name.
  init(
    name: String, folder: String, store: SFTPBlobStore, connection: SFTPConnection,
    called subject: String? = nil
  ) {
    self.name = name
    self.subject = subject ?? name
    self.folder = folder
    self.store = store
    self.connection = connection
    let drawn = TemporaryName.make(store.server.access.environment.random())
    temporary = folder.isEmpty ? drawn : "\(folder)/\(drawn)"
  }

  /// Writes the bytes under a temporary name and then gives it the real one.
  ///
  /// - Parameters:
  ///   - bytes: All of them.
  ///   - replacing: Whether what bears the name already makes room.
  ///   - isKnown: Whether the folder was only seen earlier.
  /// - Returns: Whether they have the name, false when it was taken meanwhile; nil when the folder that was seen
  ///   earlier is not there.
  /// - Throws: ``SyncError``; nothing is left then. ``SFTPEnd`` when the connection broke.
  func write(_ bytes: [UInt8], replacing: Bool, isKnown: Bool) async throws -> Bool? {
    let file: SFTPFile
    switch try await connection.open(store.full(temporary), .making) {
    case .success(let opened): file = opened
    case .failure(let status):
      if status.isMissing, isKnown { return nil }
      throw try await failure(status, bytes.count)
    }
    let above = openFolder()
    do {
      try await fill(file, bytes)
      return try await name(bytes, replacing: replacing, above)
    } catch {
      // It is gone when the caller hears of the failure, unless the connection is.
      let removal = connection.send(.remove(store.full(temporary)))
      if !(error is SFTPEnd) { _ = try? await removal.status() }
      try? await close(above)
      throw error
    }
  }

  /// Removes what ``write(_:replacing:isKnown:)`` has stored.
  func withdraw() async throws { _ = try await connection.send(.remove(store.full(name))).status() }

  /// Makes an empty file under a temporary name, looks at its time, and removes it.
  func clock() async throws -> RemoteClock? {
    let now = store.server.access.environment.now
    let start = now()
    switch try await connection.open(store.full(temporary), .making) {
    case .failure(let status): throw try await failure(status, 1)
    case .success(let file):
      file.close()
      let look = connection.send(.look(store.full(temporary)))
      let removal = connection.send(.remove(store.full(temporary)))
      let found = try await look.attributes()
      let end = now()
      _ = try await removal.status()
      guard case .success(let attributes) = found, let modified = attributes.modified else {
        return nil
      }
      return RemoteClock(Int64(modified) * 1_000, between: start, and: end)
    }
  }

  private func failure(_ status: SFTPStatus, _ count: Int) async throws -> SyncError {
    try await store.failure("write", subject, status, storing: count, connection)
  }

  /// Opens the folder, to bring its names to the disk later; nil where the server cannot do that.
  private func openFolder() -> SFTPTicket? {
    guard connection.offers(.synchronize) else { return nil }
    return connection.send(.open(store.full(folder), .reading))
  }

  private func close(_ folder: SFTPTicket?) async throws {
    if case .success(let handle)? = try await folder?.handle() { connection.send(.close(handle)) }
  }

  /// Writes all bytes, brings them to the disk and closes the file; it is closed also when that fails.
  private func fill(_ file: SFTPFile, _ bytes: [UInt8]) async throws {
    defer { file.close() }
    let size =
      bytes.count > SFTPConnection.usualSize
      ? try await connection.sizes().write : SFTPConnection.usualSize
    var underWay: [SFTPTicket] = []
    var next = 0
    for start in stride(from: 0, to: bytes.count, by: size) {
      if underWay.count - next >= SFTPConnection.window {
        try await check(underWay[next], bytes.count)
        next += 1
      }
      underWay.append(
        connection.send(
          .write(file.handle, offset: UInt64(start), bytes[start..<min(start + size, bytes.count)]))
      )
    }
    if connection.offers(.synchronize) {
      underWay.append(connection.send(.synchronize(file.handle)))
    }
    // A server on a network drive may say only here that there was no room.
    if let closing = file.close() { underWay.append(closing) }
    for ticket in underWay[next...] { try await check(ticket, bytes.count) }
  }

  private func check(_ ticket: SFTPTicket, _ count: Int) async throws {
    let status = try await ticket.status()
    guard status.isDone else { throw try await failure(status, count) }
  }

  /// Gives the file its name, and brings the folder's names to the disk.
  private func name(
    _ bytes: [UInt8], replacing: Bool, _ above: SFTPTicket?
  ) async throws -> Bool {
    let (from, to) = (store.full(temporary), store.full(name))
    let opened = try await above?.handle()
    var removal: SFTPTicket?
    let naming: SFTPTicket
    let links = !replacing && connection.offers(.link) && connection.hasLinks != false
    if replacing {
      if connection.offers(.replace) {
        naming = connection.send(.replace(from, to: to))
      } else {
        connection.send(.remove(to))
        naming = connection.send(.rename(from, to: to))
      }
    } else if links {
      naming = connection.send(.link(from, to: to))
      // Where second names are known to work, the first one need not wait for the second.
      if connection.hasLinks == true { removal = connection.send(.remove(from)) }
    } else {
      naming = connection.send(.rename(from, to: to))
    }
    let synchronized = synchronize(opened)
    var status = try await naming.status()
    if replacing, connection.offers(.replace), status.code == SFTPStatus.failure {
      // Some servers offer it and do it only where the name is free.
      connection.send(.remove(to))
      status = try await connection.send(.rename(from, to: to)).status()
    }
    if status.isDone {
      if links {
        connection.hasLinks = true
        _ = try await (removal ?? connection.send(.remove(from))).status()
      }
      try await check(synchronized, bytes.count)
      return true
    }
    if !replacing, case .success = try await connection.send(.look(to)).attributes() {
      _ = try await (removal ?? connection.send(.remove(from))).status()
      return false
    }
    guard links else { throw try await failure(status, bytes.count) }
    // A medium without second names. That the name is free has been seen a moment ago, and another writer that
    // takes it meanwhile writes the same bytes.
    connection.hasLinks = false
    if removal != nil {
      let draft = SFTPDraft(
        name: name, folder: folder, store: store, connection: connection, called: subject)
      return try await draft.write(bytes, replacing: false, isKnown: false) ?? false
    }
    let renamed = try await connection.send(.rename(from, to: to)).status()
    guard renamed.isDone else { throw try await failure(renamed, bytes.count) }
    return true
  }

  private func synchronize(_ opened: Result<[UInt8], SFTPStatus>?) -> SFTPTicket? {
    guard case .success(let handle)? = opened else { return nil }
    let ticket = connection.send(.synchronize(handle))
    connection.send(.close(handle))
    return ticket
  }

  /// Some file systems cannot bring a folder to the disk, and some servers do it only for files.
  private func check(_ synchronized: SFTPTicket?, _ count: Int) async throws {
    _ = try await synchronized?.status()
  }
}
