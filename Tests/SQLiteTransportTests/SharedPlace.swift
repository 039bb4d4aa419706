import SQLiteFile
import SegmentFormat
import SyncKit
import SyncKitTesting

@testable import SQLiteTransport

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A folder of a test's own with a shared file in it, and what people and accidents do to that.
final class SharedPlace: Sendable {
  static let domain = "airports"
  static let vault = "aaaaaaaa-0000-4000-8000-00000000000a"

  let folder: String
  let path: String

  struct Failure: Error { let what: String }

  init() throws {
    var template = Array("/tmp/cloudsync-shared-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Failure(what: "mkdtemp") }
    folder = String(cString: made)
    path = "\(folder)/shared.sqlite"
  }

  deinit { system("rm -rf '\(folder)'") }

  @discardableResult func run(_ command: String) -> Int32 { system("cd '\(folder)' && \(command)") }

  /// Runs SQL as some other program does.
  func sql(_ text: String) throws {
    let connection = try Connection(path)
    defer { connection.close() }
    connection.setTimeout(5_000)
    try connection.run(text)
  }

  func texts(_ text: String) throws -> [String] {
    let connection = try Connection(path)
    defer { connection.close() }
    connection.setTimeout(5_000)
    return try connection.texts(text)
  }

  func bytes(_ ending: String = "") throws -> [UInt8] {
    let file = open(path + ending, O_RDONLY)
    guard file >= 0 else { throw Failure(what: "open \(path)\(ending)") }
    defer { close(file) }
    var status = stat()
    fstat(file, &status)
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    return Array(bytes.prefix(max(count, 0)))
  }

  /// Writes over the file, as an editor or an accident does.
  func write(_ bytes: [UInt8]) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard file >= 0 else { throw Failure(what: "open \(path)") }
    defer { close(file) }
    let count = bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
    guard count == bytes.count else { throw Failure(what: "write \(path)") }
  }

  func mode(_ ending: String = "") -> UInt32? {
    var status = stat()
    return stat(path + ending, &status) == 0 ? UInt32(status.st_mode) & 0o777 : nil
  }

  // MARK: What a device does

  /// One more process's way into the file.
  func transport(
    creating: Bool = true, patience: Duration = .seconds(300), fileSystem: String = "ext4"
  ) -> SQLiteTransport {
    SQLiteTransport(
      path: path, createIfParentExists: creating, patience: patience,
      pollInterval: .milliseconds(20),
      host: HostEnvironment { _ in fileSystem })
  }

  static func stranger(_ vault: String = vault) -> RemoteIdentity {
    RemoteIdentity(vault: [], isKnown: false, newVault: vault)
  }

  static func friend(_ consent: RemoteIdentity.Consent = .none) -> RemoteIdentity {
    RemoteIdentity(vault: [vault], isKnown: true, newVault: vault, consent: consent)
  }

  @discardableResult func attach(
    _ identity: RemoteIdentity = stranger()
  ) async throws -> Set<
    String
  > {
    try await transport().attach(identity, domain: Self.domain)
  }

  /// Stores segments of the given numbers in one exchange.
  @discardableResult func store(
    _ numbers: UInt64..., zone: ZoneID = .home
  ) async throws
    -> [Segment]
  {
    let transport = transport()
    let segments = try numbers.map { try Self.segment($0, zone: zone) }
    for segment in segments { try await transport.store(Self.release(segment)) }
    try await transport.flush(Self.domain)
    return segments
  }

  /// The numbers of the segments that a device gets that reads everything.
  func everything() async throws -> [UInt64] {
    let transport = transport()
    let inventory = try await transport.inventory(of: Self.domain)
    await transport.expect(inventory.segments, of: Self.domain)
    var found: [UInt64] = []
    for reference in inventory.segments {
      if let segment = try await transport.fetch(reference, of: Self.domain) {
        found.append(segment.info.first)
      }
    }
    return found
  }

  static func segment(
    _ first: UInt64 = 1, zone: ZoneID = .home, series: UInt64 = 77, domain: String = domain,
    text: String = "change"
  ) throws -> Segment {
    let info = SegmentInfo(
      domain: domain, zone: zone, series: ReplicaID(high: series, low: 99), first: first,
      last: first, previous: ContentHash(high: first, low: 0),
      head: ContentHash(high: first, low: 1), base: VersionVector(), operations: 1, deletions: 0,
      newest: first)
    return try DeflateSegmentCoding().segment(info, changes: [Array("\(text) \(first)".utf8)])
  }

  static func release(_ segment: Segment) throws -> OutboundSegment {
    guard let outbound = EgressPolicy(published: [segment.info.zone]).release(segment) else {
      throw Failure(what: "release")
    }
    return outbound
  }
}

/// The code that something fails with; nil when it does not fail.
func code(_ body: () async throws -> Void) async -> SyncError.Code? {
  do {
    try await body()
    return nil
  } catch {
    return (error as? SyncError)?.code ?? .bug
  }
}
