import SyncKitFormats

/// Certificates for a test, made by openssl: a private authority and the ones that it signs.
struct TestCertificates {
  /// A certificate and its key, as files.
  struct Pair {
    let certificate: String
    let key: String
  }

  private let device: TestDevice
  /// The certificate of the authority.
  let authority: Pair

  /// Makes an authority in the folder of a device.
  init(_ device: TestDevice) async throws {
    self.device = device
    authority = Pair(certificate: device.path("ca.pem"), key: device.path("ca.key"))
    try Files.write(Array(Self.settings(in: device.home).utf8), to: device.path("ca.cnf"))
    try Files.write([], to: device.path("ca.index"))
    try Files.write(Array("01\n".utf8), to: device.path("ca.serial"))
    try await openssl(
      ["req", "-x509", "-keyout", authority.key, "-out", authority.certificate, "-days", "3"]
        + Self.newKey + ["-subj", "/CN=Our authority"])
  }

  private static let newKey = [
    "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
  ]

  private static func settings(in folder: String) -> String {
    """
    [ca]
    default_ca = ours
    [ours]
    new_certs_dir = \(folder)
    database = \(folder)/ca.index
    serial = \(folder)/ca.serial
    default_md = sha256
    policy = any
    copy_extensions = copy
    unique_subject = no
    [any]
    commonName = supplied

    """
  }

  /// A certificate that the authority has signed, for a name and a time such as `20200101000000Z`.
  func signed(
    _ name: String, for host: String = "DNS:localhost", from: String = "20200101000000Z",
    until: String = "20400101000000Z"
  ) async throws -> Pair {
    let pair = Pair(certificate: device.path("\(name).pem"), key: device.path("\(name).key"))
    let request = device.path("\(name).req")
    try await openssl(
      ["req", "-new", "-keyout", pair.key, "-out", request] + Self.newKey
        + ["-subj", "/CN=server", "-addext", "subjectAltName=\(host)"])
    try await openssl([
      "ca", "-batch", "-config", device.path("ca.cnf"), "-keyfile", authority.key, "-cert",
      authority.certificate, "-in", request, "-out", pair.certificate, "-notext", "-startdate",
      from, "-enddate", until,
    ])
    return pair
  }

  /// A self-signed certificate.
  func selfSigned(_ name: String, for host: String = "DNS:localhost") async throws -> Pair {
    let pair = Pair(certificate: device.path("\(name).pem"), key: device.path("\(name).key"))
    try await openssl(
      ["req", "-x509", "-keyout", pair.key, "-out", pair.certificate, "-days", "2"] + Self.newKey
        + ["-subj", "/CN=server", "-addext", "subjectAltName=\(host)"])
    return pair
  }

  /// The fingerprint as openssl prints it.
  func fingerprint(_ pair: Pair) async throws -> String {
    let words = ["x509", "-noout", "-fingerprint", "-sha256", "-in", pair.certificate]
    let text = try await openssl(words)
    return String(text.split(separator: "=").last ?? "").filter { !$0.isWhitespace }
  }

  /// `openssl s_server`, which answers with its own page.
  func server(_ pair: Pair, _ options: [String]) throws -> (process: RunningCommand, port: Int) {
    let port = Int.random(in: 20_000..<30_000)
    let words =
      ["s_server", "-accept", "127.0.0.1:\(port)", "-cert", pair.certificate, "-key", pair.key]
      + ["-www"] + options
    return (try RunningCommand(words, program: "/usr/bin/openssl", on: device), port)
  }

  @discardableResult
  private func openssl(_ words: [String]) async throws -> String {
    let outcome = try await CommandRunner.run(
      words, program: "/usr/bin/openssl", environment: device.environment, folder: device.home)
    guard outcome.status == 0 else { throw CommandRunner.Failure(what: outcome.error) }
    return outcome.output
  }
}
