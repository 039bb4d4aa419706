import CurlNetwork
import FaultyNetwork
import RealPlaces
import SegmentFormat
import SyncKit
import SyncKitHTTP
import SyncKitTesting
import Synchronization
import Testing

@testable import S3Transport

/// A real service for buckets, whichever it is.
struct S3Place: Sendable {
  /// Which one.
  enum Kind: String, CaseIterable, Sendable {
    case moto, rclone
  }

  let kind: Kind
  let address: String
  let accessKey: String
  let secretKey: String
  let process: PlaceProcess

  /// The services that run; one that no test uses any more ends.
  private static let running = Mutex<[Kind: Running]>([:])

  private struct Running {
    var place: (address: String, accessKey: String, secretKey: String)
    weak var process: PlaceProcess?
  }

  /// Starts the service, or joins the tests that use it now.
  init(_ kind: Kind) throws {
    self.kind = kind
    let found = try Self.running.withLock { running in
      if let known = running[kind], let process = known.process { return (known.place, process) }
      let started = try Self.start(kind)
      running[kind] = Running(place: started.place, process: started.process)
      return started
    }
    (address, accessKey, secretKey) = found.0
    process = found.1
  }

  private static func start(
    _ kind: Kind
  ) throws -> (
    place: (address: String, accessKey: String, secretKey: String), process: PlaceProcess
  ) {
    switch kind {
    case .moto:
      let server = try MotoServer()
      return ((server.address, server.accessKey, server.secretKey), server.process)
    case .rclone:
      let server = try RcloneS3()
      return ((server.address, RcloneS3.accessKey, RcloneS3.secretKey), server.process)
    }
  }

  /// A bucket of the service.
  func bucket(
    _ prefix: String = "", named name: String = MotoServer.bucket, region: String = "us-east-1"
  ) throws -> S3Bucket {
    let endpoint: ServerAddress = try #require(ServerAddress(address))
    return try S3Bucket(name, prefix: prefix, endpoint: endpoint, region: region)
  }

  /// The keys of the service, or others.
  func keys(_ accessKey: String? = nil, _ secretKey: String? = nil) -> S3CredentialSource {
    let keys = S3Credentials(
      accessKey: accessKey ?? self.accessKey, secretKey: secretKey ?? self.secretKey)
    return S3CredentialSource { keys }
  }

  /// A transport to a bucket of the service.
  func transport(
    _ bucket: S3Bucket, _ log: RequestLog = RequestLog(), keys: S3CredentialSource? = nil,
    skew: Int64 = 0, _ twist: @escaping TwistedCarrier.Twist = { try await $1($0) }
  ) throws -> S3Transport {
    try S3Transport(
      bucket, access: access(log, skew: skew, twist), credentials: keys ?? self.keys())
  }

  /// The blobs of a bucket of the service.
  func store(
    _ bucket: S3Bucket, _ log: RequestLog = RequestLog(), keys: S3CredentialSource? = nil,
    skew: Int64 = 0, sizes: S3BlobStore.Sizes = S3BlobStore.Sizes(),
    _ twist: @escaping TwistedCarrier.Twist = { try await $1($0) }
  ) throws -> S3BlobStore {
    try S3BlobStore(
      bucket, access: access(log, skew: skew, twist), credentials: keys ?? self.keys(),
      sizes: sizes)
  }

  private func access(
    _ log: RequestLog, skew: Int64, _ twist: @escaping TwistedCarrier.Twist
  ) throws -> ServerAccess {
    let random = SystemRandomNumberGenerator()
    let environment = SyncEnvironment(
      now: { realTime() + skew },
      random: {
        var random = random
        return random.next()
      })
    var access = ServerAccess(
      curl: try #require(ServerAddress(address)), environment: environment, token: { nil })
    access.carrier = { TwistedCarrier(try CurlCarrier($0), log, twist) }
    access.wait = { log.add($0) }
    return access
  }

  /// Takes away everything below a prefix.
  func empty(_ prefix: String, of name: String = MotoServer.bucket) async throws {
    let store = try store(bucket(prefix, named: name))
    let top = try await store.list("", .folder)
    for folder in top.folders {
      for blob in try await store.list(folder, .tree).blobs { try await store.delete(blob.name) }
    }
    for blob in top.blobs { try await store.delete(blob.name) }
  }

  /// Cuts every segment below a prefix in half.
  func cut(_ prefix: String, of name: String = MotoServer.bucket) async throws {
    let store = try store(bucket(prefix, named: name))
    for folder in try await store.list("", .folder).folders {
      for blob in try await store.list(folder, .tree).blobs where blob.name.hasSuffix(".seg") {
        let bytes = try #require(try await store.get(blob.name, upTo: 1 << 28))
        _ = try await store.put(
          blob.name, Array(bytes.prefix(bytes.count / 2)), replacing: true)
      }
    }
  }
}

/// A service that is only played: answers to requests, without a network.
final class PlayedService: RequestCarrier {
  private let answer: @Sendable (CarriedRequest) -> CarriedAnswer
  private let log: RequestLog

  init(_ log: RequestLog, _ answer: @escaping @Sendable (CarriedRequest) -> CarriedAnswer) {
    (self.log, self.answer) = (log, answer)
  }

  func carry(_ request: CarriedRequest) async throws -> CarriedAnswer {
    log.add(request)
    return answer(request)
  }

  /// The blobs of a bucket of AWS that is played.
  static func store(
    _ bucket: S3Bucket? = nil, _ log: RequestLog = RequestLog(),
    _ answer: @escaping @Sendable (CarriedRequest) -> CarriedAnswer
  ) throws -> S3BlobStore {
    let bucket = try bucket ?? S3Bucket("books", prefix: "p", region: "eu-central-1")
    // 24 May 2013, 00:00:00.
    let environment = SyncEnvironment(now: { 1_369_353_600_000 }, random: { 0 })
    let access = ServerAccess(
      address: bucket.address, environment: environment, wait: { log.add($0) },
      carrier: { _ in PlayedService(log, answer) })
    let keys = S3Credentials(accessKey: "AK", secretKey: "SK")
    return try S3BlobStore(bucket, access: access, credentials: S3CredentialSource { keys })
  }

  /// A refusal in XML.
  static func refusal(
    _ status: Int, _ code: String, _ more: String = "",
    headers: [(name: String, value: String)] = []
  ) -> CarriedAnswer {
    CarriedAnswer(
      status: status, headers: headers,
      body: Array(
        "<?xml version=\"1.0\"?><Error><Code>\(code)</Code><Message>words</Message>\(more)</Error>"
          .utf8))
  }

  /// The answer to a request that begins an upload in parts; nil for any other request.
  static func upload(_ request: CarriedRequest) -> CarriedAnswer? {
    guard request.method == "POST", request.path.contains("uploads=") else { return nil }
    return CarriedAnswer(
      status: 200,
      body: Array(
        "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>"
          .utf8))
  }

  /// A listing in XML.
  static func listing(_ content: String) -> CarriedAnswer {
    CarriedAnswer(
      status: 200,
      body: Array("<ListBucketResult>\(content)</ListBucketResult>".utf8))
  }
}

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The time of this machine, which the services check.
func realTime() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
