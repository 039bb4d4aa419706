import Formats
import Testing

/// Whom a device trusts with what it sends.
struct ServerTrustTests {
  @Test func `a certificate of one's own authority is trusted only when its file is named`()
    async throws
  {
    let machine = try TestDevice()
    let made = try await CommandRunner.run(
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-keyout", machine.path("key.pem"), "-out", machine.path("cert.pem"), "-days", "2",
        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
      ], program: "/usr/bin/openssl", environment: ["HOME": machine.home, "PATH": "/usr/bin:/bin"],
      folder: machine.home)
    try #require(made.status == 0, "\(made.error)")
    let server = try RunningCommand(
      "serve", "--listen", "127.0.0.1:0", "--tls-cert", machine.path("cert.pem"), "--tls-key",
      machine.path("key.pem"), on: machine)
    try await server.wait(for: "the address") { $0.output.contains("\n") }
    let port = server.output.prefix { $0 != "\n" }.drop { $0 != ":" }.dropFirst().drop { $0 != ":" }
    let url = "https://localhost\(port)"
    let link =
      try await machine.json("server", "invite", "anna", "--url", url)["link"]?.string ?? ""

    let device = try TestDevice()
    let refused = try await device.run("init", "--yes", "--join", link, "--json")
    #expect(refused.status == 76 && refused.failure["code"] == "remote.tls", "\(refused.error)")

    // The code was not sent, so it is still good.
    try Files.write(
      Array(
        """
        version: 1
        remotes:
          home: { type: http, url: "\(url)", ca-file: "\(machine.path("cert.pem"))" }
        """.utf8), to: device.path("config.yaml"))
    let joined = try await device.run(
      "remote", "add", "home", url, "--join", link, "--config", device.path("config.yaml"))
    #expect(joined.status == 0, "\(joined.error)")
    let sync = try await device.run("sync", "--config", device.path("config.yaml"))
    #expect(sync.status == 0, "\(sync.error)")
    try await server.stop()
  }
}
