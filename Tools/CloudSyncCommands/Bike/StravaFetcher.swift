import AsyncHTTPClient
import Formats
import NIOCore
import NIOHTTP1

/// Sends Strava's requests; follows no redirect, which would take the token elsewhere.
struct StravaFetcher: WebFetching {
  private static let client = HTTPClient(
    eventLoopGroupProvider: .singleton,
    configuration: HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: HTTPClient.Configuration.Timeout(connect: .seconds(20), read: .seconds(60))))

  /// The longest answer that is read: 64 MiB.
  private static let longest = 64 << 20

  func fetch(_ request: WebRequest) async throws -> WebResponse {
    var outgoing = HTTPClientRequest(url: request.url)
    outgoing.method = HTTPMethod(rawValue: request.method)
    for (name, value) in request.headers { outgoing.headers.add(name: name, value: value) }
    if !request.body.isEmpty { outgoing.body = .bytes(request.body) }
    let response = try await Self.client.execute(outgoing, timeout: .seconds(120))
    var body = try await response.body.collect(upTo: Self.longest)
    return WebResponse(
      status: Int(response.status.code),
      headers: response.headers.map { ($0.name, $0.value) },
      body: body.readBytes(length: body.readableBytes) ?? [])
  }
}
