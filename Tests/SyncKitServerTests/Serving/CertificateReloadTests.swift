import AsyncHTTPClient
import NIOCore
import NIOSSL
import Testing

@testable import SyncKitServer

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// A certificate that is renewed while the server listens.
struct CertificateReloadTests {
  @Test func `new connections see the new certificate and open ones go on`() async throws {
    try await withCertificates { files, second in
      let settings = ShellServer.settings { $0.tls = files }
      try await ShellServer.run(settings) { server in
        let old = try Self.client(trusting: files.certificate)
        let stream = try await old.execute(
          HTTPClientRequest(url: "https://localhost:\(server.port)/events"), timeout: .seconds(60))
        var events = stream.body.makeAsyncIterator()
        _ = try await events.next()

        let first = try readFile(files.certificate)
        try writeFile(files.certificate, try readFile(second.certificate))
        try writeFile(files.key, try readFile(second.key))
        try server.certificate?.reload()

        #expect(await Self.who(trusting: second.certificate, server.port) == "local")
        // A client that knows only the old one does not get in any more.
        try writeFile(files.certificate + ".old", first)
        #expect(await Self.who(trusting: files.certificate + ".old", server.port) == nil)
        // The stream has outlived the exchange, as it began before it.
        for _ in 0..<3 { #expect(try await events.next() != nil) }
        try await old.shutdown()
      }
    }
  }

  @Test func `what cannot be used is refused and the old one stays`() async throws {
    try await withCertificates { files, second in
      let settings = ShellServer.settings { $0.tls = files }
      try await ShellServer.run(settings) { server in
        let certificate = try readFile(files.certificate)
        try writeFile(files.certificate, Array("no certificate".utf8))
        #expect(throws: (any Error).self) { try server.certificate?.reload() }
        // Half of a renewal: the certificate is new and the key is not yet.
        try writeFile(files.certificate, try readFile(second.certificate))
        #expect(throws: (any Error).self) { try server.certificate?.reload() }
        try writeFile(files.certificate, certificate)
        #expect(await Self.who(trusting: files.certificate, server.port) == "local")
      }
    }
  }

  // MARK: Parts

  private typealias Files = ServerSettings.CertificateFiles

  /// Two certificates for this machine that know nothing of each other.
  private func withCertificates(
    _ body: (Files, Files) async throws -> Void
  ) async throws {
    let folder = try temporaryFolder()
    defer { removeFolder(folder) }
    let both = try ["first", "second"].map { name in
      let files = Files(
        certificate: "\(folder)/\(name).pem", key: "\(folder)/\(name).key")
      try Self.make(files)
      return files
    }
    try await body(both[0], both[1])
  }

  private static func make(_ files: Files) throws {
    let words = [
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
      "-nodes", "-keyout", files.key, "-out", files.certificate, "-days", "2", "-subj",
      "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
    ]
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for text in arguments { free(text) } }
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    #else
    var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var child: pid_t = 0
    var status: Int32 = 0
    guard posix_spawnp(&child, "openssl", &actions, nil, arguments, nil) == 0,
      waitpid(child, &status, 0) == child, status == 0
    else { throw TestFailure("openssl makes no certificate") }
    chmod(files.key, 0o600)
  }

  private static func client(trusting certificate: String) throws -> HTTPClient {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(certificate))
    var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
    configuration.connectionPool.retryConnectionEstablishment = false
    return HTTPClient(configuration: configuration)
  }

  /// What a new client is answered; nil when it does not trust the server.
  private static func who(trusting certificate: String, _ port: Int) async -> String? {
    guard let client = try? client(trusting: certificate) else { return nil }
    let response = try? await client.execute(
      HTTPClientRequest(url: "https://localhost:\(port)/name/local"), timeout: .seconds(30))
    let body = try? await response?.body.collect(upTo: 1_000)
    try? await client.shutdown()
    return body.map { String(buffer: $0) }
  }
}
