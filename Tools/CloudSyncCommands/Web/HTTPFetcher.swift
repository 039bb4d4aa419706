import CommandFoundation
import CurlNetwork
import SyncKitFormats
import SyncKitHTTP
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
struct HTTPFetcher: WebFetching {
  /// The limits of time and size for a request.
  struct Limits: Sendable {
    /// Until there is a connection.
    var connect = Duration.seconds(10)
    /// From the first step to the last byte of the answer, redirects included.
    var whole = Duration.seconds(60)
    /// The longest body in bytes.
    var body = 64 << 20
    /// The number of redirects within an origin that are followed.
    var redirects = 5
  }

  private let limits: Limits
  private let proxies: ProxyChoice
  /// The file that replaces the authorities of the system; nil for none.
  private let authorities: String?

  init(environment: [String: String], limits: Limits = Limits()) {
    self.limits = limits
    proxies = .environment(environment)
    authorities = AuthorityFile.named(by: environment)
  }

  /// Sends a request and waits for the whole answer.
  ///
  /// - Throws: ``WebFault`` if no answer came in time or it was too long, and ``SyncError``
  ///   `input.invalid` if the URL is not http or https, `library.missing` without libcurl.
  func fetch(_ request: WebRequest) async throws -> WebResponse {
    guard let origin = ServerAddress(originOf: request.url) else {
      throw SyncError(.inputInvalid, "\"\(request.url)\" is not an http or https address.")
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
    } catch let error as SyncError where error.code == .libraryMissing {
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
    let proxy = proxies.proxy(to: origin)
    if let authorities { try AuthorityFile.check(authorities) }
    var message = CurlRequest(url: request.url)
    message.method = request.method
    message.headers = request.headers.map { ($0.name, $0.value) }
    if !message.headers.contains(where: { $0.name.lowercased() == "user-agent" }) {
      message.headers.append(("User-Agent", "cloudsync/\(Version.number)"))
    }
    message.body = request.body
    message.proxy = proxy
    message.trust = .authorities(file: authorities)
    (message.connectTimeout, message.timeout) = (limits.connect, limits.whole)
    do {
      let answer = try await CarriedAnswer(to: message)
      return WebResponse(
        status: answer.status,
        headers: answer.headers.map { (name: $0.name, value: $0.value) },
        body: try await answer.bytes(upTo: limits.body))
    } catch let fault as CurlFault {
      let probe = CurlTrustProbe(of: origin, proxy: proxy, authorities: authorities) {
        Int64(Date().timeIntervalSince1970 * 1_000)
      }
      if let trust = await probe.fault(behind: fault) { throw CarrierFailure.untrusted(trust) }
      throw fault.failure
    } catch CarrierFailure.tooLong {
      throw WebFault.tooLong(limits.body)
    }
  }
}
