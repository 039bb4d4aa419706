import SyncKitText
import HTTPTypes
import Hummingbird
import NIOPosix
import SegmentFormat
import SyncKit
import SyncWire

extension ServerRoutes {
  static let segmentRoutes: [ServerRoute] = [
    ServerRoute(
      .post, "/v1/domains/{domain}/segments", .sync, about: .domain,
      "Stores segments durably before it answers.", body: .segments, takes: "Segments",
      gives: [200: "StoreResults"]
    ) { request in
      let domain = try request.part("domain")
      // Without a token, no client makes the server take a body of megabytes.
      let identity = try await request.storage.identity(request.caller)
      let holding = request.state.bodies.hold(for: "account \(identity.account)")
      defer { withExtendedLifetime(holding) {} }
      let segments = try await SegmentReading.segments(of: request, holding)
      let results = try await request.storage.store(segments, in: domain, request.caller)
      return request.answer(["results": .array(results.map(\.json))])
    },
    ServerRoute(
      .post, "/v1/domains/{domain}/segments/fetch", .read, about: .domain,
      "Returns segments by their cursors.", body: .json, takes: "Cursors",
      gives: [200: "Segments"]
    ) { request in
      let domain = try request.part("domain")
      let cursors = try SegmentReading.cursors(await request.json())
      let found = try await request.storage.fetch(
        cursors, of: domain, upTo: SegmentAnswer.bytes, request.caller)
      return try await SegmentAnswer.framed(found, request)
    },
    ServerRoute(
      .post, "/v1/domains/{domain}/segments/remove", .sync, about: .domain,
      "Removes segments that other segments contain or a snapshot stands for.", body: .json,
      takes: "Cursors", gives: [200: "Cursors"]
    ) { request in
      let domain = try request.part("domain")
      let cursors = try SegmentReading.cursors(await request.json())
      let gone = try await request.storage.remove(cursors, of: domain, request.caller)
      return request.answer(["cursors": .array(gone.map { .int(Int64(clamping: $0)) })])
    },
    ServerRoute(
      .post, "/v1/domains/{domain}/segments/clear", .sync, about: .domain,
      "Removes unreadable segments of the account's own zones.", body: .json, takes: "Cursors",
      gives: [200: "Cursors"]
    ) { request in
      let domain = try request.part("domain")
      let cursors = try SegmentReading.cursors(await request.json())
      let gone = try await request.storage.removeDamaged(cursors, of: domain, request.caller)
      return request.answer(["cursors": .array(gone.map { .int(Int64(clamping: $0)) })])
    },
    ServerRoute(
      .get, "/v1/domains/{domain}/segments/{cursor}", .read, about: .segment,
      "Returns the bytes of one segment.", gives: [200: "Segment"]
    ) { request in
      let domain = try request.part("domain")
      guard let cursor = SegmentReading.natural(try request.part("cursor")) else {
        throw Refusal.notFound
      }
      let found = try await request.storage.fetch([cursor], of: domain, upTo: 0, request.caller)
      guard let bytes = found.first ?? nil else { throw Refusal.notFound }
      return try await SegmentAnswer.plain(bytes, request)
    },
  ]
}

/// How segments and cursors are taken out of requests.
enum SegmentReading {
  /// From here on the work is worth a thread of its own.
  private static let threadBytes = 128 << 10

  /// Takes a body apart as it comes, and checks each segment.
  static func segments(
    of request: ServerRequest, _ holding: Holding
  ) async throws -> [IncomingSegment] {
    var reader = SegmentFrameReader()
    var bytes = 0
    try await request.read(
      upTo: WireProtocol.maximumSegmentBytes, WireProtocol.segments, holding
    ) { part in
      bytes += part.readableBytes
      do throws(WireFault) { try reader.add(part.readableBytesView) } catch {
        throw WireError(.badRequest, error.message + ".")
      }
      guard reader.count <= WireProtocol.batchCount else {
        throw WireError(
          .tooLarge, "One request stores at most \(WireProtocol.batchCount) segments.")
      }
    }
    let frames: [[UInt8]?]
    do { frames = try reader.finish() } catch {
      throw WireError(.badRequest, error.message + ".")
    }
    guard bytes > threadBytes else { return check(frames) }
    return try await NIOThreadPool.singleton.runIfActive { check(frames) }
  }

  private static func check(_ frames: [[UInt8]?]) -> [IncomingSegment] {
    let coding = DeflateSegmentCoding()
    return frames.map { frame in
      guard let frame else { return .refused(WireError(.invalid, "The segment is empty.")) }
      do {
        return .checked(try coding.read(frame))
      } catch let error as SyncError where error.code == .formatNewer {
        return .refused(WireError(.newer, "The segment needs a newer server."))
      } catch {
        return .refused(WireError(.invalid, "The segment is damaged."))
      }
    }
  }

  static func cursors(_ json: JSON) throws -> [UInt64] {
    guard let elements = json["cursors"]?.array else {
      throw WireFault("'cursors' must be a list")
    }
    guard elements.count <= WireProtocol.batchCount else {
      throw WireError(
        .tooLarge, "One request names at most \(WireProtocol.batchCount) segments.")
    }
    return try elements.map { element in
      guard let number = element.int, let cursor = UInt64(exactly: number) else {
        throw WireFault("'cursors' must be a list of natural numbers")
      }
      return cursor
    }
  }

  /// A number of a path, without a sign or leading zeros.
  static func natural(_ text: String) -> UInt64? {
    guard (1...19).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "0"),
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return UInt64(text).flatMap { $0 <= UInt64(Int64.max) ? $0 : nil }
  }
}
