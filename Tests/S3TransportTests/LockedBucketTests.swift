import FaultyNetwork
import SegmentFormat
import SyncKit
import SyncKitHTTP
import Testing

@testable import S3Transport

/// A bucket that locks objects takes none without a proof of its bytes.
@Suite struct LockedBuckets {
  /// What it says to the upload of an object or of a part without one.
  private static func refusal(_ kind: String) -> CarriedAnswer {
    said(
      "InvalidRequest",
      "Content-MD5 OR x-amz-checksum- HTTP header is required for Put \(kind) requests with Object Lock parameters"
    )
  }

  private static func said(_ code: String, _ message: String) -> CarriedAnswer {
    CarriedAnswer(
      status: 400,
      body: Array("<Error><Code>\(code)</Code><Message>\(message)</Message></Error>".utf8))
  }

  private func value(_ name: String, _ request: CarriedRequest?) -> String? {
    request?.headers.first { $0.name == name }?.value
  }

  @Test func `Content-MD5 is sent from then on where it is asked for`() async throws {
    let log = RequestLog()
    // One that does not know the checksum, as Backblaze B2.
    let store = try PlayedService.store(S3Bucket("books"), log) { request in
      let names = request.headers.map(\.name)
      if names.contains("x-amz-checksum-sha256") {
        return Self.said("InvalidArgument", "Unsupported header 'x-amz-checksum-sha256'")
      }
      return names.contains("content-md5")
        ? CarriedAnswer(status: 200) : Self.refusal("Object")
    }
    #expect(try await store.put("notes/a", Array("abc".utf8), replacing: false))
    #expect(log.methods == ["PUT", "PUT", "PUT"])
    let request = log.requests.last
    #expect(value("content-md5", request) == "kAFQmDzST7DWlj99KOF/cg==")
    #expect(value("x-amz-checksum-sha256", request) == nil)
    // It is part of what is signed.
    #expect(value("Authorization", request)?.contains("=content-md5;host;") == true)
    log.forget()
    #expect(try await store.put("notes/b", [1], replacing: false))
    #expect(log.methods == ["PUT"])
  }

  @Test(arguments: [
    ("MissingContentMD5", "words"),
    ("InvalidRequest", "Missing required header for this request: Content-MD5"),
    (
      "InvalidRequest",
      "Content-MD5 HTTP header is required for Put Object requests with Object Lock parameters"
    ),
  ])
  func `services ask for it in several ways`(code: String, message: String) async throws {
    let store = try PlayedService.store(S3Bucket("books")) { request in
      request.headers.contains { $0.name == "content-md5" }
        ? CarriedAnswer(status: 200) : Self.said(code, message)
    }
    #expect(try await store.put("notes/a", [1], replacing: true))
  }

  @Test func `one that asks in vain is no endless request`() async throws {
    let log = RequestLog()
    let store = try PlayedService.store(S3Bucket("books"), log) { _ in Self.refusal("Object") }
    await #expect(throws: SyncError.self) {
      _ = try await store.put("notes/a", [1], replacing: true)
    }
    #expect(log.methods.count == 2)
  }

  @Test func `parts bear it too`() async throws {
    let log = RequestLog()
    let store = try PlayedService.store(S3Bucket("books"), log) { request in
      if let begun = PlayedService.upload(request) { return begun }
      if request.method == "PUT", !request.headers.contains(where: { $0.name == "content-md5" }) {
        return Self.refusal("Part")
      }
      return CarriedAnswer(status: 200, headers: [("ETag", "\"e\"")])
    }
    #expect(try await store.put("a", [UInt8](repeating: 1, count: 65 << 20), replacing: true))
    #expect(log.methods == ["POST", "PUT", "PUT", "PUT", "PUT", "PUT", "PUT", "POST"])
  }

  @Test(arguments: [
    // RFC 1321, A.5.
    ("", "d41d8cd98f00b204e9800998ecf8427e"),
    ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
    (
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
      "d174ab98d277d9f5a5611c2c9f419d9f"
    ),
    (
      String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"
    ),
  ])
  func `MD5 gives the known digests`(text: String, digest: String) {
    #expect(RequestSignature.hexadecimal(MD5.hash(Array(text.utf8))) == digest)
  }
}
