import AsyncHTTPClient
import SyncKitFormats
import NIOCore
import NIOHTTP1
import SyncWire

/// One client of the server, which never retries and follows no redirect: it sees exactly what happens.
struct WireCaller: Sendable {
  /// The outcome of a request.
  enum Answer: Sendable {
    /// The answer was a 2xx.
    case done([UInt8])
    /// The answer was a 4xx: it had no effect.
    case refused(Int)
    /// Unknown: no answer, or a 5xx.
    case unknown
  }

  let client: HTTPClient
  let base: String
  let token: String
  /// Where its requests are noted, by the number of the client; nil for one whose network is bad anyway.
  var notes: (recorder: Recorder, client: Int)?

  /// Sends JSON.
  func call(_ method: String, _ path: String, _ body: JSON? = nil) async -> Answer {
    await call(method, path, body.map { $0.serialized() } ?? [], WireProtocol.json)
  }

  /// Sends bytes; after a lost answer it waits a little, as the server may be down for a while.
  func call(_ method: String, _ path: String, _ body: [UInt8], _ type: String) async -> Answer {
    let start = notes?.recorder.now ?? 0
    let answer = await send(method, path, body, type)
    notes?.recorder.note(answer, from: start, client: notes?.client ?? 0)
    if case .unknown = answer { try? await Task.sleep(for: .milliseconds(50)) }
    return answer
  }

  private func send(
    _ method: String, _ path: String, _ body: [UInt8], _ type: String
  ) async -> Answer {
    var request = HTTPClientRequest(url: "\(base)\(WireProtocol.prefix)\(path)")
    request.method = HTTPMethod(rawValue: method)
    request.headers.add(name: "authorization", value: "Bearer \(token)")
    if !body.isEmpty {
      request.headers.add(name: "content-type", value: type)
      request.body = .bytes(body)
    }
    do {
      let response = try await client.execute(request, timeout: .seconds(3))
      var body = try await response.body.collect(upTo: 64 << 20)
      let bytes = body.readBytes(length: body.readableBytes) ?? []
      switch response.status.code {
      case 200..<300: return .done(bytes)
      case 400..<500: return .refused(Int(response.status.code))
      default: return .unknown
      }
    } catch {
      return .unknown
    }
  }
}
