public import SegmentFormat
import SyncKit
public import SyncKitHTTP
import SyncKitFormats
import Synchronization

/// Keeps blobs as files of a WebDAV collection, such as a folder of a Nextcloud.
///
/// - A blob is uploaded under a temporary name and then given its own by MOVE, since some servers show a file while
///   it is uploaded, and leave half of it when that is cut off. MOVE also keeps what bears the name already, on
///   servers that ignore preconditions. Where a server has no MOVE, it is uploaded under its name.
/// - Nothing is told from entity tags, and no lock is taken.
/// - A listing asks for one collection at a time; servers forbid more or quietly give less.
public final class WebDAVBlobStore: BlobStore {
  /// The deepest collection that is looked into.
  private static let maximumDepth = 8
  /// The most names of a listing.
  private static let mostNames = 1_000_000
  /// The longest listing of one collection, in bytes.
  private static let longestListing = 512 << 20
  /// The age of an unfinished upload that is removed, in milliseconds: a day.
  private static let draftAge: Int64 = 86_400_000
  /// The most unfinished uploads that a listing removes.
  private static let mostDrafts = 20

  let connection: WebDAVConnection
  private let isMade: Bool
  private let whenMoved: String

  private struct State {
    /// The top as ``WebDAVBlobStore/prepare(creating:)`` saw it, for the listing that follows.
    var top: MultiStatus?
    /// The collections that are known to be there.
    var collections: Set<String> = [""]
    var upload: Upload
  }

  /// How a blob gets its name.
  enum Upload: Hashable, Sendable {
    /// By MOVE, with its destination in that form.
    case moved(WebDAVConnection.DestinationForm)
    /// It is uploaded under it.
    case direct
  }

  private let state: Mutex<State>

  /// Keeps blobs in a collection.
  ///
  /// - Parameters:
  ///   - access: How the server is reached; its address is the collection's.
  ///   - create: Whether ``prepare(creating:)`` makes the collection, with those above it, when it is missing.
  ///   - whenMoved: What helps when the collection is not where it was, as a sentence.
  ///   - login: What opens it; asked for at the first request.
  /// - Throws: ``SyncKit/SyncError`` `config.invalid` for an address in the clear that is not this machine.
  public init(
    _ access: ServerAccess, create: Bool = false, whenMoved: String? = nil,
    login: @escaping @Sendable () throws -> WebDAVLogin
  ) throws {
    connection = try WebDAVConnection(access, login)
    isMade = create
    self.whenMoved = whenMoved ?? "If it has moved, correct the remote's url."
    state = Mutex(State(upload: .moved(.address)))
  }

  var upload: Upload {
    get { state.withLock { $0.upload } }
    set { state.withLock { $0.upload = newValue } }
  }

  /// Whether a collection is known to be there.
  func isKnown(_ folder: String) -> Bool { state.withLock { $0.collections.contains(folder) } }

  /// Remembers that a collection is there.
  func know(_ folder: String) { state.withLock { _ = $0.collections.insert(folder) } }

  /// Forgets that a collection is there.
  func forget(_ folder: String) { state.withLock { _ = $0.collections.remove(folder) } }

  public var location: String { "\(connection.server.access.address)" }

  // MARK: Finding

  public func prepare(creating mayCreate: Bool) async throws {
    var found = try await properties("")
    if found == nil, isMade, mayCreate {
      try await makeTop()
      found = try await properties("")
    }
    guard let found else {
      throw SyncError(
        .remoteUnavailable, "There is no folder at \(location).", hint: whenMoved)
    }
    state.withLock { $0.top = found }
  }

  public func list(_ folder: String, _ reach: BlobReach) async throws -> BlobListing {
    var listing = BlobListing()
    var drafts: [String] = []
    try await list(folder, reach, depth: 0, into: &listing, &drafts)
    for name in drafts.prefix(Self.mostDrafts) { try? await delete(name) }
    return listing
  }

  private func list(
    _ folder: String, _ reach: BlobReach, depth: Int, into listing: inout BlobListing,
    _ drafts: inout [String]
  ) async throws {
    let known = folder.isEmpty ? state.withLock { $0.top.take() } : nil
    guard let found = if let known { known } else { try await properties(folder) } else {
      if folder.isEmpty {
        throw SyncError(
          .remoteUnavailable, "There is no folder at \(location).", hint: whenMoved)
      }
      return
    }
    state.withLock { _ = $0.collections.insert(folder) }
    let now = connection.server.access.environment.now()
    for (name, resource) in found.children(
      of: connection.path + folder.split(separator: "/").map(String.init))
    {
      let whole = folder.isEmpty ? name : "\(folder)/\(name)"
      if resource.isCollection {
        state.withLock { _ = $0.collections.insert(whole) }
        if reach == .folder {
          listing.folders.append(whole)
        } else if depth < Self.maximumDepth {
          try await list(whole, reach, depth: depth + 1, into: &listing, &drafts)
        } else {
          listing.notes.append("'\(whole)' lies too deep and is ignored.")
        }
      } else if TemporaryName.matches(name) {
        if TemporaryName.isOwn(name), let modified = resource.modified,
          now - modified > Self.draftAge
        {
          drafts.append(whole)
        }
      } else if listing.blobs.count < Self.mostNames {
        listing.blobs.append(BlobEntry(name: whole, size: resource.size))
      }
    }
  }

  /// Whether a collection is there.
  func isCollection(_ folder: String) async throws -> Bool { try await properties(folder) != nil }

  /// How many bytes more fit in the top; nil when the server does not say.
  func room() async throws -> Int64? {
    let answer = try await ask("", depth: "0", for: "<quota-available-bytes/>")
    guard answer.status == 207 else { return nil }
    return (try? MultiStatus(answer.body))?.resources.first?.room
  }

  private func ask(
    _ folder: String, depth: String, for properties: String
  ) async throws -> WebDAVConnection.Answer {
    try await connection.answer(
      WebDAVConnection.Request(
        method: "PROPFIND", name: folder, isCollection: true,
        headers: [
          ("Depth", depth), ("Content-Type", "application/xml; charset=utf-8"),
          ("Accept-Encoding", "gzip"),
        ],
        body: Array(
          """
          <?xml version="1.0" encoding="utf-8"?>
          <propfind xmlns="DAV:"><prop>\(properties)</prop></propfind>
          """.utf8), limit: Self.longestListing))
  }

  /// What a collection is and holds; nil for one that is not there.
  func properties(_ folder: String) async throws -> MultiStatus? {
    let answer = try await ask(
      folder, depth: "1", for: "<resourcetype/><getcontentlength/><getlastmodified/>")
    switch answer.status {
    case 207:
      do {
        return try MultiStatus(answer.body)
      } catch let error as XMLError {
        throw SyncError(
          .remoteProtocol, "The server at \(location) answers with broken XML.",
          hint: "Sync again; if it fails again, tell its operator.", cause: error.message)
      }
    case 404, 410: return nil
    // A file lies where the collection should be.
    case 400 where !folder.isEmpty, 409 where !folder.isEmpty: return nil
    case 200..<300, 405, 501:
      throw SyncError(
        .remoteForeign, "The server at \(location) does not speak WebDAV there.",
        hint: "Check the address. Nextcloud shows its own under Files, Settings, WebDAV.",
        cause: "it answers \(answer.status)")
    default:
      throw connection.failure(answer, folder.isEmpty ? "list the folder" : "list '\(folder)'")
    }
  }

  public func get(_ name: String, upTo limit: Int) async throws -> [UInt8]? {
    guard limit > 0 else { return nil }
    var request = WebDAVConnection.Request(method: "GET", name: name, limit: limit, isCut: true)
    if limit <= 1 << 20 { request.headers.append(("Range", "bytes=0-\(limit - 1)")) }
    // One that is being written or scanned comes later.
    request.final = [423]
    let answer = try await connection.answer(request)
    switch answer.status {
    case 200: return answer.body
    case 206:
      let isStart = answer.first("Content-Range")?.hasPrefix("bytes 0-") ?? false
      return isStart ? answer.body : nil
    // Nothing is in an empty file, so no range of it either.
    case 416: return []
    case 404, 410, 423: return nil
    default: throw connection.failure(answer, "read '\(name)'")
    }
  }
}
