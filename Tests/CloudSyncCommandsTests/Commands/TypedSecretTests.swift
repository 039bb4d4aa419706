import LocalMachine
import LoopbackServer
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

/// The password of a remote, as a person types it.
struct TypedSecretTests {
  private static let right = "kR2nD-Wq8zT-4bYcP"

  /// An empty folder of a WebDAV server that knows one password, and keeps nothing.
  private static func server(isFull: Bool = false) throws -> LoopbackServer {
    let shown = "Basic " + Base64.encode(Array("anna:\(right)".utf8))
    return try LoopbackServer { request, _ in
      guard request.headers["authorization"] == shown else {
        return .http(401, ["WWW-Authenticate": "Basic realm=\"files\""])
      }
      switch request.method {
      case "PROPFIND":
        return .http(
          207, ["Content-Type": "application/xml"],
          Array(
            """
            <d:multistatus xmlns:d="DAV:"><d:response><d:href>/sync/</d:href><d:propstat><d:prop><d:resourcetype>
            <d:collection/></d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>
            </d:multistatus>
            """.utf8))
      case "PUT" where isFull: return .http(507)
      case "PUT", "MOVE", "MKCOL": return .http(201)
      case "DELETE": return .http(204)
      default: return .http(404)
      }
    }
  }

  private static func machine(_ typed: String) throws -> TestMachine {
    var machine = try TestMachine()
    (machine.isTerminal, machine.input) = (true, typed)
    return machine
  }

  private static func add(_ server: LoopbackServer) -> [String] {
    [
      "remote", "add", "cloud", "webdav:http://anna@127.0.0.1:\(server.port)/sync", "--domains",
      "airports", "--unencrypted",
    ]
  }

  private static func kept(_ machine: TestMachine) -> String? {
    let path = "\(machine.home.path)/.local/share/cloudsync/tokens/cloud"
    return (try? LocalFile.read(path, limit: 4_096)).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `a wrong password is asked for again, and only the right one is kept`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let machine = try Self.machine("wrong\n\(Self.right)\n")
    let added = await machine.run(Self.add(server))
    #expect(added.status == 0, "\(added.error)")
    #expect(added.error.ranges(of: "app password, of anna at 'cloud'").count == 2)
    #expect(added.error.contains("does not let this device list the folder"))
    #expect(Self.kept(machine)?.hasPrefix("\(Self.right)\n") == true)
  }

  @Test func `three wrong passwords are enough, and none is kept`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let machine = try Self.machine("wrong\nWrong\nwrong1\n\(Self.right)\n")
    let added = await machine.run(Self.add(server))
    #expect(added.status == 77, "\(added.error)")
    #expect(added.error.ranges(of: "of anna at 'cloud'").count == 3)
    #expect(Self.kept(machine) == nil)
    #expect(FileSignature(machine.configuration) == nil)
  }

  @Test func `no second answer leaves nothing`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let machine = try Self.machine("wrong\n\n")
    #expect(await machine.run(Self.add(server)).status == 77)
    #expect(Self.kept(machine) == nil)
  }

  @Test func `a wrong password takes the place of no right one`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    var machine = try Self.machine("\(Self.right)\n")
    #expect(await machine.run(Self.add(server)).status == 0)
    machine.input = "wrong\n"
    #expect(await machine.run(Self.add(server)).status == 77)
    #expect(Self.kept(machine)?.hasPrefix("\(Self.right)\n") == true)
  }

  @Test func `a password stays only with its remote`() async throws {
    let server = try Self.server(isFull: true)
    defer { server.stop() }
    let machine = try Self.machine("\(Self.right)\n")
    let added = await machine.run(Self.add(server))
    #expect(added.status == 73, "\(added.error)")
    #expect(Self.kept(machine) == nil)
  }

  @Test func `a secret is not asked for again where the clock is wrong`() async throws {
    let server = try LoopbackServer { _, _ in
      .http(
        403, ["Content-Type": "application/xml", "Date": "Thu, 23 May 2013 23:35:00 GMT"],
        Array("<Error><Code>RequestTimeTooSkewed</Code></Error>".utf8))
    }
    defer { server.stop() }
    let machine = try Self.machine("\(Self.right)\n\(Self.right)\n")
    let added = await machine.run(
      "remote", "add", "cloud", "s3:http://127.0.0.1:\(server.port)/photos/sync", "--set",
      "access-key=AKIAIOSFODNN7EXAMPLE", "--domains", "airports", "--unencrypted")
    #expect(added.status == 77, "\(added.error)")
    #expect(added.error.ranges(of: "Secret key that belongs to").count == 1)
    #expect(added.error.contains("Set the clock of this device"), "\(added.error)")
    #expect(Self.kept(machine) == nil)
  }

  @Test func `setting up asks again, too`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let url = "cloud=webdav:http://anna@127.0.0.1:\(server.port)/sync"
    let machine = try Self.machine("wrong\n\(Self.right)\n")
    let made = await machine.run(
      "init", "--yes", "--unencrypted", "--domains", "airports", "--remote", url)
    #expect(made.status == 0, "\(made.error)")
    #expect(Self.kept(machine)?.hasPrefix("\(Self.right)\n") == true)
  }
}
