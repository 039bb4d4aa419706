import SyncKitText
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import SyncWire

/// A refusal as an answer of HTTP.
enum RefusalAnswer {
  /// Its head and its body, for a connection that is closed behind it.
  static func parts(_ error: WireError) -> [HTTPServerResponsePart] {
    let body = error.json.serialized()
    var headers = HTTPHeaders([
      ("Content-Type", WireProtocol.json), ("Content-Length", "\(body.count)"),
      (WireProtocol.header, "\(WireProtocol.version)"), ("Cache-Control", "no-store"),
      ("Connection", "close"),
    ])
    if let seconds = error.retryAfter { headers.add(name: "Retry-After", value: "\(seconds)") }
    return [
      .head(
        HTTPResponseHead(
          version: .http1_1, status: HTTPResponseStatus(statusCode: error.code.status),
          headers: headers)),
      .body(.byteBuffer(ByteBuffer(bytes: body))),
    ]
  }

  /// The same for a connection that stays.
  static func response(_ error: WireError) -> Response {
    var response = Response(
      status: HTTPTypes.HTTPResponse.Status(code: error.code.status),
      headers: [.contentType: WireProtocol.json],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: error.json.serialized())))
    if let seconds = error.retryAfter { response.headers[.retryAfter] = "\(seconds)" }
    return response
  }
}
