import SyncCrypto
import SyncKitText
import Testing

@testable import S3Transport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The examples of the S3 API reference, "Signature Calculations for the Authorization Header".
@Suite struct PublishedSignatures {
  private let signature = RequestSignature(
    credentials: S3Credentials(
      accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
    region: "us-east-1")

  private func sign(
    _ method: String, _ path: String, query: [(name: String, value: String)] = [],
    headers: [(name: String, value: String)] = [], body: String = ""
  ) throws -> String {
    let subject = RequestSignature.Subject(
      method: method, host: "examplebucket.s3.amazonaws.com", path: path,
      query: S3Request.canonical(query), headers: headers, bodyHash: SHA256.hash(Array(body.utf8)))
    let time = try #require(Timestamp.parse("2013-05-24T00:00:00Z"))
    let added = signature.headers(for: subject, at: time)
    let value = try #require(added.first { $0.name == "Authorization" }?.value)
    return String(value.suffix(64))
  }

  @Test func `get an object with a range`() throws {
    #expect(
      try sign("GET", "/test.txt", headers: [("Range", "bytes=0-9")])
        == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
  }

  @Test func `put an object`() throws {
    #expect(
      try sign(
        "PUT", "/" + S3Request.escaped("test$file.text"),
        headers: [
          ("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
        ], body: "Welcome to Amazon S3.")
        == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
  }

  @Test func `get the lifecycle of a bucket`() throws {
    #expect(
      try sign("GET", "/", query: [("lifecycle", "")])
        == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
  }

  @Test func `list objects`() throws {
    #expect(
      try sign("GET", "/", query: [("prefix", "J"), ("max-keys", "2")])
        == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
  }
}

/// What Tools/s3_signatures.py has signed with botocore, another implementation.
@Suite struct SignaturesOfBotocore {
  @Test func `made-up requests are signed alike`() throws {
    let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    let url = URL(filePath: "/\(tests)/Corpora/s3/signatures.json")
    let vectors = try JSON(parsing: Array(try Data(contentsOf: url)))["vectors"]?.array ?? []
    try #require(vectors.count >= 100)
    for vector in vectors {
      func text(_ name: String) throws -> String { try #require(vector[name]?.string) }
      func pairs(_ name: String) -> [(name: String, value: String)] {
        (vector[name]?.array ?? []).map { ($0[0]?.string ?? "", $0[1]?.string ?? "") }
      }
      let signature = RequestSignature(
        credentials: S3Credentials(
          accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
          sessionToken: vector["token"]?.string), region: try text("region"))
      let key = try text("key")
      let subject = RequestSignature.Subject(
        method: try text("method"), host: try text("host"),
        path: "/bucket/" + S3Request.escaped(key), query: S3Request.canonical(pairs("query")),
        headers: pairs("headers"), bodyHash: SHA256.hash(Array(try text("body").utf8)))
      let time = try #require(vector["time"]?.int)
      let added = signature.headers(for: subject, at: time)
      func value(_ name: String) -> String? { added.first { $0.name == name }?.value }
      #expect(value("x-amz-date") == (try text("date")), "\(key)")
      #expect(value("x-amz-content-sha256") == (try text("sha256")), "\(key)")
      // Botocore puts a space behind each comma, and both are right.
      let expected = try text("authorization").replacing(", ", with: ",")
      #expect(value("Authorization") == expected, "\(key)")
    }
  }
}
