import RealPlaces
import SyncKitFormats
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Homes that meet at a real WebDAV server, with the real program.
struct WebDAVStoryTests {
  private let base: TestDevice
  private let laptop: TestDevice
  private let phone: TestDevice
  private let desktop: TestDevice

  init() throws {
    base = try TestDevice()
    laptop = try TestDevice(in: base.home, name: "laptop")
    phone = try TestDevice(in: base.home, name: "phone")
    desktop = try TestDevice(in: base.home, name: "desktop")
  }

  /// The URL of a folder of the server, as a person types it.
  private func url(_ server: WebDAVServer) -> String {
    "webdav:" + server.address.replacing("://", with: "://\(WebDAVServer.user)@")
      + "/My Files/cloudsync"
  }

  /// A file with the password, which nobody else can read.
  private func passwordFile(_ text: String = WebDAVServer.password) throws -> String {
    let path = base.path("password-\(text.utf8.count)")
    try Files.write(Array("\(text)\n".utf8), to: path)
    chmod(path, 0o600)
    return path
  }

  @Test(arguments: WebDAVServer.Kind.allCases)
  func `an account somewhere is all that two devices need`(kind: WebDAVServer.Kind) async throws {
    let server = try WebDAVServer(kind)
    defer { server.process.stop() }
    let password = try passwordFile()
    _ = try await laptop.json(
      "init", "--yes", "--device", "laptop", "--remote", "cloud=\(url(server))",
      "--password-file", password)
    let pairing = try await laptop.json("device", "pair")
    _ = try await phone.json(
      "init", "--yes", "--device", "phone", "--remote", "cloud=\(url(server))",
      "--password-file", password, "--code", pairing["key"]?.string ?? "")
    try await laptop.run("airports", "add", "QQX", "EQXX")
    try await TestDevice.sync(laptop, phone)
    #expect(try await phone.codes() == ["QQX": "EQXX"])
    try await phone.run("airports", "add", "QQY", "EQYY")
    try await phone.run("airports", "rm", "QQX")
    try await laptop.run("airports", "add", "QQZ", "EQZZ")
    try await TestDevice.sync(phone, laptop)
    try await TestDevice.sync(phone)
    #expect(try await laptop.codes() == ["QQY": "EQYY", "QQZ": "EQZZ"])
    #expect(try await laptop.digest() == phone.digest())
    let trial = try await phone.json("remote", "test", "cloud")
    #expect(trial["reachable"] == true && trial["writable"] == true)
    // Encrypted without being asked to be, and nothing unfinished is left.
    let folder = try #require(ServedFolder(server.folder))
    #expect(!folder.files.isEmpty)
    for name in folder.files {
      #expect(!name.contains(".tmp-") && !name.contains("airports"), "\(name)")
      let content = String(decoding: folder.read(name) ?? [], as: UTF8.self)
      #expect(!content.contains("EQYY"), "\(name)")
    }
    let configuration = try Files.text(laptop.path(".config/cloudsync/config.yaml"))
    #expect(!configuration.contains(WebDAVServer.password))
  }

  @Test func `a device that has the folder itself takes part`() async throws {
    let server = try WebDAVServer(.apache)
    defer { server.process.stop() }
    let password = try passwordFile()
    _ = try await laptop.json(
      "init", "--yes", "--device", "laptop", "--remote", "cloud=\(url(server))",
      "--password-file", password, "--unencrypted")
    try await laptop.run("airports", "add", "QQX", "EQXX")
    try await TestDevice.sync(laptop)
    // What the server keeps is what a cloud drive's client brings.
    _ = try await desktop.json(
      "init", "--yes", "--device", "desktop", "--unencrypted", "--remote",
      "drive=file:\(server.folder)/My Files/cloudsync")
    try await desktop.run("airports", "add", "QQY", "EQYY")
    try await TestDevice.sync(desktop)
    #expect(try await desktop.codes() == ["QQX": "EQXX", "QQY": "EQYY"])
    chmod("\(server.folder)/My Files/cloudsync/airports", 0o777)
    try await TestDevice.sync(laptop)
    #expect(try await laptop.digest() == desktop.digest())
  }

  @Test func `what goes wrong has a name and a remedy`() async throws {
    let server = try WebDAVServer(.apache)
    let wrong = try await laptop.run(
      "init", "--yes", "--remote", "cloud=\(url(server))", "--password-file",
      try passwordFile("wrong"))
    #expect(wrong.status == 77)
    #expect(wrong.error.contains("app password"))
    #expect(Files.names(in: laptop.path(".config/cloudsync")).isEmpty)
    let inTheAddress = try await laptop.run(
      "init", "--yes", "--remote", "cloud=webdav:https://anna:secret@cloud.example.org/x")
    #expect(inTheAddress.status == 64)
    #expect(!inTheAddress.error.contains("secret@"))
    let none = try await laptop.run("init", "--yes", "--remote", "cloud=\(url(server))")
    #expect(none.status == 77)
    #expect(none.error.contains("--password-file"))
    _ = try await laptop.json(
      "init", "--yes", "--remote", "cloud=\(url(server))", "--password-file", try passwordFile())
    try await laptop.run("airports", "add", "QQX", "EQXX")
    server.process.stop()
    let gone = try await laptop.run("sync")
    #expect(gone.status == 69)
    #expect(gone.error.contains("cannot be reached"))
    #expect(try await laptop.codes() == ["QQX": "EQXX"])
  }

  @Test(arguments: ["webdav", "rclone"])
  func `the guides do what they say`(_ guide: String) async throws {
    try await GuideRunner(guide).check()
  }

  @Test func `a Nextcloud is recognised by its address`() async throws {
    let outcome = try await laptop.run(
      "remote", "add", "cloud", "https://127.0.0.1:9/remote.php/dav/files/anna@example.org/sync",
      "--dry-run", "--unencrypted")
    #expect(outcome.status == 69, "\(outcome.error)")
    #expect(!outcome.error.contains("cloudsync server"))
  }
}
