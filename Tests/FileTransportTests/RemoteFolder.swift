import FileTransport
import SegmentFormat
import SyncKit
import SyncKitTesting

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A remote folder of a test's own, and what providers and people do to it.
final class RemoteFolder: Sendable {
  static let domain = "airports"
  static let vault = "aaaaaaaa-0000-4000-8000-00000000000a"

  let path: String

  struct Failure: Error { let what: String }

  init() throws {
    var template = Array("/tmp/cloudsync-remote-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Failure(what: "mkdtemp") }
    path = String(cString: made)
  }

  func remove() { system("chmod -R u+rwX '\(path)'; rm -rf '\(path)'") }

  @discardableResult func run(_ command: String) -> Int32 { system("cd '\(path)' && \(command)") }

  func empty() throws { run("find . -mindepth 1 -delete") }

  /// All plain files by their paths, in order.
  func files(in folder: String = "") -> [String] {
    guard let stream = opendir("\(path)/\(folder)") else { return [] }
    defer { closedir(stream) }
    var found: [String] = []
    while let entry = readdir(stream) {
      let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
      let raw = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
      guard let part = String(validatingCString: raw), part != ".", part != ".." else { continue }
      let name = folder.isEmpty ? part : "\(folder)/\(part)"
      var status = stat()
      guard lstat("\(path)/\(name)", &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: found += files(in: name)
      case S_IFREG: found.append(name)
      default: break
      }
    }
    return found.sorted()
  }

  var segmentFiles: [String] { files().filter { $0.hasSuffix(".seg") } }

  func read(_ name: String) throws -> [UInt8] {
    let file = open("\(path)/\(name)", O_RDONLY)
    guard file >= 0 else { throw Failure(what: "open \(name)") }
    defer { close(file) }
    var status = stat()
    fstat(file, &status)
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    return Array(bytes.prefix(max(count, 0)))
  }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    if let slash = name.lastIndex(of: "/") { run("mkdir -p '\(name[..<slash])'") }
    let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard file >= 0 else { throw Failure(what: "open \(name)") }
    defer { close(file) }
    let count = bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
    guard count == bytes.count else { throw Failure(what: "write \(name)") }
  }

  func mode(_ name: String) -> UInt32? {
    var status = stat()
    return lstat("\(path)/\(name)", &status) == 0 ? UInt32(status.st_mode) & 0o7777 : nil
  }

  // MARK: What a device does

  var transport: FileTransport { FileTransport(path: path) }

  static func stranger(_ vault: String = vault) -> RemoteIdentity {
    RemoteIdentity(vault: [], isKnown: false, newVault: vault)
  }

  @discardableResult func attach() async throws -> Set<String> {
    try await transport.attach(Self.stranger(), domain: Self.domain)
  }

  /// Stores one segment and says where it lies.
  func store(_ first: UInt64 = 1, zone: ZoneID = .home) async throws -> (Segment, name: String) {
    let segment = try Self.segment(first, zone: zone)
    let before = Set(segmentFiles)
    try await transport.store(Self.release(segment))
    guard let name = segmentFiles.first(where: { !before.contains($0) }) else {
      throw Failure(what: "store")
    }
    return (segment, name)
  }

  /// What a device gets that reads everything, and the notes.
  func everything() async throws -> (segments: [Segment], notes: [String]) {
    let inventory = try await transport.inventory(of: Self.domain)
    var found: [Segment] = []
    for reference in inventory.segments {
      if let segment = try await transport.fetch(reference, of: Self.domain) {
        found.append(segment)
      }
    }
    return (found, inventory.notes)
  }

  static func segment(
    _ first: UInt64 = 1, zone: ZoneID = .home, domain: String = domain
  ) throws -> Segment {
    let changes = [(0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ Int(first)) }]
    let info = SegmentInfo(
      domain: domain, zone: zone, series: ReplicaID(high: 77, low: 99), first: first, last: first,
      previous: ContentHash(high: first, low: 0), head: ContentHash(high: first, low: 1),
      base: VersionVector(), operations: 1, deletions: 0, newest: first)
    return try DeflateSegmentCoding().segment(info, changes: changes)
  }

  static func release(_ segment: Segment) throws -> OutboundSegment {
    guard let outbound = EgressPolicy(published: [segment.info.zone]).release(segment) else {
      throw Failure(what: "release")
    }
    return outbound
  }
}
