import SegmentFormat
import SyncKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Keeps blobs as files of a folder that something else carries between machines.
///
/// - The folder's own path may lead through links; below it no link is followed, and only plain
///   files are read. Pipes, devices and sockets are never opened.
/// - A blob is written under a temporary name, synchronised, and then given its name; then the
///   folder is synchronised, and so is every folder that had to be made.
/// - Files get the modes that the user's umask gives; the folder itself keeps its own.
/// - Every call opens the folder again, so an unmounted or replaced one is noticed.
public struct FolderBlobStore: BlobStore {
  /// Where the folder is.
  public let path: String
  private let isMade: Bool
  /// What helps when the folder is not where it was, as a sentence.
  let whenMoved: String

  /// Keeps blobs in a folder.
  ///
  /// - Parameters:
  ///   - path: The folder's path.
  ///   - createIfParentExists: Whether ``prepare(creating:)`` makes the folder in a parent that exists.
  ///   - whenMoved: What helps when the folder is not where it was, as a sentence.
  public init(path: String, createIfParentExists: Bool = false, whenMoved: String? = nil) {
    self.path = path
    self.whenMoved = whenMoved ?? "If it has moved, correct the remote's path."
    isMade = createIfParentExists
  }

  public var location: String { "'\(path)'" }

  public func prepare(creating mayCreate: Bool) async throws {
    if isMade, mayCreate, !path.isEmpty, !path.utf8.contains(0) { try make() }
    _ = try openRoot()
  }

  public func list(_ folder: String, _ reach: BlobReach) async throws -> BlobListing {
    let root = try openRoot()
    var walk = FolderWalk(reach: reach)
    guard !folder.isEmpty else {
      try walk.visit(root, as: "", self)
      return walk.listing
    }
    guard let parts = BlobName.parts(of: folder) else { return BlobListing() }
    guard let opened = try open(parts, from: root, making: false) else {
      let isThere = POSIX.entry(root.number, folder) != nil
      return BlobListing(notes: isThere ? ["'\(folder)' is not readable for this user."] : [])
    }
    try walk.visit(opened, as: folder, self)
    return walk.listing
  }

  public func get(_ name: String, upTo limit: Int) async throws -> [UInt8]? {
    guard let file = try openFile(name), limit > 0 else { return nil }
    // A file that grows meanwhile is one that is not whole yet.
    guard let bytes = POSIX.read(file.descriptor.number, min(file.size, limit)) else {
      return try absence(name, errno)
    }
    return bytes
  }

  /// Opens a plain file for reading; nil when it is not here.
  func openFile(_ name: String) throws -> OpenFile? {
    let root = try openRoot()
    guard let parts = BlobName.parts(of: name), let last = parts.last else { return nil }
    guard let folder = try open(parts.dropLast(), from: root, making: false),
      // A look before opening: to open a device can do things.
      POSIX.entry(folder.number, last)?.kind == .file
    else { return nil }
    let number = POSIX.openAt(folder.number, last, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard number >= 0 else {
      _ = try absence(name, errno)
      return nil
    }
    let file = Descriptor(number)
    guard let size = POSIX.plainSize(file.number) else { return nil }
    return OpenFile(file, size: size)
  }

  public func put(_ name: String, _ bytes: [UInt8], replacing: Bool) async throws -> Bool {
    guard let parts = BlobName.parts(of: name), let last = parts.last, BlobName.isProper(name)
    else {
      throw SyncError(.bug, "'\(name)' cannot be the name of a blob.")
    }
    let root = try openRoot()
    guard let folder = try open(parts.dropLast(), from: root, making: true) else {
      throw failure("create the folder of", name, ENOENT)
    }
    let draft = BlobDraft(folder: folder.number, name: last, path: name, store: self)
    if !replacing, try draft.isTaken() { return false }
    return try draft.write(bytes, replacing: replacing)
  }

  public func tryPutting(_ count: Int, in folder: String) async throws {
    guard let parts = folder.isEmpty ? [] : BlobName.parts(of: folder) else {
      throw SyncError(.bug, "'\(folder)' cannot be the name of a folder.")
    }
    let root = try openRoot()
    var deepest = Descriptor(POSIX.openFolder(root.number, "."))
    guard deepest.number >= 0 else { throw unavailable(errno) }
    for part in parts {
      let number = POSIX.openFolder(deepest.number, part)
      if number < 0, errno == ENOENT, POSIX.entry(deepest.number, part) == nil {
        // Here the folder would be made.
        if count > 0 { try tryMaking(part, in: deepest) }
        break
      }
      guard number >= 0 else { throw obstruction(part, in: deepest, errno) }
      deepest = Descriptor(number)
    }
    guard count > 0 else { return }
    let draft = BlobDraft(folder: deepest.number, name: "", path: folder, store: self)
    try draft.tryWriting(count)
  }

  private func tryMaking(_ part: String, in folder: borrowing Descriptor) throws {
    let temporary = TemporaryName.random()
    guard mkdirat(folder.number, temporary, 0o700) == 0 else {
      throw failure("make the folder", part, errno)
    }
    unlinkat(folder.number, temporary, AT_REMOVEDIR)
  }

  /// The clock of the medium, by the time of a file that is written and removed; a share has that of its server.
  public func survey() async throws -> RemoteSurvey {
    let root = try openRoot()
    let draft = BlobDraft(folder: root.number, name: "", path: "", store: self)
    var survey = RemoteSurvey()
    let start = Int64(time(nil))
    if let modified = try draft.timeOfTrial() {
      // This device's time is rounded down as well.
      let end = Int64(time(nil)) + 1
      survey.clock = RemoteClock(
        Int64(modified) * 1_000, between: start * 1_000, and: end * 1_000)
    }
    survey.room = POSIX.room(root.number)
    return survey
  }

  public func delete(_ name: String) async throws {
    let root = try openRoot()
    guard let parts = BlobName.parts(of: name), let last = parts.last,
      let folder = try open(parts.dropLast(), from: root, making: false)
    else { return }
    guard unlinkat(folder.number, last, 0) == 0 else {
      if errno == ENOENT { return }
      throw failure("remove", name, errno)
    }
    guard POSIX.synchronizeFolder(folder.number) else { throw failure("remove", name, errno) }
  }

  public func deleteEmpty(_ folder: String) async throws {
    let root = try openRoot()
    guard let parts = BlobName.parts(of: folder), let last = parts.last,
      let parent = try open(parts.dropLast(), from: root, making: false),
      let opened = try open([last], from: parent, making: false)
    else { return }
    // Half a file that a crash left goes too, however young: it holds as much as a whole one.
    var walk = FolderWalk(reach: .folder, draftAge: -1)
    try walk.visit(opened, as: folder, self)
    for inner in walk.listing.folders { try await deleteEmpty(inner) }
    guard unlinkat(parent.number, last, AT_REMOVEDIR) == 0 else {
      // One that holds something stays.
      if [ENOTEMPTY, EEXIST, ENOENT, ENOTDIR].contains(errno) { return }
      throw failure("remove", folder, errno)
    }
    guard POSIX.synchronizeFolder(parent.number) else { throw failure("remove", folder, errno) }
  }

  /// Gives a file or folder another name, durably, in a folder that is made if need be.
  func move(_ name: String, to other: String) throws {
    guard let from = BlobName.parts(of: name), let to = BlobName.parts(of: other),
      let old = from.last,
      let new = to.last
    else { throw SyncError(.bug, "'\(name)' cannot be renamed to '\(other)'.") }
    let root = try openRoot()
    guard let source = try open(from.dropLast(), from: root, making: false),
      let target = try open(to.dropLast(), from: root, making: true)
    else { throw failure("move", name, ENOENT) }
    guard renameat(source.number, old, target.number, new) == 0,
      POSIX.synchronizeFolder(target.number), POSIX.synchronizeFolder(source.number)
    else { throw failure("move", name, errno) }
  }

  private func make() throws {
    guard mkdir(path, 0o777) == 0 else {
      switch errno {
      case EEXIST: return
      case ENOENT, ENOTDIR:
        throw SyncError(
          .remoteUnavailable,
          "The folder \(location) cannot be created: its parent folder does not exist.",
          hint: "Create the parent folder, or correct the remote's path.")
      default: throw unavailable(errno)
      }
    }
    let parent = try openFolder(path + "/..")
    guard POSIX.synchronizeFolder(parent.number) else { throw unavailable(errno) }
  }

  func openRoot() throws -> Descriptor {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw unavailable(ENOENT) }
    return try openFolder(path)
  }

  private func openFolder(_ path: String) throws -> Descriptor {
    let number = POSIX.openAt(AT_FDCWD, path, O_RDONLY | O_DIRECTORY)
    guard number >= 0 else { throw unavailable(errno) }
    return Descriptor(number)
  }

  /// Opens the folder at the end of a path, one part at a time; nil when it is not there.
  func open(
    _ parts: some Sequence<String>, from root: borrowing Descriptor, making: Bool
  ) throws -> Descriptor? {
    var folder = Descriptor(POSIX.openFolder(root.number, "."))
    guard folder.number >= 0 else { throw unavailable(errno) }
    for part in parts {
      var number = POSIX.openFolder(folder.number, part)
      if number < 0, errno == ENOENT, making {
        guard mkdirat(folder.number, part, 0o777) == 0 || errno == EEXIST,
          POSIX.synchronizeFolder(folder.number)
        else { throw failure("create the folder", part, errno) }
        number = POSIX.openFolder(folder.number, part)
      }
      guard number >= 0 else {
        let code = errno
        if making { throw obstruction(part, in: folder, code) }
        _ = try absence(part, code)
        return nil
      }
      folder = Descriptor(number)
    }
    return folder
  }

  /// Nil, if an error only says that something is not here or not readable now.
  ///
  /// One file that fails must not keep the others from being read; what is awaited too long becomes
  /// an error elsewhere.
  func absence(_ name: String, _ code: Int32) throws -> [UInt8]? {
    switch code {
    case EMFILE, ENFILE, ENOMEM, ENOTCONN, ESTALE: throw failure("read", name, code)
    case EIO:
      throw SyncError(
        .remoteUnread, "Could not read '\(name)' in \(location).",
        hint: "Sync again; if it fails again, check the disk.", cause: POSIX.words(code))
    default: return nil
    }
  }
}
