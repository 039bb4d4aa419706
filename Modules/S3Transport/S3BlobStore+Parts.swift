import SyncKit
import SyncKitHTTP

extension S3BlobStore {
  /// Stores a large blob in parts, which the service puts together.
  ///
  /// Whatever happens before the end, the parts are taken away again as far as the service can be reached.
  ///
  /// - Returns: Whether the bytes were stored.
  /// - Throws: ``SyncError`` as ``put(_:_:replacing:)``.
  func putParts(_ name: String, _ bytes: [UInt8], replacing: Bool) async throws -> Bool {
    let (upload, hasChecksums) = try await begin(name)
    do {
      var parts: [UploadedPart] = []
      for start in stride(from: 0, to: bytes.count, by: sizes.part) {
        let part = Array(bytes[start..<min(start + sizes.part, bytes.count)])
        parts.append(
          try await send(part, number: parts.count + 1, of: name, upload, hasChecksums))
      }
      let isStored = try await finish(name, upload, parts, replacing: replacing)
      if !isStored { await abort(name, upload) }
      return isStored
    } catch {
      await abort(name, upload)
      throw error
    }
  }

  /// A part that the service has.
  private struct UploadedPart {
    /// What the service calls its content.
    var tag: String
    /// The base64 of its SHA-256; nil when checksums are left out.
    var checksum: String?
  }

  private func begin(_ name: String) async throws -> (upload: String, hasChecksums: Bool) {
    var tries = 0
    while true {
      tries += 1
      let hasChecksums = checks
      let answer = try await connection.send(
        S3Request(
          method: "POST", key: bucket.key(name), query: [("uploads", "")],
          headers: storing + (hasChecksums ? [("x-amz-checksum-algorithm", "SHA256")] : [])))
      let what = "store '\(name)'"
      guard try await outcome(answer, tries, what, hasCondition: false) == .stored else { continue }
      let fields = AnswerFields(answer.body)
      // Services disagree on the name of the root.
      guard let upload = fields["UploadId"], !upload.isEmpty else {
        throw connection.nonsense("it does not begin an upload")
      }
      return (upload, hasChecksums)
    }
  }

  private func send(
    _ part: [UInt8], number: Int, of name: String, _ upload: String, _ hasChecksums: Bool
  ) async throws -> UploadedPart {
    var request = S3Request(
      method: "PUT", key: bucket.key(name),
      query: [("partNumber", "\(number)"), ("uploadId", upload)], body: part)
    request.headers = proof(of: part, hasChecksum: hasChecksums)
    var answer = try await connection.send(request)
    if answer.status == 400, asksForMD5(S3Failure.Refusal(answer)) {
      request.headers = proof(of: part, hasChecksum: hasChecksums)
      answer = try await connection.send(request)
    }
    guard answer.isGood else { throw connection.failure(answer, "store '\(name)'") }
    guard let tag = Self.tag(of: answer), !tag.isEmpty else {
      throw connection.nonsense("it does not say what it has stored")
    }
    let checksum = request.headers.first { $0.name == "x-amz-checksum-sha256" }
    return UploadedPart(tag: tag, checksum: checksum?.value)
  }

  private func finish(
    _ name: String, _ upload: String, _ parts: [UploadedPart], replacing: Bool
  ) async throws -> Bool {
    let items = parts.enumerated().map { index, part in
      "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(Self.escaped("\"\(part.tag)\""))</ETag>"
        + (part.checksum.map { "<ChecksumSHA256>\($0)</ChecksumSHA256>" } ?? "") + "</Part>"
    }
    let body = "<CompleteMultipartUpload>\(items.joined())</CompleteMultipartUpload>"
    var tries = 0
    while true {
      tries += 1
      var answer = try await connection.send(
        S3Request(
          method: "POST", key: bucket.key(name), query: [("uploadId", upload)],
          headers: condition(replacing), body: Array(body.utf8)))
      // This request is answered with 200 before it is known whether it succeeds.
      let refusal = S3Failure.Refusal(answer)
      if answer.isGood, !refusal.code.isEmpty {
        answer.status =
          switch refusal.code {
          case "PreconditionFailed": 412
          case "ConditionalRequestConflict": 409
          case "NotImplemented": 501
          default: 500
          }
      }
      let what = "store '\(name)'"
      switch try await outcome(answer, tries, what, hasCondition: !replacing) {
      case .stored: return true
      case .taken: return false
      case .again: continue
      }
    }
  }

  /// Takes the parts away; an error would hide the one that led here.
  private func abort(_ name: String, _ upload: String) async {
    // A cancelled task sends nothing more, so another one does it.
    await Task {
      _ = try? await connection.send(
        S3Request(method: "DELETE", key: bucket.key(name), query: [("uploadId", upload)]))
    }.value
  }

  /// A text as part of XML.
  private static func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      default: String(character)
      }
    }.joined()
  }
}
