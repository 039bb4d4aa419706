import SegmentFormat
import SyncKit
import SyncKitHTTP

extension WebDAVBlobStore {
  public func put(_ name: String, _ bytes: [UInt8], replacing: Bool) async throws -> Bool {
    let folder = name.lastIndex(of: "/").map { String(name[..<$0]) } ?? ""
    try await makeCollection(folder)
    guard case .moved(let form) = upload else {
      return try await putDirectly(name, bytes, replacing)
    }
    let draft = draftName(in: folder)
    do {
      try await upload(bytes, as: draft, in: folder)
      if let isDone = try await move(draft, to: name, replacing, form) {
        if !isDone { try await discard(draft) }
        return isDone
      }
    } catch {
      await clear(draft)
      throw error
    }
    try await discard(draft)
    return try await putDirectly(name, bytes, replacing)
  }

  public func delete(_ name: String) async throws {
    let answer = try await connection.answer(
      WebDAVConnection.Request(method: "DELETE", name: name))
    guard answer.isGood && answer.status != 207 || [404, 410].contains(answer.status) else {
      throw connection.failure(answer, "remove '\(name)'")
    }
  }

  /// Removes a collection in which nothing but empty collections and unfinished uploads of ours is.
  ///
  /// A server removes a collection with all that is in it. What another device stores between the last look and the
  /// removal goes with it; that device finds it missing with its next sync and stores it again.
  public func deleteEmpty(_ folder: String) async throws {
    guard let found = try await properties(folder) else { return }
    for (name, resource) in children(of: folder, in: found) where resource.isCollection {
      try await deleteEmpty("\(folder)/\(name)")
    }
    guard let left = try await properties(folder) else { return }
    let drafts = children(of: folder, in: left).count { TemporaryName.isOwn($0.name) }
    // The collection itself is one of what is listed; a name that is no proper one counts, too.
    guard left.resources.count == 1 + drafts else { return }
    forget(folder)
    let answer = try await connection.answer(
      WebDAVConnection.Request(method: "DELETE", name: folder, isCollection: true))
    guard answer.isGood && answer.status != 207 || [404, 410].contains(answer.status) else {
      throw connection.failure(answer, "remove '\(folder)'")
    }
  }

  private func children(
    of folder: String, in found: MultiStatus
  ) -> [(name: String, resource: MultiStatus.Resource)] {
    found.children(of: connection.path + folder.split(separator: "/").map(String.init))
  }

  public func tryPutting(_ count: Int, in folder: String) async throws {
    // A file in the folder's place shows when something is stored; a request for every run would cost more than it tells.
    guard count > 0 else { return }
    // Of chance, since some media write down zeros as nothing.
    let random = connection.server.access.environment.random
    let bytes = (0..<count / 8 + 1).flatMap { _ in withUnsafeBytes(of: random()) { Array($0) } }
    let place = isKnown(folder) ? folder : ""
    // Both names are temporary ones, which no reader takes for anything.
    let (draft, moved) = (draftName(in: place), draftName(in: place))
    do {
      try await upload(Array(bytes.prefix(count)), as: draft)
      if try await canMove(draft, to: moved) { return try await discard(moved) }
    } catch {
      await clear(draft)
      await clear(moved)
      throw error
    }
    try await discard(draft)
  }

  /// Tries what gives an upload its name, unless it is known that the server cannot.
  ///
  /// - Returns: Whether the draft has been moved; if not, blobs are uploaded under their names from now on.
  private func canMove(_ draft: String, to moved: String) async throws -> Bool {
    guard case .moved(let form) = upload else { return false }
    if try await move(draft, to: moved, false, form) != nil { return true }
    // Some answer a success like a failure.
    if try await isThere(moved) { return true }
    upload = .direct
    return false
  }

  /// The clock of the server by its last answer, its room, and whether a trial or an upload could not be moved.
  public func survey() async throws -> RemoteSurvey {
    let room = try await room()
    return RemoteSurvey(
      clock: connection.server.clock, room: room,
      notes: upload == .direct ? [Self.movesNothing] : [])
  }

  private static let movesNothing =
    "The server cannot rename what was uploaded, so files are uploaded under their own names: another device may see "
    + "half of one until all of it is there, and passes over it."

  // MARK: Parts of a put

  private func draftName(in folder: String) -> String {
    let name = TemporaryName.make(connection.server.access.environment.random())
    return folder.isEmpty ? name : "\(folder)/\(name)"
  }

  private func upload(
    _ bytes: [UInt8], as name: String, in folder: String = ""
  ) async throws {
    var answer = try await connection.answer(Self.upload(bytes, name))
    if [404, 409].contains(answer.status), !folder.isEmpty {
      // Somebody has removed the collection since it was seen.
      forget(folder)
      try await makeCollection(folder)
      answer = try await connection.answer(Self.upload(bytes, name))
    }
    guard answer.isGood else { throw refusal(answer, name) }
  }

  /// The error for an upload that was not taken.
  private func refusal(_ answer: WebDAVConnection.Answer, _ name: String) -> SyncError {
    // Servers that pass files on, such as rclone, say 405 when the place behind them does not take one.
    guard answer.status == 405 else { return connection.failure(answer, "store '\(name)'") }
    return SyncError(
      .remoteUnavailable, "The server at \(location) did not take '\(name)'.",
      hint: "Check that there is room, and that this account may write there.",
      cause: "it answers 405")
  }

  private static func upload(_ bytes: [UInt8], _ name: String) -> WebDAVConnection.Request {
    WebDAVConnection.Request(
      method: "PUT", name: name, headers: [("Content-Type", "application/octet-stream")],
      body: bytes)
  }

  /// Gives an uploaded blob its name.
  ///
  /// - Returns: Whether it has it, false when it was taken; nil when the server cannot.
  private func move(
    _ draft: String, to name: String, _ replacing: Bool, _ form: WebDAVConnection.DestinationForm
  ) async throws -> Bool? {
    var request = WebDAVConnection.Request(
      method: "MOVE", name: draft, headers: [("Overwrite", replacing ? "T" : "F")])
    request.destination = (name, form)
    // A proxy that ends the encryption makes a server take its own address for another one's.
    request.final = [500, 501, 502]
    let answer = try await connection.answer(request)
    switch answer.status {
    // Some servers answer a success with it, others a failure; what bears the name tells which.
    case 207: return nil
    case 200..<300: return true
    case 412:
      // It may be our own blob, moved by a first try whose answer was lost; who asks looks at what is there.
      return false
    case 404 where answer.tries > 1: return try await isThere(name) ? true : nil
    // The draft has just been stored in the same collection, so nothing is missing: a server behind a proxy that adds a
    // path of its own misreads the destination.
    case 404: return nil
    case 409:
      upload = .direct
      return nil
    case 400, 403, 405, 500, 501, 502:
      let forms = WebDAVConnection.DestinationForm.allCases
      guard [400, 502].contains(answer.status),
        let next = forms.drop(while: { $0 != form }).dropFirst().first
      else {
        upload = .direct
        return nil
      }
      let isDone = try await move(draft, to: name, replacing, next)
      if isDone != nil, upload != .direct { upload = .moved(next) }
      return isDone
    default: throw connection.failure(answer, "store '\(name)'")
    }
  }

  /// Uploads under the name itself; readers pass over half of it.
  private func putDirectly(_ name: String, _ bytes: [UInt8], _ replacing: Bool) async throws -> Bool
  {
    var request = Self.upload(bytes, name)
    if !replacing {
      // Servers ignore the precondition.
      if try await isThere(name) { return false }
      request.headers.append(("If-None-Match", "*"))
    }
    let answer = try await connection.answer(request)
    if answer.status == 412, !replacing { return false }
    guard answer.isGood else { throw refusal(answer, name) }
    return true
  }

  private func isThere(_ name: String) async throws -> Bool {
    let answer = try await connection.answer(WebDAVConnection.Request(method: "HEAD", name: name))
    if [404, 410].contains(answer.status) { return false }
    guard answer.isGood else { throw connection.failure(answer, "look for '\(name)'") }
    return true
  }

  private func discard(_ draft: String) async throws { try await delete(draft) }

  /// Takes a draft away after a failure; the task may be cancelled and send nothing more, so another one does it.
  private func clear(_ draft: String) async { await Task { try? await delete(draft) }.value }

  // MARK: Collections

  /// Makes a collection and those above it, up to the top, which is there.
  private func makeCollection(_ folder: String) async throws {
    guard !isKnown(folder) else { return }
    if let slash = folder.lastIndex(of: "/") { try await makeCollection(String(folder[..<slash])) }
    let answer = try await connection.answer(
      WebDAVConnection.Request(method: "MKCOL", name: folder, isCollection: true))
    // One that is there already may not be made (405); some servers lead on to it instead.
    if !answer.isGood, ![301, 405].contains(answer.status) {
      // Another device may have made it at the same moment.
      guard try await isCollection(folder) else {
        throw connection.failure(answer, "make the folder '\(folder)'")
      }
    }
    know(folder)
  }

  /// Makes the top, and what is missing above it.
  func makeTop(above: Int = 0) async throws {
    var request = WebDAVConnection.Request(method: "MKCOL", name: "", isCollection: true)
    request.above = above
    for isLast in [false, true] {
      let answer = try await connection.answer(request)
      if answer.isGood || [301, 405].contains(answer.status) { return }
      guard !isLast, [404, 409].contains(answer.status), above + 1 < connection.path.count else {
        throw connection.failure(answer, "make the folder")
      }
      try await makeTop(above: above + 1)
    }
  }
}
