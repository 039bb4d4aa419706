import FaultyNetwork
import HTTPNetwork
import RealPlaces
import S3Transport
import SegmentFormat
import SyncKit
import SyncKitHTTP
import Synchronization
import Testing

@testable import SyncKitServer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// A bucket of a real service with a prefix of its own, that can be cut off.
final class TestBucket: Sendable {
  /// Which service.
  enum Kind: String, CaseIterable, Sendable {
    case moto, rclone
  }

  private struct Place {
    var address: String
    var accessKey: String
    var secretKey: String
  }

  /// The services that run; one that no test uses any more ends.
  private static let running = Mutex<[Kind: Running]>([:])

  private struct Running {
    var place: Place
    weak var process: PlaceProcess?
  }

  /// The service of which all tests keep every body in a bucket: with `CLOUDSYNC_TEST_BLOBS=moto` or `rclone`.
  static let chosen = getenv("CLOUDSYNC_TEST_BLOBS").flatMap { Kind(rawValue: String(cString: $0)) }

  /// The requests that were sent.
  let log = RequestLog()
  private let place: Place
  private let process: PlaceProcess
  private let prefix = "test-\(String(UInt64.random(in: .min ... .max), radix: 36))"
  private let isCut = Mutex(false)
  private let isRefused = Mutex<(@Sendable (_ method: String, _ path: String) -> Bool)?>(nil)
  private let onPut = Mutex<(@Sendable () async -> Void)?>(nil)
  private let ahead = Mutex<(@Sendable () async -> Void)?>(nil)

  /// Starts the service, or joins the tests that use it now.
  init(_ kind: Kind = .rclone) throws {
    (place, process) = try Self.running.withLock { running in
      if let known = running[kind], let process = known.process { return (known.place, process) }
      let place: Place
      let process: PlaceProcess
      switch kind {
      case .moto:
        let server = try MotoServer()
        place = Place(
          address: server.address, accessKey: server.accessKey, secretKey: server.secretKey)
        process = server.process
      case .rclone:
        let server = try RcloneS3()
        place = Place(
          address: server.address, accessKey: RcloneS3.accessKey, secretKey: RcloneS3.secretKey)
        process = server.process
      }
      running[kind] = Running(place: place, process: process)
      return (place, process)
    }
  }

  /// Cuts the way to the service, or joins it again.
  func cut(_ isCut: Bool) { self.isCut.withLock { $0 = isCut } }

  /// Lets the service refuse requests, as it does what keys may not do; nil for none.
  func refuse(_ which: (@Sendable (_ method: String, _ path: String) -> Bool)?) {
    isRefused.withLock { $0 = which }
  }

  /// Does something once, right after the next object was stored.
  func afterPut(_ action: @escaping @Sendable () async -> Void) { onPut.withLock { $0 = action } }

  /// Does something once, right before the next object is sent.
  func beforePut(_ action: @escaping @Sendable () async -> Void) { ahead.withLock { $0 = action } }

  private static func taken(
    _ action: borrowing Mutex<(@Sendable () async -> Void)?>
  ) -> (@Sendable () async -> Void)? {
    action.withLock { action in
      defer { action = nil }
      return action
    }
  }

  /// A place for bodies of that many bytes and more.
  func blobs(
    from: Int = 0, secretKey: String? = nil, in name: String = MotoServer.bucket
  ) throws -> ServerBlobs {
    ServerBlobs(try store(secretKey: secretKey, in: name), from: from)
  }

  /// The names of the bodies that are in the bucket.
  func names() async throws -> [String] {
    try await store().list("", .tree).blobs.map(\.name).filter { !$0.hasSuffix("/bucket") }
  }

  /// Removes an object behind the server's back.
  func lose(_ name: String) async throws { try await store().delete(name) }

  /// Puts an object behind the server's back.
  func put(_ name: String) async throws {
    _ = try await store().put(name, [1, 2, 3], replacing: true)
  }

  private func store(
    secretKey: String? = nil, in name: String = MotoServer.bucket
  ) throws -> S3BlobStore {
    let url: SyncKitHTTP.ServerAddress? = .init(place.address)
    let address = try #require(url)
    let environment = SyncEnvironment(
      now: { Int64(Date().timeIntervalSince1970 * 1_000) },
      random: { UInt64.random(in: .min ... .max) })
    var access = ServerAccess(address: address, environment: environment, token: { nil })
    let network = access.carrier
    access.carrier = { access in
      TwistedCarrier(try network(access), self.log) { request, forward in
        guard !self.isCut.withLock({ $0 }) else {
          throw CarrierFailure.unreachable("the connection was refused", wasSent: false)
        }
        if self.isRefused.withLock({ $0?(request.method, request.path) ?? false }) {
          let refusal = "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>"
          return CarriedAnswer(status: 403, body: Array(refusal.utf8))
        }
        if request.method == "PUT" { await Self.taken(self.ahead)?() }
        let answer = try await forward(request)
        if request.method == "PUT" { await Self.taken(self.onPut)?() }
        return answer
      }
    }
    access.wait = { _ in }
    let keys = S3Credentials(
      accessKey: place.accessKey, secretKey: secretKey ?? place.secretKey)
    return try S3BlobStore(
      try S3Bucket(name, prefix: prefix, endpoint: address), access: access,
      credentials: S3CredentialSource { keys })
  }
}
