import AsyncHTTPClient
import Formats
import NIOCore
import NIOHTTP1

/// Sends the requests to The Movie Database.
///
/// It follows no redirect, so that the key goes nowhere else.
struct TMDBFetcher: WebFetching {
  private static let client = HTTPClient(
    eventLoopGroupProvider: .singleton,
    configuration: HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: HTTPClient.Configuration.Timeout(connect: .seconds(20), read: .seconds(30))))

  func fetch(_ request: WebRequest) async throws -> WebResponse {
    var outgoing = HTTPClientRequest(url: request.url)
    outgoing.method = HTTPMethod(rawValue: request.method)
    for (name, value) in request.headers { outgoing.headers.add(name: name, value: value) }
    let response = try await Self.client.execute(outgoing, timeout: .seconds(30))
    var body = try await response.body.collect(upTo: 16 << 20)
    return WebResponse(
      status: Int(response.status.code),
      headers: response.headers.map { ($0.name, $0.value) },
      body: body.readBytes(length: body.readableBytes) ?? [])
  }
}
