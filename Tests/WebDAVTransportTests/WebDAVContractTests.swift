import CurlNetwork
import RealPlaces
import SyncKit
import SyncKitHTTP
import SyncKitTesting
import Testing

@testable import WebDAVTransport

extension WebDAVServer {
  /// A transport to a collection of the server.
  func transport(
    _ collection: String, password: String = WebDAVServer.password, creating: Bool = true
  ) throws -> WebDAVTransport {
    try WebDAVTransport(
      access(collection), createIfMissing: creating
    ) {
      .password(user: Self.user, password: password)
    }
  }

  /// How a collection of the server is reached.
  func access(_ collection: String) throws -> ServerAccess {
    let address = try #require(ServerAddress("\(address)/\(collection)"))
    return ServerAccess(curl: address, environment: .seeded(UInt64.random(in: 1...9_999_999)))
  }
}

/// The checks that do not go on for minutes over a real server; what the others prove is the layout's.
let quickChecks = TransportContract.checks.filter { !$0.isLong }

@Suite struct WebDAVServersKeepTheContract {
  @Test(arguments: WebDAVServer.Kind.allCases)
  func checks(kind: WebDAVServer.Kind) async throws {
    let server = try WebDAVServer(kind)
    for (number, check) in quickChecks.enumerated() {
      // Two that are missing, with what a path may have in it.
      let collection = "a%20b/\(number)%25%C3%A9"
      let folder = try #require(ServedFolder("\(server.folder)/a b/\(number)%\u{00E9}"))
      let contract = TransportContract {
        TestRemote {
          try server.transport(collection)
        } empty: {
          folder.empty()
          // rclone remembers a listing for a tenth of a second.
          try await Task.sleep(for: .milliseconds(150))
        } cut: {
          folder.cut()
        }
      }
      do {
        try await check(contract)
      } catch {
        Issue.record("\(kind): \(check): \(error)")
      }
    }
    #expect(ServedFolder(server.folder)?.files.contains { $0.contains(".tmp-") } == false)
    server.process.stop()
  }

  @Test(arguments: [WebDAVServer.Kind.apache, .wsgidav])
  func checksWithDigest(kind: WebDAVServer.Kind) async throws {
    let server = try WebDAVServer(kind, .digest)
    for (number, check) in quickChecks.enumerated() {
      let folder = try #require(ServedFolder("\(server.folder)/\(number)"))
      let contract = TransportContract {
        TestRemote {
          try server.transport("\(number)")
        } empty: {
          folder.empty()
        } cut: {
          folder.cut()
        }
      }
      do {
        try await check(contract)
      } catch {
        Issue.record("\(kind): \(check): \(error)")
      }
    }
    server.process.stop()
  }
}
