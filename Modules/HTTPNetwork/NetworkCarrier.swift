import AsyncHTTPClient
import SyncKitText
public import SyncKitHTTP
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
public import SyncKit
import SyncWire
import Synchronization

/// The network, for ``HTTPTransport`` and ``SyncServerClient``, by AsyncHTTPClient: a few connections to
/// one server that stay open for a while.
///
/// - No redirect is followed. The certificates are those of the system, or the only ones of a file, or the
///   single one of a fingerprint.
/// - An answer is unpacked to at most a hundred times its size.
public final class NetworkCarrier: RequestCarrier {
  private let client: HTTPClient
  private let origin: String
  private let probe: TrustProbe
  /// Whether anything has ever come from there; then both sides agree on encryption.
  private let hasAnswered = Atomic(false)

  /// How many times its size an answer may grow when it is unpacked.
  private static let ratio = 100

  /// Prepares; nothing is sent.
  ///
  /// - Throws: ``SyncError`` `config.invalid` for a file of certificates that cannot be read.
  public init(_ settings: ServerAccess) throws {
    origin = settings.address.origin
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: HTTPClient.Configuration.Timeout(
        connect: settings.connectTimeout.amount, read: settings.idleTimeout.amount),
      decompression: .enabled(limit: .ratio(Self.ratio)))
    // One connection carries a large upload at full speed over 1.1, and a fraction of it over 2.
    configuration.httpVersion = .http1Only
    configuration.networkFrameworkWaitForConnectivity = false
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.connectionPool.idleTimeout = .seconds(20)
    // A request that waits for one of few connections would count as one that reaches nothing.
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 32
    configuration.proxy = settings.proxy.proxy(to: settings.address)?.configuration
    configuration.tlsConfiguration = try Authorities.configuration(
      certificates: settings.certificates, fingerprint: settings.fingerprint)
    if let fingerprint = settings.fingerprint { configuration.require(fingerprint) }
    let environment = settings.environment
    probe = TrustProbe(configuration, of: settings.address) { environment.now() }
    // Elsewhere the system's own network would encrypt, and show no certificate to compare.
    let loops = MultiThreadedEventLoopGroup.singleton
    client = HTTPClient(
      eventLoopGroupProvider: settings.fingerprint == nil ? .singleton : .shared(loops),
      configuration: configuration)
  }

  deinit { _ = client.shutdown() }

  public func carry(_ request: CarriedRequest) async throws -> CarriedAnswer {
    guard request.digest == nil else {
      throw CarrierFailure.unsupported("Digest authentication")
    }
    var outgoing = HTTPClientRequest(url: origin + request.path)
    outgoing.method = HTTPMethod(rawValue: request.method)
    for field in request.headers { outgoing.headers.add(name: field.name, value: field.value) }
    if !request.body.isEmpty { outgoing.body = .bytes(ByteBuffer(bytes: request.body)) }
    let deadline = request.timeout.map { NIODeadline.now() + $0.amount } ?? .distantFuture
    do {
      let response = try await client.execute(outgoing, deadline: deadline)
      let isFirst = !hasAnswered.exchange(true, ordering: .relaxed)
      if isFirst, response.status == .badRequest, !origin.hasPrefix("https"),
        !response.headers.contains(name: WireProtocol.header),
        case .encrypted? = await probe.misunderstanding()
      {
        // Some servers say in plain HTTP that they want encryption.
        throw CarrierFailure.untrusted(.encrypted)
      }
      return CarriedAnswer(
        status: Int(response.status.code),
        headers: response.headers.map { ($0.name, $0.value) },
        parts: NetworkBody(parts: response.body))
    } catch {
      let isKnown = hasAnswered.load(ordering: .relaxed)
      if !(error is CarrierFailure), let fault = await probe.fault(behind: error, isKnown: isKnown)
      {
        throw CarrierFailure.untrusted(fault)
      }
      throw NetworkCarrier.failure(error)
    }
  }
}

/// The body of an answer as it comes.
private struct NetworkBody: AsyncSequence, Sendable {
  let parts: HTTPClientResponse.Body

  struct AsyncIterator: AsyncIteratorProtocol {
    var parts: HTTPClientResponse.Body.AsyncIterator

    mutating func next() async throws -> [UInt8]? {
      do {
        return try await parts.next().map { Array($0.readableBytesView) }
      } catch {
        throw NetworkCarrier.failure(error)
      }
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(parts: parts.makeAsyncIterator()) }
}

extension ServerAccess {
  /// Describes a server that is reached over the network; see ``ServerAccess`` for the rest.
  public init(
    address: ServerAddress, environment: SyncEnvironment, certificates: String? = nil,
    fingerprint: CertificateFingerprint? = nil, proxy: ProxyChoice = .direct,
    allowsCleartext: Bool = false,
    wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    token: @escaping @Sendable () throws -> String?
  ) {
    self.init(
      address: address, environment: environment, certificates: certificates,
      fingerprint: fingerprint, proxy: proxy, allowsCleartext: allowsCleartext, wait: wait,
      carrier: { try NetworkCarrier($0) },
      token: token)
  }
}

extension Duration {
  fileprivate var amount: TimeAmount {
    let (seconds, attoseconds) = components
    return .nanoseconds(
      seconds.multipliedReportingOverflow(by: 1_000_000_000).overflow
        ? .max : seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
}

extension Proxy {
  /// The proxy as the client takes it.
  package var configuration: HTTPClient.Configuration.Proxy {
    guard !isSOCKS else { return .socksServer(host: host, port: port) }
    let credentials = self.credentials.map { text in
      HTTPClient.Authorization.basic(
        credentials: Base64.encode(Array(text.utf8)))
    }
    return .server(host: host, port: port, authorization: credentials)
  }
}
