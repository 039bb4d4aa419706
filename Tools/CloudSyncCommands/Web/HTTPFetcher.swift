import AsyncHTTPClient
import Formats
import NIOCore
import NIOHTTP1

/// Fetches over http and https for domains, which open no socket themselves.
///
/// It follows no redirect, which could take a token elsewhere, and logs nothing. The first request sets
/// it up, so that a command which asks no web service pays for none.
struct HTTPFetcher: WebFetching {
  private static let client = HTTPClient(
    eventLoopGroupProvider: .singleton,
    configuration: HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: HTTPClient.Configuration.Timeout(connect: .seconds(10), read: .seconds(60))))

  /// From the first step to the last byte of an answer.
  private static let patience = TimeAmount.seconds(120)
  /// The longest answer in bytes: 64 MiB.
  private static let longest = 64 << 20

  func fetch(_ request: WebRequest) async throws -> WebResponse {
    var outgoing = HTTPClientRequest(url: request.url)
    outgoing.method = HTTPMethod(rawValue: request.method)
    for (name, value) in request.headers { outgoing.headers.add(name: name, value: value) }
    if !request.body.isEmpty { outgoing.body = .bytes(request.body) }
    let response = try await Self.client.execute(outgoing, timeout: Self.patience)
    var body = try await response.body.collect(upTo: Self.longest)
    return WebResponse(
      status: Int(response.status.code),
      headers: response.headers.map { ($0.name, $0.value) },
      body: body.readBytes(length: body.readableBytes) ?? [])
  }
}
