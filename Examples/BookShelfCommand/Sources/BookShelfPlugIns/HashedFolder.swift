import Foundation
import SegmentFormat
import SyncKit

/// Keeps blobs in one folder, each in a file whose name is the hash of the blob's.
///
/// A file holds the blob's name, a line feed, and the blob. It is written under a name that readers ignore,
/// synchronised and renamed; then the folder is synchronised. Links, pipes and devices are passed over.
public struct HashedFolder: BlobStore {
  let path: String
  let mayCreate: Bool
  let advice: String?

  /// Keeps blobs in a folder, which ``prepare()`` may make in one that is there.
  public init(path: String, mayCreate: Bool = false, advice: String? = nil) {
    self.path = path
    self.mayCreate = mayCreate
    self.advice = advice
  }

  public var location: String { "'\(path)'" }

  public func prepare(creating isNew: Bool) async throws {
    if mayCreate, isNew, mkdir(path, 0o777) != 0, errno != EEXIST { throw failure(errno) }
    try checkLocation()
  }

  public func list(_ folder: String, _ reach: BlobReach) async throws -> BlobListing {
    guard let entries = opendir(path) else { throw failure(errno) }
    defer { closedir(entries) }
    let prefix = folder.isEmpty ? "" : "\(folder)/"
    var listing = BlobListing()
    var folders: Set<String> = []
    while let entry = readdir(entries) {
      let file = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard file.hasSuffix(Self.suffix), let head = try contents(of: file, upTo: Self.longestName),
        let name = Self.name(in: head), name.hasPrefix(prefix), Self.file(of: name) == file
      else { continue }
      let rest = name.dropFirst(prefix.count)
      if reach == .folder, let slash = rest.firstIndex(of: "/") {
        folders.insert(prefix + rest[..<slash])
      } else {
        let size = size(of: file).map { $0 - name.utf8.count - 1 }
        listing.blobs.append(BlobEntry(name: name, size: size))
      }
    }
    listing.folders = Array(folders)
    return listing
  }

  public func get(_ name: String, upTo limit: Int) async throws -> [UInt8]? {
    try checkLocation()
    let head = name.utf8.count + 1
    guard limit > 0, let bytes = try contents(of: Self.file(of: name), upTo: limit + head),
      Self.name(in: bytes) == name
    else { return nil }
    return Array(bytes.dropFirst(head))
  }

  public func put(_ name: String, _ bytes: [UInt8], replacing: Bool) async throws -> Bool {
    try checkLocation()
    let file = Self.file(of: name)
    if let head = try contents(of: file, upTo: Self.longestName) {
      guard Self.name(in: head) == name else {
        throw SyncError(.hashTaken, "'\(name)' has the hash of another blob in \(location).")
      }
      if !replacing { return false }
    }
    try write(Array(name.utf8) + [0x0A] + bytes, as: file)
    return true
  }

  public func delete(_ name: String) async throws {
    try checkLocation()
    guard try await get(name, upTo: 1) != nil else { return }
    guard unlink("\(path)/\(Self.file(of: name))") == 0 || errno == ENOENT else {
      throw failure(errno)
    }
    try synchronizeFolder()
  }

  public func tryPutting(_ count: Int, in folder: String) async throws {
    try checkLocation()
    guard count > 0 else { return }
    try write([UInt8](repeating: 0, count: count), as: nil)
  }

  // MARK: Names

  static let suffix = ".blob"
  private static let longestName = 1_024

  /// The file of a blob: 64 bits of FNV-1a over its name.
  static func file(of name: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits + suffix
  }

  private static func name(in bytes: [UInt8]) -> String? {
    bytes.firstIndex(of: 0x0A).map { String(decoding: bytes[..<$0], as: UTF8.self) }
  }

  // MARK: Files

  /// The first bytes of a plain file; nil when there is none.
  private func contents(of file: String, upTo limit: Int) throws -> [UInt8]? {
    guard size(of: file) != nil else { return nil }
    let number = open("\(path)/\(file)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard number >= 0 else {
      if errno == ENOENT { return nil }
      throw failure(errno)
    }
    defer { close(number) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: min(limit, 1 << 16))
    while bytes.count < limit {
      let count = read(number, &piece, min(piece.count, limit - bytes.count))
      guard count >= 0 else {
        throw SyncError(
          .remoteUnread, "A file of \(location) cannot be read.", cause: reason(errno))
      }
      if count == 0 { break }
      bytes += piece[..<count]
    }
    return bytes
  }

  /// The size of a plain file; nil when there is none.
  private func size(of file: String) -> Int? {
    var status = stat()
    guard lstat("\(path)/\(file)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Int(status.st_size)
  }

  /// Writes a file durably; without a name it is removed again.
  private func write(_ bytes: [UInt8], as file: String?) throws {
    let draft = "\(path)/.\(UUID().uuidString).part"
    let number = open(draft, O_WRONLY | O_CREAT | O_EXCL, 0o666)
    guard number >= 0 else { throw failure(errno) }
    var isDone = false
    defer { if !isDone { unlink(draft) } }
    do {
      defer { close(number) }
      var start = 0
      while start < bytes.count {
        let count = bytes[start...].withUnsafeBytes {
          Foundation.write(number, $0.baseAddress, $0.count)
        }
        guard count >= 0 else { throw failure(errno) }
        start += count
      }
      guard fsync(number) == 0 else { throw failure(errno) }
    }
    guard let file else { return }
    guard rename(draft, "\(path)/\(file)") == 0 else { throw failure(errno) }
    isDone = true
    try synchronizeFolder()
  }

  private func synchronizeFolder() throws {
    let number = open(path, O_RDONLY | O_DIRECTORY)
    guard number >= 0 else { throw failure(errno) }
    defer { close(number) }
    guard fsync(number) == 0 else { throw failure(errno) }
  }

  private func checkLocation() throws {
    var status = stat()
    guard stat(path, &status) == 0 else { throw failure(errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw failure(ENOTDIR) }
  }

  // MARK: Errors

  private func reason(_ number: Int32) -> String { String(cString: strerror(number)) }

  private func failure(_ number: Int32) -> SyncError {
    let code: SyncError.Code =
      switch number {
      case ENOENT, ENOTDIR, ENODEV, ENXIO: .remoteUnavailable
      case EACCES, EPERM, EROFS: .remoteDenied
      case ENOSPC: .remoteDiskFull
      case EDQUOT: .remoteQuota
      default: .remoteIO
      }
    return SyncError(
      code, "The folder \(location) cannot be used.", hint: advice, cause: reason(number))
  }
}

extension SyncError.Code {
  /// Two blobs have one hash.
  public static let hashTaken = Self("hashed.taken", exit: 76)
}
