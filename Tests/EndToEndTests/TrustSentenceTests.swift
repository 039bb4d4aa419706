import SyncKitFormats
import Testing

/// The message about an untrusted server: our own sentence with advice, and never the
/// words of a library.
struct TrustSentenceTests {
  /// A server, the request to it, and the expected message.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    /// The certificate of the server, or `plain` for none.
    var certificate: String
    var scheme = "https"
    var trustsAuthority = false
    var sentence: String
    var advice: String
    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "an unknown authority", certificate: "signed",
      sentence: "is signed by an authority that this device does not trust", advice: "--ca-file"),
    Case(
      name: "a self-signed certificate", certificate: "self",
      sentence: "is self-signed", advice: "--fingerprint"),
    Case(
      name: "another host", certificate: "other", trustsAuthority: true,
      sentence: "is for other.example, 10.1.2.3, not for localhost",
      advice: "Use a name from the certificate"),
    Case(
      name: "an expired one", certificate: "over", trustsAuthority: true,
      sentence: "expired on 2021-01-01", advice: "Renew the certificate"),
    Case(
      name: "one that is not valid yet", certificate: "early", trustsAuthority: true,
      sentence: "is not valid before 2039-01-01", advice: "the date of this device"),
    Case(
      name: "plain HTTP behind https", certificate: "plain",
      sentence: "does not encrypt, though its address begins with https",
      advice: "Enable encryption"),
    Case(
      name: "https behind http", certificate: "signed", scheme: "http",
      sentence: "requires encryption, though its address begins with http", advice: "Use https://"),
  ]

  /// Messages of libraries, none of which may reach a person.
  static let libraryWords = [
    "NIO", "BoringSSL", "OpenSSL", "AsyncHTTPClient", "HTTPClientError", "HTTPParserError",
    "ChannelError", ".cc:", ".c:", "handshake", "CERTIFICATE_VERIFY", "WRONG_VERSION", "errno",
    "error set", "/.build/", "checkouts", "Swift.", "sslError",
  ]

  static func expectOwnWords(
    _ outcome: CommandRunner.Outcome, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for word in libraryWords {
      #expect(!outcome.error.contains(word), "\(outcome.error)", sourceLocation: sourceLocation)
      #expect(!outcome.output.contains(word), "\(outcome.output)", sourceLocation: sourceLocation)
    }
  }

  /// Makes the certificate of a case and our server with it.
  private func serve(
    _ certificate: String, _ made: TestCertificates, on machine: TestDevice
  ) async throws -> (process: RunningCommand, port: String) {
    var words = ["serve", "--listen", "127.0.0.1:0", "--data", machine.path("data")]
    let pair: TestCertificates.Pair? =
      switch certificate {
      case "plain": nil
      case "self": try await made.selfSigned("self")
      case "other": try await made.signed("other", for: "DNS:other.example,IP:10.1.2.3")
      case "over": try await made.signed("over", until: "20210101000000Z")
      case "early": try await made.signed("early", from: "20390101000000Z")
      default: try await made.signed("signed")
      }
    if let pair { words += ["--tls-cert", pair.certificate, "--tls-key", pair.key] }
    let process = try RunningCommand(words, on: machine)
    let line = try await process.firstLine()
    return (process, String(line.split(separator: ":").last ?? ""))
  }

  @Test(arguments: cases)
  func `each fault has our own sentence that says what to do`(fault: Case) async throws {
    let machine = try TestDevice()
    let made = try await TestCertificates(machine)
    let server = try await serve(fault.certificate, made, on: machine)
    let url = "\(fault.scheme)://localhost:\(server.port)"
    let device = try TestDevice()
    let trust = fault.trustsAuthority ? ["--ca-file", made.authority.certificate] : []
    for form in [[], ["--json"], ["-vv"]] {
      let outcome = try await device.run(
        ["init", "--yes", "--unencrypted", "--join", "4F7K-92QD", "--remote", "home=\(url)"] + trust
          + form)
      #expect(outcome.status == 76, "\(outcome.error)")
      #expect(outcome.error.contains(fault.sentence), "\(outcome.error)")
      #expect(outcome.error.contains(fault.advice), "\(outcome.error)")
      Self.expectOwnWords(outcome)
    }
    try await server.process.stop()
  }

  /// The commands of a device whose server has changed since the setup.
  @Test(arguments: ["self", "plain", "over"])
  func `every command reports a server that is no longer trusted in the same words`(
    certificate: String
  ) async throws {
    let host = try await ServerHost()
    let device = try await host.device(of: "anna")
    let made = try await TestCertificates(host.machine)
    let server = try await serve(certificate, made, on: host.machine)
    let url = "https://localhost:\(server.port)"
    let moved = try await device.run("config", "set", "remotes.home.url", url)
    #expect(moved.status == 0, "\(moved.error)")
    for words in [
      ["sync"], ["sync", "--json"], ["sync", "-vv"], ["remote", "test", "home"],
      ["remote", "test", "home", "--json"], ["doctor"], ["doctor", "--json"], ["device", "list"],
      ["device", "pair"], ["status"], ["log"], ["diagnose", "--preview"],
    ] {
      Self.expectOwnWords(try await device.run(words))
    }
    try await server.process.stop()
  }

  @Test func `other servers are distinguished in the same way`() async throws {
    let machine = try TestDevice()
    let made = try await TestCertificates(machine)
    let pair = try await made.signed("signed")
    for (options, scheme, sentence) in [
      ([], "http", "requires encryption"),
      (["-Verify", "1", "-verify_return_error"], "https", "could not agree on encryption"),
      (["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], "https", "could not agree on encryption"),
    ] as [([String], String, String)] {
      let server = try made.server(pair, options)
      try await server.process.wait(for: "the server") { $0.output.contains("ACCEPT") }
      let device = try TestDevice()
      let trust = scheme == "https" ? ["--ca-file", made.authority.certificate] : []
      let outcome = try await device.run(
        [
          "init", "--yes", "--unencrypted", "--join", "4F7K-92QD", "--remote",
          "home=\(scheme)://localhost:\(server.port)",
        ] + trust)
      #expect(outcome.status == 76, "\(outcome.error)")
      #expect(outcome.error.contains(sentence), "\(options): \(outcome.error)")
      Self.expectOwnWords(outcome)
      try await server.process.stop()
    }
  }

  #if os(Linux)
  @Test func `without libcurl only what needs the network fails, and names the package`()
    async throws
  {
    let device = try TestDevice()
    // A found file that is not a library plays a missing library.
    for name in ["libcurl.so.4", "libcurl-gnutls.so.4"] {
      try Files.write([], to: device.path(name))
    }
    let variables = ["LD_LIBRARY_PATH": device.home]
    #expect(try await device.run(["sync"], variables: variables).status == 78)
    let words = [
      "init", "--yes", "--unencrypted", "--join", "4F7K-92QD", "--remote",
      "home=https://127.0.0.1:9",
    ]
    let outcome = try await device.run(words, variables: variables)
    #expect(outcome.status == 69 && outcome.error.contains("apt install libcurl4"))
    let failure = try await device.run(words + ["--json"], variables: variables).failure
    #expect(failure["code"] == "library.missing" && failure["retryable"] == false)
  }
  #endif

  @Test func `without an answer the reason is given in our own words`() async throws {
    let device = try TestDevice()
    for (host, reason) in [
      ("127.0.0.1:9", "nothing listens there"),
      ("nowhere.invalid", "the host name cannot be resolved"),
    ] {
      for form in [[], ["--json"], ["-vv"]] {
        let outcome = try await device.run(
          [
            "init", "--yes", "--unencrypted", "--join", "4F7K-92QD", "--remote",
            "home=https://\(host)",
          ] + form)
        #expect(outcome.status == 69, "\(outcome.error)")
        #expect(outcome.error.contains(reason), "\(outcome.error)")
        Self.expectOwnWords(outcome)
      }
    }
  }
}
