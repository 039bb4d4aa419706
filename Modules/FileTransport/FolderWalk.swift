import SegmentFormat
import SyncKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Lists a folder, or everything below it, with one readdir a folder and one fstatat a name.
struct FolderWalk {
  let reach: BlobReach
  /// Temporary files of ours that are older, in seconds, are removed.
  private let draftAge: Int
  private(set) var listing = BlobListing()
  private var names = 0
  private var notes = ListingNotes()
  private let now = time(nil)

  init(reach: BlobReach, draftAge: Int = BlobName.staleAge) {
    self.reach = reach
    self.draftAge = draftAge
  }

  /// Lists an open folder.
  ///
  /// - Throws: ``SyncError`` `remote.io` when the folder cannot be read at all.
  mutating func visit(
    _ folder: borrowing Descriptor, as name: String, _ store: FolderBlobStore
  )
    throws
  {
    let own = POSIX.openFolder(folder.number, ".")
    guard own >= 0 else { throw store.failure("read", name, errno) }
    guard read(own, as: name, depth: name.isEmpty ? 0 : name.split(separator: "/").count) else {
      throw store.failure("read", name, errno)
    }
    listing.notes = notes.sentences
  }

  /// Reads an open folder and closes it; false when that is impossible.
  private mutating func read(_ number: Int32, as folder: String, depth: Int) -> Bool {
    guard let stream = fdopendir(number) else {
      close(number)
      return false
    }
    defer { closedir(stream) }
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { note("could not be read completely", folder) }
        return true
      }
      names += 1
      guard names <= BlobName.maximumCount else {
        note("has too many files; the rest are ignored", folder)
        return true
      }
      let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
      let raw = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
      take(raw, in: number, folder, depth: depth)
    }
  }

  private mutating func take(
    _ raw: UnsafePointer<CChar>, in number: Int32, _ folder: String, depth: Int
  ) {
    guard let part = String(validatingCString: raw) else {
      return note("has names that are not UTF-8", folder)
    }
    guard part != ".", part != ".." else { return }
    let name = folder.isEmpty ? part : "\(folder)/\(part)"
    guard let entry = POSIX.entry(number, raw) else {
      // It went away while we looked, which is nothing to speak of.
      if errno != ENOENT { note("could not be examined", name) }
      return
    }
    if TemporaryName.matches(part) {
      let isStale = entry.kind == .file && now - entry.modified > draftAge
      if isStale, TemporaryName.isOwn(part) { unlinkat(number, raw, 0) }
      return
    }
    guard name.utf8.count <= BlobName.maximumLength else {
      return note("has a name that is too long", folder)
    }
    switch entry.kind {
    case .file where entry.isReadable:
      listing.blobs.append(BlobEntry(name: name, size: entry.size, isHere: entry.isHere))
    case .file: note("is not readable for this user", name)
    case .folder where reach == .folder: listing.folders.append(name)
    case .folder: descend(part, in: number, name, depth: depth + 1)
    case .link: note("is a link and is ignored", name)
    case .other: note("is not a regular file", name)
    }
  }

  private mutating func descend(_ part: String, in number: Int32, _ name: String, depth: Int) {
    guard depth < BlobName.maximumDepth else { return note("is nested too deeply", name) }
    if part.hasSuffix(".seg") { note("is a folder with the name of a segment", name) }
    let inner = POSIX.openFolder(number, part)
    guard inner >= 0, read(inner, as: name, depth: depth) else {
      if errno != ENOENT { note("is not readable for this user", name) }
      return
    }
  }

  private mutating func note(_ what: String, _ name: String) { notes.note(what, name) }
}
