import HTTPTypes
import Hummingbird
import NIOCore
import SyncWire

/// Segments as answers, which are held as long as the client takes to take them.
///
/// They go out in small parts, and a part that waits for a slow client is all that outlives its turn.
enum SegmentAnswer {
  /// The most bytes in an answer of several segments: 1 MiB.
  ///
  /// Less than the protocol allows: that much waits in memory for each slow client.
  static let bytes = 1 << 20
  /// How many bytes go to the connection at once.
  private static let part = 128 << 10

  /// Segments in frames, nil for one that is not there.
  ///
  /// - Throws: ``WireError`` `unavailable` when too much is in hand.
  static func framed(_ segments: [[UInt8]?], _ request: ServerRequest) async throws -> Response {
    var runs: [[UInt8]] = []
    var run: [UInt8] = []
    for segment in segments {
      run += SegmentFrames.length(of: segment?.count ?? 0)
      guard let segment else { continue }
      if segment.count < part {
        run += segment
      } else {
        runs += [run, segment]
        run = []
      }
      if run.count >= part {
        runs.append(run)
        run = []
      }
    }
    if !run.isEmpty { runs.append(run) }
    var response = try await answer(runs, WireProtocol.segments, request)
    if let name = HTTPField.Name("Cloudsync-Frames") {
      response.headers[name] = String(segments.count)
    }
    return response
  }

  /// One segment as it is.
  static func plain(_ segment: [UInt8], _ request: ServerRequest) async throws -> Response {
    try await answer([segment], "application/octet-stream", request)
  }

  private static func answer(
    _ runs: [[UInt8]], _ type: String, _ request: ServerRequest
  ) async throws -> Response {
    let count = runs.reduce(0) { $0 + $1.count }
    let headers: HTTPFields = [.contentType: type]
    // What is soon gone needs no watching.
    guard count > part else {
      return Response(
        status: .ok, headers: headers,
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: runs.joined())))
    }
    let identity = try await request.storage.identity(request.caller)
    let holding = request.state.bodies.hold(for: "account \(identity.account)")
    try holding.add(count)
    return Response(
      status: .ok, headers: headers,
      body: ResponseBody(contentLength: count) { [runs, context = request.context] writer in
        var output = writer
        for run in runs {
          var rest = run[...]
          while !rest.isEmpty {
            try await output.write(ByteBuffer(bytes: rest.prefix(part)))
            try await context.settle()
            rest = rest.dropFirst(part)
          }
        }
        withExtendedLifetime(holding) {}
        try await output.finish(nil)
      })
  }
}
