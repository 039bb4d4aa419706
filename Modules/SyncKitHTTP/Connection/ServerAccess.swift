public import SyncKit

/// How a server is reached: where it is, what opens it, what it may cost.
///
/// Time, chance and secrets come in from outside.
public struct ServerAccess: Sendable {
  /// Where it is.
  public var address: ServerAddress
  /// What opens it; asked for at the first request and again when the server does not know it.
  public var token: @Sendable () throws -> String?
  /// A file of certificates in PEM, the only ones that are trusted; nil for those of the system.
  public var certificates: String?
  /// The only certificate that is taken from the server; nil for any that is vouched for.
  ///
  /// Alone it stands in for all else: who has signed the certificate, for which name and until when does
  /// not count. Beside ``certificates`` both must hold.
  public var fingerprint: CertificateFingerprint?
  /// Which proxy leads there.
  public var proxy: ProxyChoice
  /// Whether it may be spoken to in the clear though it is another machine.
  public var allowsCleartext: Bool
  /// How often a request is tried.
  public var retry = RetryPolicy()
  /// How long a connection may take to stand.
  public var connectTimeout = Duration.seconds(10)
  /// How long the server may say nothing; it says something every 15 seconds on a stream of news.
  public var idleTimeout = Duration.seconds(45)
  /// How long an answer may take as a whole, a stream of news apart.
  public var answerTimeout = Duration.seconds(600)
  /// The clock and the source of chance.
  public var environment: SyncEnvironment
  /// Makes the way there, once for each ``HTTPTransport`` and ``SyncServerClient``.
  ///
  /// The modules CurlNetwork and HTTPNetwork have the network; another carrier is one function.
  public var carrier: @Sendable (ServerAccess) throws -> any RequestCarrier
  /// Waits.
  public var wait: @Sendable (Duration) async throws -> Void

  /// Describes a server; `token` gives the token, nil when there is none, and is never logged.
  public init(
    address: ServerAddress, environment: SyncEnvironment, certificates: String? = nil,
    fingerprint: CertificateFingerprint? = nil, proxy: ProxyChoice = .direct,
    allowsCleartext: Bool = false,
    wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    carrier: @escaping @Sendable (ServerAccess) throws -> any RequestCarrier,
    token: @escaping @Sendable () throws -> String? = { nil }
  ) {
    self.address = address
    self.environment = environment
    self.certificates = certificates
    self.fingerprint = fingerprint
    self.proxy = proxy
    self.allowsCleartext = allowsCleartext
    self.wait = wait
    self.carrier = carrier
    self.token = token
  }

  /// Refuses what nobody means.
  ///
  /// - Throws: ``SyncError`` `config.invalid` for an address in the clear that is not this machine, and for a
  ///   fingerprint of an address that has no certificate.
  func check() throws(SyncError) {
    guard address.isEncrypted || address.isLoopback || allowsCleartext else {
      throw SyncError(
        .configInvalid,
        "The connection to \(address) would not be encrypted, and anyone could read it.",
        hint: "Use https://, or set 'allow-cleartext: true' for a network that encrypts itself.")
    }
    guard address.isEncrypted || fingerprint == nil else {
      throw SyncError(
        .configInvalid, "\(address) has no certificate to compare the fingerprint with.",
        hint: "Use https:// in the address, or leave out the fingerprint.")
    }
  }
}
