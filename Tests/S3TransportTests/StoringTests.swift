import FaultyNetwork
import RealPlaces
import SegmentFormat
import SyncKit
import SyncKitHTTP
import Synchronization
import Testing

@testable import S3Transport

/// How blobs are stored.
@Suite struct Storing {
  private let options: (inout S3Bucket) -> Void = { bucket in
    bucket.storageClass = "STANDARD_IA"
    bucket.encryption = .managed(key: "key-1")
  }

  /// As small as services allow.
  private let small = S3BlobStore.Sizes(largestPut: 8 << 20, part: 5 << 20)

  private func value(_ name: String, _ request: CarriedRequest?) -> String? {
    request?.headers.first { $0.name == name }?.value
  }

  @Test func `storage class, encryption, checksum and condition are sent`() async throws {
    let log = RequestLog()
    var bucket = try S3Bucket("books")
    options(&bucket)
    let store = try PlayedService.store(bucket, log) { _ in CarriedAnswer(status: 200) }
    #expect(try await store.put("notes/a", Array("a".utf8), replacing: false))
    let request = log.requests.first
    #expect(value("x-amz-storage-class", request) == "STANDARD_IA")
    #expect(value("x-amz-server-side-encryption", request) == "aws:kms")
    #expect(value("x-amz-server-side-encryption-aws-kms-key-id", request) == "key-1")
    #expect(value("if-none-match", request) == "*")
    #expect(
      value("x-amz-checksum-sha256", request) == "ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=")
    #expect(log.requests.map(\.path) == ["/notes/a"])
  }

  @Test func `what a service does not know is left out from then on`() async throws {
    let log = RequestLog()
    var bucket = try S3Bucket("books")
    bucket.keepsConditions = true
    let store = try PlayedService.store(bucket, log) { request in
      for field in request.headers where field.name == "x-amz-checksum-sha256" {
        return PlayedService.refusal(400, "InvalidArgument", "", headers: [("x", field.value)])
          .saying("Unsupported header 'x-amz-checksum-sha256'")
      }
      for field in request.headers where field.name == "if-none-match" {
        return PlayedService.refusal(501, "NotImplemented", "", headers: [("x", field.value)])
      }
      return CarriedAnswer(status: request.method == "HEAD" ? 404 : 200)
    }
    #expect(try await store.put("notes/a", [1], replacing: false))
    #expect(log.methods == ["PUT", "PUT", "PUT"])
    log.forget()
    #expect(try await store.put("notes/b", [1], replacing: false))
    #expect(log.methods == ["HEAD", "PUT"])
  }

  @Test func `two writers of one name at the same time wait for each other`() async throws {
    let log = RequestLog()
    let left = Mutex(2)
    let store = try PlayedService.store(S3Bucket("books"), log) { _ in
      let isLeft = left.withLock { left in
        left -= 1
        return left >= 0
      }
      return isLeft
        ? PlayedService.refusal(409, "ConditionalRequestConflict")
        : PlayedService.refusal(412, "PreconditionFailed")
    }
    #expect(try await !store.put("notes/a", [1], replacing: false))
    #expect(log.methods.count == 3)
    #expect(log.pauses.count == 2)
  }

  @Test(arguments: S3Place.Kind.allCases)
  func `a large blob goes in parts and comes back whole`(kind: S3Place.Kind) async throws {
    let place = try S3Place(kind)
    let log = RequestLog()
    let store = try place.store(place.bucket("large"), log, sizes: small)
    var bytes = [UInt8](repeating: 7, count: 12 << 20)
    for place in stride(from: 0, to: bytes.count, by: 65_537) { bytes[place] = UInt8(place >> 20) }
    #expect(try await store.put("notes/a", bytes, replacing: false))
    #expect(log.methods == ["HEAD", "POST", "PUT", "PUT", "PUT", "POST"])
    #expect(try await store.get("notes/a", upTo: 256 << 20) == bytes)
    #expect(try await store.get("notes/a", upTo: 5) == Array(bytes.prefix(5)))
    #expect(try await store.list("notes", .tree).blobs.map(\.size) == [bytes.count])
    #expect(try await !store.put("notes/a", bytes, replacing: false))
  }

  @Test func `what fails midway is taken away`() async throws {
    let place = try S3Place(.moto)
    let log = RequestLog()
    let store = try place.store(place.bucket("midway"), log, sizes: small) { request, forward in
      request.path.contains("partNumber=3")
        ? PlayedService.refusal(403, "QuotaExceeded") : try await forward(request)
    }
    let bytes = [UInt8](repeating: 7, count: 12 << 20)
    let error = try await #require(throws: SyncError.self) {
      _ = try await store.put("notes/a", bytes, replacing: false)
    }
    #expect(error.code == .remoteQuota)
    #expect(log.methods.last == "DELETE")
    #expect(try await store.get("notes/a", upTo: 5) == nil)
    let uploads = try await store.connection.send(
      S3Request(method: "GET", query: [("uploads", ""), ("prefix", "midway/")]))
    #expect(!String(decoding: uploads.body, as: UTF8.self).contains("<UploadId>"))
  }

  @Test func `what is cancelled midway is taken away`() async throws {
    let place = try S3Place(.moto)
    let log = RequestLog()
    let store = try place.store(place.bucket("cancelled"), log, sizes: small) { request, forward in
      if request.path.contains("partNumber=2") { cancelThisTask() }
      try Task.checkCancellation()
      return try await forward(request)
    }
    let bytes = [UInt8](repeating: 7, count: 12 << 20)
    let storing = Task { try await store.put("notes/a", bytes, replacing: false) }
    await #expect(throws: CancellationError.self) { _ = try await storing.value }
    #expect(log.methods.last == "DELETE")
    let uploads = try await store.connection.send(
      S3Request(method: "GET", query: [("uploads", ""), ("prefix", "cancelled/")]))
    #expect(!String(decoding: uploads.body, as: UTF8.self).contains("<UploadId>"))
  }

  @Test func `an error behind a good status is one`() async throws {
    let store = try PlayedService.store(S3Bucket("books")) { request in
      if let begun = PlayedService.upload(request) { return begun }
      if request.method == "POST" { return PlayedService.refusal(200, "InternalError") }
      return CarriedAnswer(status: 200, headers: [("ETag", "\"e\"")])
    }
    await #expect(throws: SyncError.self) {
      _ = try await store.put("a", [UInt8](repeating: 1, count: 65 << 20), replacing: true)
    }
  }
}

/// Cancels the task in which it is called.
private func cancelThisTask() {
  withUnsafeCurrentTask { task -> Void in task?.cancel() }
}

extension CarriedAnswer {
  /// The same refusal in other words.
  fileprivate func saying(_ words: String) -> CarriedAnswer {
    CarriedAnswer(
      status: status,
      body: Array("<Error><Code>InvalidArgument</Code><Message>\(words)</Message></Error>".utf8))
  }
}
