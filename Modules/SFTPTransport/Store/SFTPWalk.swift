import SegmentFormat
import SyncKit

/// Lists a folder, or everything below it, many folders at once.
struct SFTPWalk {
  /// How many folders are read at once.
  private static let width = 32
  /// How many answers for one folder are asked for at once at most.
  private static let longest = 16

  private let reach: BlobReach
  /// Temporary files of ours that are older than the newest thing of a listing, in seconds, are removed; nil for all.
  private let draftAge: UInt32?
  private let store: SFTPBlobStore
  private let connection: SFTPConnection
  private var listing = BlobListing()
  private var notes = ListingNotes()
  private var count = 0
  private var newest: UInt32 = 0
  private var drafts: [(name: String, modified: UInt32)] = []
  private(set) var draftsLeft = 0
  /// The folders of the level below.
  private var below: [String] = []

  /// Prepares a walk.
  init(
    reach: BlobReach, store: SFTPBlobStore, connection: SFTPConnection,
    draftAge: UInt32? = UInt32(BlobName.staleAge)
  ) {
    self.reach = reach
    self.store = store
    self.connection = connection
    self.draftAge = draftAge
  }

  /// Asks for a folder.
  func open(_ folder: String) -> SFTPTicket { connection.send(.openFolder(store.full(folder))) }

  /// Forgets a folder that was asked for.
  func abandon(_ opening: SFTPTicket) {
    let connection = connection
    Task {
      if case .success(let handle) = try await opening.handle() { connection.send(.close(handle)) }
    }
  }

  /// The listing of a folder that was asked for; a missing one is empty, unless it is the store itself.
  ///
  /// - Throws: ``SyncError`` `remote.unavailable`, `remote.denied`, `remote.io`.
  mutating func listing(of folder: String, _ opening: SFTPTicket) async throws -> BlobListing {
    switch try await opening.handle() {
    case .failure(let status) where folder.isEmpty: throw store.unavailable(status)
    case .failure(let status):
      guard !status.isMissing else { return BlobListing() }
      return BlobListing(notes: ["'\(folder)' is not readable for this user."])
    case .success(let handle):
      connection.note(store.full(folder), isThere: true)
      try await read([(folder, handle)])
    }
    var depth = folder.isEmpty ? 0 : folder.split(separator: "/").count
    while !below.isEmpty {
      depth += 1
      let level = below
      below = []
      guard depth < BlobName.maximumDepth else {
        for name in level { notes.note("is nested too deeply", name) }
        break
      }
      for start in stride(from: 0, to: level.count, by: Self.width) {
        try await descend(level[start..<min(start + Self.width, level.count)])
      }
    }
    removeDrafts()
    listing.notes = notes.sentences
    return listing
  }

  private mutating func descend(_ names: ArraySlice<String>) async throws {
    var openings = names.map { ($0, open($0)) }[...]
    var opened: [(String, [UInt8])] = []
    do {
      while let (name, opening) = openings.popFirst() {
        switch try await opening.handle() {
        case .success(let handle): opened.append((name, handle))
        // It went away while we looked, which is nothing to speak of.
        case .failure(let status) where status.isMissing: continue
        case .failure: notes.note("is not readable for this user", name)
        }
      }
    } catch {
      for (_, opening) in openings { abandon(opening) }
      for (_, handle) in opened { connection.send(.close(handle)) }
      throw error
    }
    try await read(opened)
  }

  /// Reads open folders and closes them.
  private mutating func read(_ folders: [(name: String, handle: [UInt8])]) async throws {
    defer { for folder in folders { connection.send(.close(folder.handle)) } }
    // Two at first: one for the names and one for the end.
    var asked = folders.map { folder in
      (0..<2).map { _ in connection.send(.readFolder(folder.handle)) }
    }
    for (index, folder) in folders.enumerated() {
      var next = 0
      var width = 2
      reading: while next < asked[index].count {
        switch try await asked[index][next].names() {
        case .success(nil): break reading
        case .failure:
          notes.note("could not be read completely", folder.name)
          break reading
        case .success(let names?):
          guard !names.isEmpty else {
            throw connection.refuse(SFTPBreach("an empty list of names"))
          }
          for name in names {
            count += 1
            guard count <= BlobName.maximumCount else {
              notes.note("has too many files; the rest are ignored", folder.name)
              return
            }
            try await take(name, in: folder.name)
          }
        }
        next += 1
        width = min(width * 2, Self.longest)
        while asked[index].count - next < width {
          asked[index].append(connection.send(.readFolder(folder.handle)))
        }
      }
    }
  }

  private mutating func take(_ entry: SFTPName, in folder: String) async throws {
    newest = max(newest, entry.attributes.modified ?? 0)
    let found: String?
    do throws(SFTPBreach) {
      found = try entry.part()
    } catch {
      return notes.note("has names that are not UTF-8", folder)
    }
    // What leads elsewhere is none of a folder's names.
    guard let part = found else { return }
    let name = folder.isEmpty ? part : "\(folder)/\(part)"
    var attributes = entry.attributes
    if attributes.kind == nil,
      case .success(let asked) = try await connection.send(.look(store.full(name))).attributes()
    {
      attributes = asked
    }
    if TemporaryName.matches(part) {
      let isOwn = TemporaryName.isOwn(part) && attributes.kind == .file
      if isOwn, let modified = attributes.modified {
        drafts.append((name, modified))
      } else {
        draftsLeft += 1
      }
      return
    }
    guard name.utf8.count <= BlobName.maximumLength else {
      return notes.note("has a name that is too long", folder)
    }
    switch attributes.kind {
    case .file:
      let size = attributes.size.map { Int(clamping: $0) }
      listing.blobs.append(BlobEntry(name: name, size: size))
    case .folder where reach == .folder: listing.folders.append(name)
    case .folder:
      if part.hasSuffix(".seg") { notes.note("is a folder with the name of a segment", name) }
      below.append(name)
    case .link: notes.note("is a link and is ignored", name)
    case .other, nil: notes.note("is not a regular file", name)
    }
  }

  /// Removes what a crash left; both times are those of the server's clock.
  private mutating func removeDrafts() {
    for (name, modified) in drafts {
      if let draftAge, newest < draftAge || newest - draftAge <= modified {
        draftsLeft += 1
      } else {
        connection.send(.remove(store.full(name)))
      }
    }
  }
}
