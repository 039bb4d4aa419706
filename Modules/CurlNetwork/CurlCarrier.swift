public import SyncKitHTTP
public import SyncKit
import SyncWire
import Synchronization

/// The network, for ``HTTPTransport`` and ``SyncServerClient``, by libcurl: a few connections to one server that
/// stay open for a while.
///
/// - libcurl is loaded at the first request, so a program that sends none does not pay for it.
/// - No redirect is followed. The certificates are those of the system, or the only ones of a file, or the single
///   one of a fingerprint.
/// - An answer is unpacked to at most a hundred times its size.
public final class CurlCarrier: RequestCarrier {
  private let settings: ServerAccess
  private let proxy: Proxy?
  private let probe: CurlTrustProbe
  /// Whether anything has ever come from there; then both sides agree on encryption.
  private let hasAnswered = Atomic(false)
  /// The key of the certificate with the configured fingerprint, once it was seen.
  private let key = Mutex<String?>(nil)

  /// Prepares; nothing is sent.
  ///
  /// - Throws: ``SyncError`` `config.invalid` for a file of certificates that cannot be read.
  public init(_ settings: ServerAccess) throws {
    if let file = settings.certificates { try AuthorityFile.check(file) }
    self.settings = settings
    proxy = settings.proxy.proxy(to: settings.address)
    let environment = settings.environment
    probe = CurlTrustProbe(
      of: settings.address, proxy: proxy, authorities: settings.certificates
    ) { environment.now() }
  }

  public func carry(_ request: CarriedRequest) async throws -> CarriedAnswer {
    var outgoing = CurlRequest(url: settings.address.origin + request.path)
    outgoing.method = request.method
    outgoing.headers = request.headers
    outgoing.body = request.body
    outgoing.timeout = request.timeout
    outgoing.digest = request.digest
    outgoing.connectTimeout = settings.connectTimeout
    outgoing.silence = settings.idleTimeout
    outgoing.proxy = proxy
    outgoing.trust = .authorities(file: settings.certificates)
    if let fingerprint = settings.fingerprint, settings.address.isEncrypted {
      outgoing.pinnedKey = try await pinnedKey(fingerprint)
      if settings.certificates == nil { outgoing.trust = .unchecked }
    }
    do {
      let answer = try await CarriedAnswer(to: outgoing)
      let isFirst = !hasAnswered.exchange(true, ordering: .relaxed)
      if isFirst, answer.status == 400, !settings.address.isEncrypted,
        answer.first(WireProtocol.header) == nil,
        case .encrypted? = await probe.misunderstanding()
      {
        // Some servers say in plain HTTP that they want encryption.
        throw CarrierFailure.untrusted(.encrypted)
      }
      return answer
    } catch let fault as CurlFault {
      let isKnown = hasAnswered.load(ordering: .relaxed)
      if let trust = await probe.fault(behind: fault, isKnown: isKnown) {
        throw CarrierFailure.untrusted(trust)
      }
      throw fault.failure
    }
  }

  /// The key of the certificate that has the fingerprint.
  ///
  /// libcurl compares keys before it sends anything, and not certificates. So a connection that sends nothing
  /// looks at the certificate first, and the key in it is the only one that is taken from then on.
  private func pinnedKey(_ fingerprint: CertificateFingerprint) async throws -> String {
    if let known = key.withLock({ $0 }) { return known }
    let shown: ShownCertificate?
    do { shown = try await probe.shown() } catch let fault as CurlFault {
      if let trust = await probe.fault(behind: fault) { throw CarrierFailure.untrusted(trust) }
      throw fault.failure
    }
    guard let shown, shown.certificate.fingerprint == fingerprint else {
      throw CarrierFailure.untrusted(.otherFingerprint(shown?.certificate.fingerprint))
    }
    key.withLock { $0 = shown.key }
    return shown.key
  }
}

extension ServerAccess {
  /// Describes a server that is reached by libcurl; see ``ServerAccess`` for the rest.
  public init(
    curl address: ServerAddress, environment: SyncEnvironment, certificates: String? = nil,
    fingerprint: CertificateFingerprint? = nil, proxy: ProxyChoice = .direct,
    allowsCleartext: Bool = false,
    wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    token: @escaping @Sendable () throws -> String? = { nil }
  ) {
    self.init(
      address: address, environment: environment, certificates: certificates,
      fingerprint: fingerprint, proxy: proxy, allowsCleartext: allowsCleartext, wait: wait,
      carrier: { try CurlCarrier($0) }, token: token)
  }
}
