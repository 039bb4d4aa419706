import SegmentFormat
import SyncKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The folder of a document: the file, the copies that providers make of it, and what is set aside.
struct DocumentFolder {
  /// No larger file is read or written: 256 MiB.
  static let maximumSize = 256 << 20

  let store: FolderBlobStore
  /// The folder below the remote; empty for the remote itself.
  let folder: String
  /// The file's own name.
  let name: String
  /// Whether the medium can give a file two names; where it cannot, that shows by itself.
  var canLink = true
  /// What others do between the last look at the file and its exchange, which only tests know.
  var meanwhile: @Sendable () throws -> Void = {}

  init(_ store: FolderBlobStore, path: String) {
    self.store = store
    let parts = path.split(separator: "/").map(String.init)
    folder = parts.dropLast().joined(separator: "/")
    name = parts.last ?? path
  }

  private var stem: Substring { name.dropLast(ending.count) }
  private var ending: Substring { name.lastIndex(of: ".").map { name[$0...] } ?? "" }

  /// The path of a file of the folder, below the remote.
  func path(_ name: String) -> String { folder.isEmpty ? name : "\(folder)/\(name)" }

  /// How messages call the file.
  var location: String { "'\(store.path)/\(path(name))'" }

  /// The error for a file that is to be written and has not come.
  var isAwaited: SyncError {
    SyncError(
      .remoteWaiting, "\(location) has not been downloaded yet.",
      hint: "Let the folder's provider download it, then sync again.")
  }

  /// What lies in the folder.
  struct Contents {
    /// The names of the file and its copies, the file first.
    var names: [String] = []
    /// Whether the provider has yet to download the file.
    var isAwaited = false
  }

  func contents() async throws -> Contents {
    let listing = try await store.list(folder, .folder)
    var contents = Contents()
    for blob in listing.blobs {
      let last = blob.name.split(separator: "/").last.map(String.init) ?? blob.name
      if last == ".\(name).icloud" || (last == name && !blob.isHere) {
        contents.isAwaited = true
      } else if (last == name || isCopy(last) || isKept(last)) && blob.isHere {
        contents.names.append(last)
      }
    }
    // A medium that folds case finds the file under its own name, however it is written.
    if !contents.names.contains(name),
      let folded = contents.names.firstIndex(where: { $0.lowercased() == name.lowercased() }),
      try open(name) != nil
    {
      contents.names[folded] = name
    }
    contents.names.sort { ($0 == name ? 0 : 1, $0) < ($1 == name ? 0 : 1, $1) }
    if contents.names.first == name { contents.isAwaited = false }
    return contents
  }

  /// Whether a name is what a provider calls a second version of the file.
  func isCopy(_ other: String) -> Bool {
    let (lower, stem, ending) = (other.lowercased(), stem.lowercased(), ending.lowercased())
    guard other != name, lower.hasPrefix(stem), lower.hasSuffix(ending),
      lower.count >= stem.count + ending.count
    else { return false }
    let mark = lower.dropFirst(stem.count).dropLast(ending.count)
    if mark.isEmpty { return true }
    if mark.hasPrefix(".sync-conflict-") { return true }
    guard mark.hasPrefix(" ") || mark.hasPrefix("(") || mark.hasPrefix("_") else { return false }
    let words = mark.drop { $0 == " " || $0 == "_" }
    let number = words.drop { $0 == "(" }.prefix { ("0"..."9").contains($0) }
    let isNumber = !number.isEmpty && words.filter { $0 != "(" && $0 != ")" } == number
    return isNumber || words.contains("conflict")
  }

  /// How the second name of a file begins, until it has turned out to be what was read.
  private var keptStart: String { ".\(stem).kept-" }

  /// Whether a name is such a one, left by a writer that was cut off: what lies there may be what
  /// another program wrote in that moment, so it counts as a copy.
  func isKept(_ other: String) -> Bool { other.hasPrefix(keptStart) && other.hasSuffix(ending) }

  // MARK: Reading

  /// A file went away while it was being read.
  struct Absent: Error {}

  /// Opens a file for reading in pieces; nil when it is not here.
  ///
  /// What is read later may throw ``Absent``.
  func open(_ name: String) throws -> TextWindow? {
    let path = path(name)
    guard let file = try store.openFile(path) else { return nil }
    return TextWindow(count: file.size) { [store] buffer, offset in
      let count = POSIX.read(file.descriptor.number, buffer, at: offset)
      guard count >= 0 else {
        _ = try store.absence(path, errno)
        throw Absent()
      }
      return count
    }
  }

  /// Whether a file still has the content that it had; nil stands for no file.
  func isUnchanged(_ name: String, since stamp: ContentStamp?) throws -> Bool {
    guard let window = try open(name) else { return stamp == nil }
    guard window.count == stamp?.count else { return false }
    do { return try ContentStamp(window) == stamp } catch is TextWindow.Shortened {
      return false
    } catch is Absent {
      return false
    }
  }

  func remove(_ name: String) async throws { try await store.delete(path(name)) }

  // MARK: Writing

  /// Writes a new document under a temporary name, durably.
  ///
  /// `excess` is the error for more than ``maximumSize`` bytes; `body` writes the document.
  func draft(
    orThrow excess: SyncError, _ body: (JSONOutput) throws -> Void
  ) throws -> DocumentDraft {
    let root = try store.openRoot()
    let parts = folder.split(separator: "/").map(String.init)
    guard let opened = try store.open(parts, from: root, making: true) else {
      throw store.failure("create the folder of", path(name), ENOENT)
    }
    return try DocumentDraft(in: opened, of: store, path: path(name), orThrow: excess, body)
  }

  /// What became of a write.
  enum Outcome {
    case written
    /// Another program wrote meanwhile; what was found is kept beside the file and is to be read.
    case changed
  }

  /// Puts a draft in the place of the content that was read, durably.
  ///
  /// Nothing that any program wrote is lost: what lies there is kept under a second name until it has
  /// turned out to be what was read. With a mark it is kept for good, under a name that bears it.
  func replace(
    _ expected: ContentStamp?, with draft: DocumentDraft, keepingAs mark: String?
  ) throws -> Outcome {
    guard try isUnchanged(name, since: expected) else { return .changed }
    try meanwhile()
    let chance = TemporaryName.chance()
    let location = DocumentReplacement(
      folder: draft.folder.number, store: store, path: path(name), name: name,
      second: "\(keptStart)\(chance)\(ending)", canLink: canLink)
    guard let kept = try location.exchange(draft.name, isNew: expected == nil) else {
      return .changed
    }
    guard let expected else { return .written }
    guard kept == .second else { return .written }
    let isGone = try open(location.second) == nil
    if try isGone || isUnchanged(location.second, since: expected) {
      try location.settle(as: mark.map { "\(stem).\($0)\(ending)" })
      return .written
    }
    try location.settle(as: "\(stem) (conflicted copy \(chance.suffix(8)))\(ending)")
    return .changed
  }
}

/// The new content of a document under a temporary name, until that takes the document's; it goes if it never does.
final class DocumentDraft {
  let folder: Descriptor
  let name = TemporaryName.random()
  /// What was written.
  let stamp: ContentStamp

  init(
    in folder: consuming Descriptor, of store: FolderBlobStore, path: String,
    orThrow excess: SyncError, _ body: (JSONOutput) throws -> Void
  ) throws {
    let number = POSIX.openAt(
      folder.number, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o666)
    guard number >= 0 else { throw store.failure("write", path, errno) }
    let file = OpenFile(Descriptor(number), size: 0)
    do {
      var count = 0
      let output = JSONOutput { bytes in
        count += bytes.count
        guard count <= DocumentFolder.maximumSize else { throw excess }
        guard POSIX.write(file.descriptor.number, UnsafeRawBufferPointer(bytes)) else {
          throw store.failure("write", path, errno)
        }
      }
      try body(output)
      stamp = try output.finish()
      guard POSIX.synchronizeFile(file.descriptor.number) else {
        throw store.failure("write", path, errno)
      }
    } catch {
      unlinkat(folder.number, name, 0)
      throw error
    }
    self.folder = folder
  }

  deinit { unlinkat(folder.number, name, 0) }
}

/// The steps of exchanging one file for another, each durable.
struct DocumentReplacement {
  /// What is left of the file that was there.
  enum Kept { case nothing, second }

  let folder: Int32
  let store: FolderBlobStore
  let path: String
  let name: String
  /// The name that the former file has until it is settled.
  let second: String
  /// Whether the medium can give a file two names.
  var canLink = true

  /// Gives a file with a temporary name the real one; what bore it keeps the second one.
  ///
  /// - Returns: nil when the name was free a moment ago and is not any more.
  func exchange(_ temporary: String, isNew: Bool) throws -> Kept? {
    let kept = try isNew ? take(temporary) : swap(temporary)
    guard POSIX.synchronizeFolder(folder) else { throw store.failure("write", path, errno) }
    return kept
  }

  private func take(_ temporary: String) throws -> Kept? {
    if linkat(folder, temporary, folder, name, 0) == 0 {
      unlinkat(folder, temporary, 0)
      return .nothing
    }
    if errno == EEXIST {
      unlinkat(folder, temporary, 0)
      return nil
    }
    // A medium without second names. What cannot be read is not there for a reader, and in the way all the same.
    guard POSIX.entry(folder, name) == nil else {
      unlinkat(folder, temporary, 0)
      return nil
    }
    guard renameat(folder, temporary, folder, name) == 0 else {
      throw store.failure("write", path, errno)
    }
    return .nothing
  }

  private func swap(_ temporary: String) throws -> Kept {
    let isLinked = canLink && linkat(folder, name, folder, second, 0) == 0
    // On a medium without second names the file is away for a moment.
    let isKept = isLinked || renameat(folder, name, folder, second) == 0
    guard renameat(folder, temporary, folder, name) == 0 else {
      let code = errno
      if isLinked {
        unlinkat(folder, second, 0)
      } else if isKept {
        renameat(folder, second, folder, name)
      }
      throw store.failure("write", path, code)
    }
    return isKept ? .second : .nothing
  }

  /// Removes what was kept, or gives it a name that people see; another writer may have taken it in
  /// and removed it already.
  func settle(as final: String?) throws {
    let isDone =
      final.map { renameat(folder, second, folder, $0) == 0 } ?? (unlinkat(folder, second, 0) == 0)
    guard isDone || errno == ENOENT, POSIX.synchronizeFolder(folder) else {
      throw store.failure("write", path, errno)
    }
  }
}
