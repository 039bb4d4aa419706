import SyncKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Tells what has changed in a folder and those below it since it was last asked.
///
/// Linux says so by itself (inotify). Elsewhere, and when it has no watch to spare, the times of the
/// folders are compared, since every segment is a new name in one.
struct FolderChanges: ~Copyable {
  private let path: String
  /// The system's list of events; negative without it.
  private var events: Int32 = -1
  /// The folders that are watched, by the number of their watch: a path below the root, empty for the root.
  private var watched: [Int32: String] = [:]
  private var seen: [String: FolderTime] = [:]
  /// What is reported again at the next look: something may have come between a new folder and its watch.
  private var again: Set<String> = []
  /// Whether a folder may have come between the first list of them and their watches, unreported.
  private var isListDue = true

  /// Segments lie three folders below the root.
  private static let depth = 4
  /// More folders are no remote of ours.
  private static let most = 20_000

  /// Begins; nothing that is there counts as a change.
  ///
  /// - Throws: ``SyncError`` `remote.unavailable` when there is no such folder.
  init(_ path: String, isReported: Bool) throws(SyncError) {
    self.path = path
    #if !canImport(Darwin)
    if isReported { events = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)) }
    #endif
    seen = try folders()
    watch()
  }

  deinit { if events >= 0 { close(events) } }

  /// Whether the system reports changes.
  var isReported: Bool { events >= 0 }

  /// The first names below the root under which something has changed; a hidden name is none.
  ///
  /// - Throws: ``SyncError`` `remote.unavailable` when the folder is gone.
  mutating func take() throws(SyncError) -> Set<String> {
    isReported ? try reported() : try compared()
  }

  // MARK: By times

  private mutating func compared() throws(SyncError) -> Set<String> {
    let now = try folders()
    var names: Set<String> = []
    for (folder, time) in now where seen[folder] != time {
      // The root's own names may be of any domain.
      names.insert(folder.split(separator: "/").first.map(String.init) ?? ".")
    }
    seen = now
    return names
  }

  /// The folders with their times, the root included.
  private func folders() throws(SyncError) -> [String: FolderTime] {
    guard let time = FolderTime(path) else {
      throw SyncError(.remoteUnavailable, "The folder \(path) is not there.")
    }
    var found = ["": time]
    var open = [""]
    for _ in 0..<Self.depth {
      var next: [String] = []
      for folder in open {
        for name in Self.names(in: folder.isEmpty ? path : "\(path)/\(folder)") {
          let inner = folder.isEmpty ? name : "\(folder)/\(name)"
          guard found.count < Self.most, let time = FolderTime("\(path)/\(inner)") else { continue }
          found[inner] = time
          next.append(inner)
        }
      }
      open = next
    }
    return found
  }

  /// The folders in a folder, by what the listing says of each.
  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      guard entry.pointee.d_type == UInt8(DT_DIR) || entry.pointee.d_type == UInt8(DT_UNKNOWN)
      else {
        continue
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  // MARK: By the system

  #if canImport(Darwin)
  private mutating func watch() {}
  private mutating func reported() throws(SyncError) -> Set<String> { [] }
  #else
  /// Has all folders watched that are not; without enough watches goes on without any.
  private mutating func watch() {
    guard isReported else { return }
    let mask = UInt32(
      IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
    for folder in seen.keys {
      let number = inotify_add_watch(events, folder.isEmpty ? path : "\(path)/\(folder)", mask)
      if number >= 0 {
        watched[number] = folder
      } else if errno != ENOENT && errno != ENOTDIR {
        close(events)
        events = -1
        return
      }
    }
  }

  private mutating func reported() throws(SyncError) -> Set<String> {
    var names = again
    // A folder that was made within a new one before that one's watch stood was not reported either.
    var hasNewFolders = isListDue || !again.isEmpty
    again = []
    isListDue = false
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBytes { POSIX.take(events, $0) }
      guard count > 0 else { break }
      try read(buffer[..<count], &names, &hasNewFolders)
    }
    guard FolderTime(path) != nil else {
      throw SyncError(.remoteUnavailable, "The folder \(path) is not there.")
    }
    if hasNewFolders {
      // What was put in before the watch stood was not reported.
      let known = Set(watched.values)
      seen = try folders()
      for folder in seen.keys where !known.contains(folder) {
        if let first = folder.split(separator: "/").first { again.insert(String(first)) }
      }
      names.formUnion(again)
      watch()
    }
    return names
  }

  /// Reads events as the kernel writes them: watch, kind, a number that we do not need, a length, a name.
  private mutating func read(
    _ bytes: ArraySlice<UInt8>, _ names: inout Set<String>, _ hasNewFolders: inout Bool
  ) throws(SyncError) {
    let head = 16
    var rest = bytes
    while rest.count >= head {
      func word(_ index: Int) -> UInt32 {
        rest.dropFirst(index * 4).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
      }
      let (watch, kind, length) = (Int32(bitPattern: word(0)), word(1), Int(word(3)))
      let name = String(
        decoding: rest.dropFirst(head).prefix(length).prefix { $0 != 0 }, as: UTF8.self)
      rest = rest.dropFirst(head + length)
      if kind & UInt32(IN_Q_OVERFLOW) != 0 {
        (names, hasNewFolders) = (names.union(["."]), true)
        continue
      }
      if kind & UInt32(IN_IGNORED) != 0 {
        // The folder is gone; another one of that name is not watched.
        watched[watch] = nil
        continue
      }
      guard let folder = watched[watch] else { continue }
      if folder.isEmpty, kind & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) != 0 {
        throw SyncError(.remoteUnavailable, "The folder \(path) is not there.")
      }
      // Drafts and what a provider keeps for itself; a placeholder of a file says that one is coming.
      guard !name.isEmpty, !name.hasPrefix(".") || name.hasSuffix(".icloud") else { continue }
      if kind & UInt32(IN_ISDIR) != 0 { hasNewFolders = true }
      let isFile = kind & UInt32(IN_ISDIR) == 0
      names.insert(
        folder.split(separator: "/").first.map(String.init) ?? (isFile ? "." : name))
    }
  }
  #endif
}

/// When a folder's list of names was last changed, and which folder it is.
private struct FolderTime: Equatable {
  private let inode: UInt64
  private let seconds: Int
  private let nanoseconds: Int

  /// Nil when there is no such folder.
  init?(_ path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else { return nil }
    #if canImport(Darwin)
    let time = facts.st_mtimespec
    #else
    let time = facts.st_mtim
    #endif
    inode = UInt64(facts.st_ino)
    seconds = Int(time.tv_sec)
    nanoseconds = Int(time.tv_nsec)
  }
}
