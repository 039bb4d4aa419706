import CurlNetwork
import RealPlaces
import SegmentFormat
import SyncKit
import SyncKitHTTP
import SyncKitTesting
import Synchronization
import Testing

@testable import WebDAVTransport

/// The way to a real server on which something happens to requests and answers.
final class TwistedCarrier: RequestCarrier {
  typealias Forward = @Sendable (CarriedRequest) async throws -> CarriedAnswer

  private let inner: any RequestCarrier
  private let twist: @Sendable (CarriedRequest, Forward) async throws -> CarriedAnswer
  private let log: RequestLog

  init(
    _ inner: any RequestCarrier, _ log: RequestLog,
    _ twist: @escaping @Sendable (CarriedRequest, Forward) async throws -> CarriedAnswer
  ) {
    (self.inner, self.log, self.twist) = (inner, log, twist)
  }

  func carry(_ request: CarriedRequest) async throws -> CarriedAnswer {
    log.add(request)
    return try await twist(request) { try await self.inner.carry($0) }
  }
}

/// The requests that were sent, and the pauses between.
final class RequestLog: Sendable {
  private let state = Mutex<(requests: [CarriedRequest], pauses: [Duration])>(([], []))

  var methods: [String] { state.withLock { $0.requests.map(\.method) } }
  var requests: [CarriedRequest] { state.withLock { $0.requests } }
  var pauses: [Duration] { state.withLock { $0.pauses } }
  func add(_ request: CarriedRequest) { state.withLock { $0.requests.append(request) } }
  func add(_ pause: Duration) { state.withLock { $0.pauses.append(pause) } }
  func forget() { state.withLock { $0 = ([], []) } }
}

extension WebDAVServer {
  /// How a collection is reached over a way on which something happens.
  func access(
    _ collection: String, _ log: RequestLog,
    _ twist:
      @escaping @Sendable (CarriedRequest, TwistedCarrier.Forward) async throws ->
      CarriedAnswer = { try await $1($0) }
  ) throws -> ServerAccess {
    var access = try access(collection)
    access.carrier = { TwistedCarrier(try CurlCarrier($0), log, twist) }
    access.wait = { log.add($0) }
    return access
  }

  /// The blobs of a collection over such a way.
  func store(
    _ collection: String, _ log: RequestLog,
    _ twist:
      @escaping @Sendable (CarriedRequest, TwistedCarrier.Forward) async throws ->
      CarriedAnswer = { try await $1($0) }
  ) throws -> WebDAVBlobStore {
    try WebDAVBlobStore(
      access(collection, log, twist), create: true
    ) {
      .password(user: Self.user, password: Self.password)
    }
  }
}
