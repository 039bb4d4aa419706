import SyncKitText
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import SyncKit

/// One run of a server: its listeners, from the first request to the last answer.
struct ServerRun {
  /// Which listener one speaks of.
  enum Place: Sendable {
    case requests, metrics
  }

  let settings: ServerSettings
  let log: ServerLog
  /// When it began, in milliseconds since 1970.
  let began: Int64
  let readiness: Readiness
  /// What the storage does; nil where there is none.
  var storage: @Sendable () -> StorageReading? = { nil }
  /// What a browser is shown.
  let pages: ServerPages
  /// What works for the pages of administration; nil for a server without them.
  var administration: ServerAdministration?
  /// What encrypts; nil for plain HTTP.
  var certificate: ServerCertificate?
  /// Whether SIGHUP makes it read its certificate again.
  var handlesHangup = false
  /// The token that every request without one is given; nil for none.
  var credential: String?
  let metrics = ServerMetrics()
  /// Told with the real port.
  let onListening: @Sendable (Place, ServerAddress) async -> Void
  /// Told when no more requests are taken, before the last answers are given.
  let onStop: @Sendable () async -> Void

  /// The services of the run; the first to be stopped is the last.
  func services<Inner: HTTPResponder>(
    _ responder: Inner
  ) -> [any Service]
  where Inner.Context: RequestContext, Inner.Context.Source == ApplicationRequestContextSource {
    let census = ConnectionCensus(settings.limits)
    var rules = RequestHeadRules()
    // With a certificate the browser checks the name, and behind a proxy the name is the proxy's.
    if case .host = settings.listen, settings.listen.isLocal, certificate == nil,
      settings.proxy == .none
    {
      rules.onlyLoopbackHosts = true
    }
    let onListening = onListening
    var services: [any Service] = []
    let (history, readiness) = (MetricsHistory(), RememberedReadiness(readiness))
    if let administration {
      services.append(
        MetricsSampler(
          history: history, metrics: metrics, census: census, now: administration.environment.now))
    }
    if let address = settings.metrics { services.append(metricsListener(address, census)) }
    services.append(
      HTTPListener(
        address: settings.listen,
        door: GuardedChannel.ChannelEnvironment(
          limits: settings.limits, rules: rules, proxy: settings.proxy, census: census,
          metrics: metrics, certificate: certificate),
        responder: ServerPipeline(
          inner: responder, own: ownAnswers(readiness),
          admin: adminSite(readiness, census, history),
          credential: credential, proxy: settings.proxy, metrics: metrics, log: log),
        socketMode: settings.authentication == .none ? 0o600 : 0o660,
        onListening: { await onListening(.requests, $0) }))
    if handlesHangup { services.append(HangupService(certificate: certificate, log: log)) }
    services.append(StopNotice(onStop: onStop))
    return services
  }

  private func ownAnswers(
    _ remembered: RememberedReadiness
  ) -> [String: @Sendable (HTTPRequest) async -> Response] {
    let readiness = readiness
    return pages.answers { await remembered.isReady() }.merging(
      ["/healthz": { _ in Readiness.alive() }, "/readyz": { _ in await readiness.answer() }]
    ) { $1 }
  }

  private func adminSite(
    _ remembered: RememberedReadiness, _ census: ConnectionCensus, _ history: MetricsHistory
  ) -> AdminSite? {
    guard let administration else { return nil }
    let (metrics, readiness) = (metrics, readiness)
    return AdminSite(
      administration: administration,
      door: AdminDoor(
        administration, OwnOrigins(isEncrypted: certificate != nil, url: settings.url)),
      library: pages.library,
      health: ServerHealth(
        began: began, isReady: { await remembered.isReady() }, freeBytes: readiness.freeBytes,
        reading: { metrics.reading }, connections: { census.total },
        turnedAway: { census.turnedAway }, history: history),
      url: settings.url, linkMark: settings.linkMark, log: log)
  }

  private func metricsListener(
    _ address: ServerAddress, _ census: ConnectionCensus
  ) -> any Service {
    let onListening = onListening
    let (metrics, storage) = (metrics, storage)
    let began = began
    var rules = RequestHeadRules(maximumBody: 0)
    rules.onlyLoopbackHosts = address.isLocal
    return HTTPListener(
      address: address,
      door: GuardedChannel.ChannelEnvironment(
        limits: settings.limits, rules: rules, proxy: .none,
        census: ConnectionCensus(settings.limits), metrics: ServerMetrics()),
      responder: MetricsResponder {
        MetricsPage(
          metrics.reading, storage(), connections: census.total, turnedAway: census.turnedAway,
          began: began
        ).text
      },
      socketMode: 0o660,
      onListening: { await onListening(.metrics, $0) })
  }
}

/// Answers `/metrics`, on a listener of its own.
private struct MetricsResponder: HTTPResponder {
  typealias Context = ServerPipelineContext

  let page: @Sendable () -> String

  func respond(to request: Request, context: Context) async throws -> Response {
    guard request.uri.path == "/metrics", request.method == .get else {
      return Response(status: .notFound)
    }
    return Response(
      status: .ok, headers: [.contentType: MetricsPage.type],
      body: ResponseBody(byteBuffer: ByteBuffer(string: page())))
  }
}

/// Says that the server is to stop, before its listeners are told.
private struct StopNotice: Service {
  let onStop: @Sendable () async -> Void

  func run() async throws {
    try? await gracefulShutdown()
    await onStop()
  }
}
