import RealPlaces
import SFTPTransport
import SegmentFormat
import SyncKit
import SyncKitTesting
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A remote of a test on a real server, and what others do to its files.
final class SFTPPlace: Sendable {
  static let domain = "airports"
  static let vault = "aaaaaaaa-0000-4000-8000-00000000000a"

  let server: OpenSSHServer
  /// How often something waited before another try; a connection may outlive the place for a moment.
  private let pauses = Pauses()

  private final class Pauses: Sendable {
    let count = Mutex(0)
  }

  var pauseCount: Int { pauses.count.withLock { $0 } }

  init(_ variant: OpenSSHServer.Variant = .inside, on medium: String? = nil) throws {
    server = try OpenSSHServer(variant, on: medium)
  }

  deinit { server.stop() }

  func access(_ command: [String]? = nil) -> SFTPAccess {
    SFTPAccess(
      host: "127.0.0.1", port: server.port, command: command ?? server.command,
      variables: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": server.place],
      environment: SyncEnvironment(now: { 0 }, random: { .random(in: .min ... .max) })
    ) { [pauses] _ in
      pauses.count.withLock { $0 += 1 }
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  /// A connection of its own, as another device has it.
  func connect() -> SFTPServer { SFTPServer(access()) }

  func transport(_ connection: SFTPServer? = nil, making: Bool = false) -> SFTPTransport {
    SFTPTransport(
      server: connection ?? connect(), path: server.path, createIfParentExists: making)
  }

  func store(_ connection: SFTPServer? = nil, making: Bool = false) -> SFTPBlobStore {
    SFTPBlobStore(
      server: connection ?? connect(), path: server.path, createIfParentExists: making)
  }

  // MARK: The files on the server's disk

  /// Runs a shell command in the remote's folder.
  @discardableResult func run(_ command: String) -> Int32 {
    system("cd '\(server.folder)' && \(command)")
  }

  /// All plain files by their paths, in order.
  func files() -> [String] {
    let list = "\(server.place)/list"
    run("find . -type f | sed 's,^./,,' | LC_ALL=C sort >'\(list)'")
    return String(decoding: read(at: list), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  func read(_ name: String) -> [UInt8] { read(at: "\(server.folder)/\(name)") }

  private func read(at path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { return bytes }
      bytes += buffer.prefix(count)
    }
  }

  func write(_ name: String, _ bytes: [UInt8]) {
    if let slash = name.lastIndex(of: "/") { run("mkdir -p '\(name[..<slash])'") }
    guard let file = fopen("\(server.folder)/\(name)", "w") else { return }
    defer { fclose(file) }
    fwrite(bytes, 1, bytes.count, file)
  }

  /// Cuts every segment in half, as a medium does that loses the end of a file.
  func cutSegments() {
    for name in files() where name.hasSuffix(".seg") {
      let bytes = read(name)
      write(name, Array(bytes.prefix(bytes.count / 2)))
    }
  }

  /// Many bytes of which no two blocks are alike.
  static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 7) ^ ($0 >> 15)) }
  }
}

/// The code of the error that something throws; nil when it throws none.
func code(_ body: () async throws -> Void) async -> SyncError.Code? {
  do {
    try await body()
    return nil
  } catch let error as SyncError {
    return error.code
  } catch {
    return SyncError.Code("not one of ours", exit: 1)
  }
}
