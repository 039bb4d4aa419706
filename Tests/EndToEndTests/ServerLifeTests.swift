import SyncKitFormats
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The start and the end of a server, and the setups that it refuses.
struct ServerLifeTests {
  @Test func `it starts without a configuration, only for this machine, and stops`()
    async throws
  {
    let device = try TestDevice()
    try await ServerProcess.run(device) { server in
      #expect(server.url == "http://127.0.0.1:\(server.port)" && server.port > 0)
      let health = try await CurlAnswer.ask(device, "\(server.url)/healthz")
      #expect(health.status == 200 && health.document["status"]?.string == "ok")
      let ready = try await CurlAnswer.ask(device, "\(server.url)/readyz")
      #expect(ready.status == 200, "\(ready.body)")
      let account = try await CurlAnswer.ask(device, "\(server.url)/v1/account")
      #expect(account.status == 401)
      #expect(Files.mode(device.path("server")) == 0o700)
      for name in Files.names(in: device.path("server")) {
        #expect(Files.mode(device.path("server/\(name)")) == 0o600, "\(name)")
      }
      let status = try await server.end()
      #expect(status == 0, "\(server.log)")
      #expect(server.log.contains("listening") && server.log.contains("stopped"))
    }
  }

  @Test func `SIGINT ends it as well`() async throws {
    let device = try TestDevice()
    try await ServerProcess.run(device) { server in
      let status = try await server.end(SIGINT)
      #expect(status == 0)
    }
  }

  @Test func `without tokens it serves one account, only to this machine`() async throws {
    let device = try TestDevice()
    try await ServerProcess.run(device, ["--auth", "none"]) { server in
      let account = try await CurlAnswer.ask(device, "\(server.url)/v1/account")
      #expect(account.document["account"]?["name"]?.string == "me", "\(account.body)")
      let foreign = try await CurlAnswer.ask(
        device, "\(server.url)/v1/account", token: nil, "--header", "Host: evil.example")
      #expect(foreign.status == 400)
    }
    try await ServerProcess.run(device) { server in
      let account = try await CurlAnswer.ask(device, "\(server.url)/v1/account")
      #expect(account.status == 401)
      let tokens = try await device.json("token", "list", "--data", device.path("server"))
      #expect(tokens["tokens"]?.array?.count == 0, "the open door's token has ended")
    }
  }

  @Test func `it refuses to be open to others`() async throws {
    let device = try TestDevice()
    let data = device.path("server")
    for arguments in [
      ["--listen", "0.0.0.0:0"], ["--listen", "0.0.0.0:0", "--auth", "none"],
      ["--listen", "[::]:0"], ["--listen", "127.0.0.1:0", "--auth", "none", "--trusted-proxy"],
    ] {
      let outcome = try await device.run(["serve", "--data", data, "--json"] + arguments)
      expectFailure(outcome, 78, "server.unsafe")
    }
    let nowhere = try await device.run(
      "serve", "--data", data, "--listen", "nowhere.invalid:80", "--trusted-proxy", "--json")
    expectFailure(nowhere, 78, "server.address")
    #expect(nowhere.failure["message"]?.string?.contains("nowhere.invalid:80") == true)
    Files.remove(data)
    try Files.makeFolder(data)
    chmod(data, 0o755)
    let open = try await device.run(
      "serve", "--data", data, "--listen", "127.0.0.1:0", "--json")
    expectFailure(open, 78, "server.unsafe")
  }

  @Test func `a folder and an address have one server`() async throws {
    let device = try TestDevice()
    try await ServerProcess.run(device) { server in
      let folder = try await device.run(
        "serve", "--data", device.path("server"), "--listen", "127.0.0.1:0", "--json")
      expectFailure(folder, 75, "store.busy")
      let address = try await device.run(
        "serve", "--data", device.path("other"), "--listen", "127.0.0.1:\(server.port)", "--json")
      expectFailure(address, 75, "server.address-in-use")
      let restore = try await device.run(
        "server", "restore", CommandRunner.program, "--data", device.path("server"), "--yes",
        "--json")
      expectFailure(restore, 75, "store.busy")
    }
  }

  @Test func `it speaks TLS with a certificate, and says when it cannot`() async throws {
    let device = try TestDevice()
    let (certificate, key) = (device.path("cert.pem"), device.path("key.pem"))
    let made = try await CommandRunner.run(
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost", "-addext",
        "subjectAltName=DNS:localhost,IP:127.0.0.1",
      ], program: "/usr/bin/openssl", environment: device.environment, folder: device.home)
    try #require(made.status == 0, "\(made.error)")
    chmod(key, 0o600)
    let files = ["--tls-cert", certificate, "--tls-key", key]
    try await ServerProcess.run(device, files) { server in
      #expect(server.url.hasPrefix("https://"))
      let health = try await CurlAnswer.ask(
        device, "\(server.url)/healthz", token: nil, "--cacert", certificate)
      #expect(health.status == 200)
      let plain = try await CurlAnswer.ask(device, "http://127.0.0.1:\(server.port)/healthz")
      #expect(plain.status == 0)
      let again = try await CurlAnswer.ask(
        device, "\(server.url)/healthz", token: nil, "--cacert", certificate)
      #expect(again.status == 200)
      let status = try await server.end()
      #expect(status == 0)
    }
    chmod(key, 0o644)
    let arguments = ["serve", "--data", device.path("server"), "--listen", "127.0.0.1:0", "--json"]
    expectFailure(try await device.run(arguments + files), 78, "server.certificate")
    expectFailure(
      try await device.run(arguments + ["--tls-cert", key, "--tls-key", "/none"]), 78,
      "server.certificate")
    expectFailure(try await device.run(arguments + ["--tls-cert", certificate]), 64, "usage")
  }

  @Test func `a renewed certificate is loaded on SIGHUP`() async throws {
    let device = try TestDevice()
    let (certificate, key) = (device.path("cert.pem"), device.path("key.pem"))
    func renew() async throws {
      let made = try await CommandRunner.run(
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
          "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost", "-addext",
          "subjectAltName=DNS:localhost,IP:127.0.0.1",
        ], program: "/usr/bin/openssl", environment: device.environment, folder: device.home)
      try #require(made.status == 0, "\(made.error)")
      chmod(key, 0o600)
    }
    try await renew()
    let files = ["--tls-cert", certificate, "--tls-key", key]
    try await ServerProcess.run(device, files) { server in
      func answer() async throws -> Int {
        try await CurlAnswer.ask(
          device, "\(server.url)/healthz", token: nil, "--cacert", certificate
        ).status
      }
      #expect(try await answer() == 200)
      try await renew()
      #expect(try await answer() == 0)
      kill(server.pid, SIGHUP)
      for _ in 0..<400 where !server.log.contains("certificate reloaded") {
        try await Task.sleep(for: .milliseconds(25))
      }
      #expect(try await answer() == 200)
      let status = try await server.end()
      #expect(status == 0, "\(server.log)")
    }
  }

  @Test func `it can listen on a socket in the file system`() async throws {
    let device = try TestDevice()
    let socket = device.path("s")
    try await ServerProcess.run(device, ["--listen", "unix:\(socket)", "--auth", "none"]) {
      server in
      #expect(server.url == "unix:\(socket)")
      #expect(Files.mode(socket) == 0o600)
      let account = try await CurlAnswer.ask(
        device, "http://localhost/v1/account", token: nil, "--unix-socket", socket)
      #expect(account.status == 200, "\(account.body)")
    }
  }
}
