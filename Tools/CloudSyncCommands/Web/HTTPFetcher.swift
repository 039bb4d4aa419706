import AsyncHTTPClient
import Formats
import HTTPNetwork
import HTTPTransport
import NIOCore
import NIOHTTP1
import SyncKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Fetches over http and https for domains, which open no socket themselves.
///
/// Nothing is set up before the first request, so a command that asks no web service pays for none. No
/// header and no body is ever logged. Proxies are those of the environment; none for this machine.
actor HTTPFetcher: WebFetching {
  /// How long a request may take and how much it may bring.
  struct Limits: Sendable {
    /// Until there is a connection.
    var connect = Duration.seconds(10)
    /// From the first step to the last byte of the answer, redirects included.
    var whole = Duration.seconds(60)
    /// The longest body in bytes.
    var body = 64 << 20
    /// How many redirects within an origin are followed.
    var redirects = 5
  }

  private let limits: Limits
  private let proxies: ProxyChoice
  /// The file that replaces the authorities of the system; nil for none.
  private let authorities: String?
  /// One client for each proxy in use.
  private var clients: [Proxy?: HTTPClient] = [:]

  init(environment: [String: String], limits: Limits = Limits()) {
    self.limits = limits
    proxies = .environment(environment)
    authorities = Authorities.file(environment)
  }

  deinit {
    // Closing goes on behind our back, or ends with the process, which is about to.
    for client in clients.values { client.shutdown { _ in } }
  }

  /// Sends a request and waits for the whole answer.
  ///
  /// - Throws: ``WebFault`` when no answer came in time or it was too long, and ``SyncError``
  ///   `input.invalid` when the URL is none of http or https.
  func fetch(_ request: WebRequest) async throws -> WebResponse {
    guard let origin = ServerAddress(originOf: request.url) else {
      throw SyncError(.inputInvalid, "\"\(request.url)\" is no address of http or https.")
    }
    let whole = limits.whole
    do {
      return try await withThrowingTaskGroup(of: WebResponse.self) { group in
        group.addTask { try await self.follow(request, within: origin) }
        group.addTask {
          try await Task.sleep(for: whole)
          throw WebFault.tooSlow(whole)
        }
        defer { group.cancelAll() }
        guard let response = try await group.next() else { throw CancellationError() }
        return response
      }
    } catch let error as CancellationError {
      throw error
    } catch {
      throw WebFault.noAnswer(origin.host, WebFault.reason(of: error))
    }
  }

  /// Follows redirects as long as they stay within the origin; others are the answer.
  private func follow(
    _ request: WebRequest, within origin: ServerAddress
  ) async throws -> WebResponse {
    var request = request
    var response = try await send(request, to: origin)
    var left = limits.redirects
    while [301, 302, 303, 307, 308].contains(response.status), left > 0,
      request.method == "GET" || request.method == "HEAD",
      let location = response["location"], let base = URL(string: request.url),
      let target = URL(string: location, relativeTo: base)?.absoluteString,
      ServerAddress(originOf: target) == origin
    {
      request.url = target
      left -= 1
      response = try await send(request, to: origin)
    }
    return response
  }

  private func send(_ request: WebRequest, to origin: ServerAddress) async throws -> WebResponse {
    var message = HTTPClientRequest(url: request.url)
    message.method = HTTPMethod(rawValue: request.method)
    for header in request.headers { message.headers.add(name: header.name, value: header.value) }
    if !message.headers.contains(name: "user-agent") {
      message.headers.add(name: "user-agent", value: "cloudsync/\(Version.number)")
    }
    if !request.body.isEmpty { message.body = .bytes(request.body) }
    let answer: HTTPClientResponse
    do {
      answer = try await client(for: origin).execute(message, timeout: limits.whole.amount)
    } catch {
      let probe = TrustProbe(try configuration(for: origin), of: origin) {
        Int64(Date().timeIntervalSince1970 * 1_000)
      }
      guard let fault = await probe.fault(behind: error) else { throw error }
      throw WebFault.untrusted(fault)
    }
    do {
      let body = try await answer.body.collect(upTo: limits.body)
      return WebResponse(
        status: Int(answer.status.code),
        headers: answer.headers.map { (name: $0.name, value: $0.value) },
        body: Array(body.readableBytesView))
    } catch is NIOTooManyBytesError {
      throw WebFault.tooLong(limits.body)
    }
  }

  private func client(for origin: ServerAddress) throws -> HTTPClient {
    let proxy = proxies.proxy(to: origin)
    if let client = clients[proxy] { return client }
    let client = HTTPClient(
      eventLoopGroupProvider: .singleton, configuration: try configuration(for: origin))
    clients[proxy] = client
    return client
  }

  private func configuration(for origin: ServerAddress) throws -> HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow, timeout: .init(connect: limits.connect.amount),
      proxy: proxies.proxy(to: origin)?.configuration)
    // Small answers of few hosts: the newer protocol would only bring its set-up.
    configuration.httpVersion = .http1Only
    configuration.tlsConfiguration = try Authorities.configuration(certificates: authorities)
    return configuration
  }
}

extension Duration {
  fileprivate var amount: TimeAmount {
    .milliseconds(components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000)
  }
}
