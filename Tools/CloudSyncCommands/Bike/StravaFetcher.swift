import AsyncHTTPClient
import Formats
import NIOCore
import NIOHTTP1

/// Sends Strava's requests.
struct StravaFetcher: WebFetching {
  func fetch(_ request: WebRequest) async throws -> WebResponse {
    var outgoing = HTTPClientRequest(url: request.url)
    outgoing.method = HTTPMethod(rawValue: request.method)
    for (name, value) in request.headers { outgoing.headers.add(name: name, value: value) }
    if !request.body.isEmpty { outgoing.body = .bytes(request.body) }
    let response = try await HTTPClient.shared.execute(outgoing, timeout: .seconds(60))
    var body = try await response.body.collect(upTo: 64 << 20)
    return WebResponse(
      status: Int(response.status.code),
      headers: response.headers.map { ($0.name, $0.value) },
      body: body.readBytes(length: body.readableBytes) ?? [])
  }
}
