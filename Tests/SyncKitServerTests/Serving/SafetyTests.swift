import SyncKit
import SyncWire
import Testing

@testable import SyncKitServer

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What a server refuses to be.
struct SafetyTests {
  private func check(
    _ listen: String, _ change: (inout ServerSettings) -> Void = { _ in }
  ) throws -> SyncError? {
    let address = try #require(ServerAddress(listen), "\(listen) is no address")
    var settings = ServerSettings(listen: address, data: "/nowhere")
    change(&settings)
    do throws(SyncError) {
      try settings.checkSafety()
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: ["127.0.0.1:0", "localhost:8765", "[::1]:8765", "127.8.8.8:1", "unix:/run/x"])
  func `this machine needs nothing`(listen: String) throws {
    #expect(try check(listen) == nil)
    #expect(try check(listen) { $0.authentication = .none } == nil)
  }

  @Test(arguments: [
    "0.0.0.0:8765", "[::]:8765", "192.168.1.2:8765", "example.org:80", "localhost.example.org:80",
    "127.0.0.1.example.org:80",
  ])
  func `what others can reach is encrypted and asks for tokens`(listen: String) throws {
    let error = try #require(try check(listen))
    #expect(error.code == .serverUnsafe && error.code.exit == 78)
    let files = ServerSettings.CertificateFiles(certificate: "/c", key: "/k")
    #expect(try check(listen) { $0.tls = files } == nil)
    #expect(try check(listen) { $0.proxy = .everybody } == nil)
    let open = try check(listen) {
      $0.tls = files
      $0.authentication = .none
    }
    #expect(open?.code == .serverUnsafe)
  }

  @Test func `a proxy lets no client in without a token`() throws {
    let error = try check("127.0.0.1:1") {
      $0.proxy = .everybody
      $0.authentication = .none
    }
    #expect(error?.code == .serverUnsafe)
  }

  @Test(arguments: [
    "", ":", "host", "host:", "host:port", "host:65536", "host:-1", "::1:80", "[::1]", "[]:80",
    "unix:", "unix:relative", "unix:/a\0b", "host:٣",
  ])
  func `an invalid address is refused`(text: String) {
    #expect(ServerAddress(text) == nil)
  }

  @Test(arguments: ["127.0.0.1:8765", "[::1]:0", "unix:/run/cloudsync/socket", "example.org:65535"])
  func `an address is written as it is read`(text: String) {
    #expect(ServerAddress(text)?.description == text)
  }

  @Test func `a data folder that others can read is refused`() throws {
    let folder = try TestFolder()
    for mode: mode_t in [0o755, 0o704, 0o701, 0o770] {
      chmod(folder.path, mode)
      #expect(throws: SyncError.self, "\(String(mode, radix: 8))") { try DataFolder(folder.path) }
    }
    for mode: mode_t in [0o700, 0o750] {
      chmod(folder.path, mode)
      #expect(throws: Never.self) { try DataFolder(folder.path) }
    }
  }

  @Test func `a data folder is made for its owner alone, and has one server`() throws {
    let folder = try TestFolder()
    let path = "\(folder.path)/a/b"
    let data = try DataFolder(path)
    var facts = stat()
    #expect(stat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o700)
    let first = try data.lock()
    #expect(stat("\(path)/server.lock", &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    let error = #expect(throws: SyncError.self) { try data.lock() }
    #expect(error?.code == .storeBusy && error?.code.exit == 75)
    first.release()
    #expect(throws: Never.self) { try data.lock() }
  }

  @Test func `a data folder that must be there is not made`() throws {
    let folder = try TestFolder()
    let error = #expect(throws: SyncError.self) { try DataFolder(existing: "\(folder.path)/none") }
    #expect(error?.code == .inputMissing)
  }

  @Test func `a link to another user's folder is refused`() throws {
    // /usr belongs to root, and others can read it: refused whichever user runs the test.
    let folder = try TestFolder()
    symlink("/usr", "\(folder.path)/data")
    #expect(throws: SyncError.self) { try DataFolder("\(folder.path)/data") }
  }
}
