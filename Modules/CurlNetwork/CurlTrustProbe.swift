import SyncKitHTTP

/// Finds out why no connection that is trusted came about.
///
/// A second connection looks at the certificate, or asks in plain HTTP; neither sends anything that is of worth.
package struct CurlTrustProbe: Sendable {
  private let server: ServerAddress
  private let proxy: Proxy?
  private let authorities: String?
  private let now: @Sendable () -> Int64

  /// Prepares; nothing is sent.
  ///
  /// - Parameters:
  ///   - server: Where to.
  ///   - proxy: What leads there; nil for nothing.
  ///   - authorities: The file of the only authorities that count; nil for those of the system.
  ///   - now: Milliseconds since 1970.
  package init(
    of server: ServerAddress, proxy: Proxy?, authorities: String?,
    now: @escaping @Sendable () -> Int64
  ) {
    self.server = server
    self.proxy = proxy
    self.authorities = authorities
    self.now = now
  }

  /// What is wrong with the trust in the server.
  ///
  /// - Parameters:
  ///   - fault: What the connection has failed with.
  ///   - isKnown: Whether it has answered before, so that both sides agree on encryption.
  /// - Returns: The fault; nil when it is something else.
  package func fault(behind fault: CurlFault, isKnown: Bool = false) async -> TrustFault? {
    if fault.isOfPinnedKey { return .otherFingerprint(await certificate()?.fingerprint) }
    if fault.isOfCertificate {
      let certificate = await certificate()
      let isSigned = (try? await connect(.authoritiesForAnyName(file: authorities))) != nil
      return isSigned ? .otherHost(certificate) : TrustFault(certificate, now: now())
    }
    guard !isKnown, fault.mayBeMisunderstanding else {
      return fault.isOfEncryption ? .noCommonWay : nil
    }
    return await misunderstanding() ?? (fault.isOfEncryption ? .noCommonWay : nil)
  }

  /// Whether one side encrypts and the other one does not.
  package func misunderstanding() async -> TrustFault? {
    if server.isEncrypted { return await answersInPlain() ? .plain : nil }
    return await certificate() == nil ? nil : .encrypted
  }

  /// The certificate that the server shows, trusted or not; nil when it shows none.
  private func certificate() async -> ServerCertificate? { try? await shown()?.certificate }

  /// The certificate with its key; nil when a connection stands that shows none.
  ///
  /// - Throws: ``CurlFault`` when no connection stands.
  func shown() async throws -> ShownCertificate? {
    try await connect(.unchecked).first("certificate").flatMap { ShownCertificate(pem: $0) }
  }

  private func connect(_ trust: CurlRequest.Trust) async throws -> CarriedAnswer {
    var request = request("https")
    request.trust = trust
    request.onlyConnects = true
    return try await CarriedAnswer(to: request)
  }

  private func answersInPlain() async -> Bool {
    var request = request("http")
    request.method = "HEAD"
    return (try? await CarriedAnswer(to: request)) != nil
  }

  private func request(_ scheme: String) -> CurlRequest {
    let host = server.host.contains(":") ? "[\(server.host)]" : server.host
    var request = CurlRequest(url: "\(scheme)://\(host):\(server.port)/")
    request.proxy = proxy
    (request.connectTimeout, request.timeout) = (.seconds(5), .seconds(5))
    return request
  }
}
