import SegmentFormat
import SyncCrypto
import SyncKit
import SyncKitHTTP
import SyncKitText
import Synchronization

extension S3BlobStore {
  public func put(_ name: String, _ bytes: [UInt8], replacing: Bool) async throws -> Bool {
    guard BlobKey.isProper(name), BlobKey.isProper(bucket.key(name)) else {
      throw SyncError(.bug, "'\(name)' cannot be the name of a blob.")
    }
    if !replacing, !keepsConditions, try await has(name) { return false }
    state.withLock { $0.memory.forget(name) }
    if bytes.count > sizes.largestPut {
      return try await putParts(name, bytes, replacing: replacing)
    }
    var request = S3Request(method: "PUT", key: bucket.key(name), body: bytes)
    var tries = 0
    while true {
      tries += 1
      request.headers = storing + condition(replacing) + proof(of: bytes, hasChecksum: checks)
      let answer = try await connection.send(request)
      switch try await outcome(answer, tries, "store '\(name)'", hasCondition: !replacing) {
      case .stored:
        state.withLock { $0.memory.keep(name, bytes, tag: Self.tag(of: answer)) }
        return true
      case .taken: return false
      case .again: continue
      }
    }
  }

  /// What became of a store.
  enum Outcome {
    /// It is there.
    case stored
    /// Something bears the name already.
    case taken
    /// It is to be tried once more, perhaps with fewer header fields.
    case again
  }

  /// Judges the answer to a store.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - tries: How often it was sent.
  ///   - what: What was to be done.
  ///   - hasCondition: Whether nothing was to be replaced.
  /// - Returns: What became of it.
  /// - Throws: ``SyncError`` for a refusal that another try does not change.
  func outcome(
    _ answer: S3Connection.Answer, _ tries: Int, _ what: String, hasCondition: Bool
  ) async throws -> Outcome {
    if answer.isGood { return .stored }
    let refusal = S3Failure.Refusal(answer)
    switch answer.status {
    case 412 where hasCondition:
      state.withLock { $0.keepsConditions = true }
      return .taken
    // Two writers of one name at the same time.
    case 409
    where refusal.code == "ConditionalRequestConflict" || refusal.code == "OperationAborted":
      if try await connection.pause(afterTry: tries) { return .again }
    case 400 where asksForMD5(refusal): return .again
    case 501, 400:
      if leaveOut(answer.status, refusal, hasCondition) { return .again }
    default: break
    }
    throw connection.failure(answer, what)
  }

  /// Sends `Content-MD5` from now on where the service asks for it; false when it refuses something else.
  ///
  /// A bucket that locks objects takes none without a proof of its bytes, and some services know this one alone.
  func asksForMD5(_ refusal: S3Failure.Refusal) -> Bool {
    let message = (refusal.message ?? "").lowercased()
    let isAsked =
      refusal.code == "MissingContentMD5"
      || message.contains("content-md5")
        && (message.contains("required") || message.contains("missing"))
    return state.withLock { state in
      guard isAsked, !state.wantsMD5 else { return false }
      state.wantsMD5 = true
      return true
    }
  }

  /// Leaves out what the service does not know from now on; false when it refuses something else.
  private func leaveOut(_ status: Int, _ refusal: S3Failure.Refusal, _ hasCondition: Bool) -> Bool {
    let message = (refusal.message ?? "").lowercased()
    // A bucket that locks objects may ask for one.
    let wantsMore = message.contains("required") || message.contains("missing")
    let namesChecksum =
      !wantsMore && (message.contains("checksum") || message.contains("x-amz-sdk"))
    let namesCondition =
      message.contains("if-none-match") || message.contains("precondition")
      || message.contains("conditional")
    return state.withLock { state in
      if !state.refusesChecksums, namesChecksum || status == 501 && !namesCondition {
        state.refusesChecksums = true
        return true
      }
      if hasCondition, !state.refusesConditions, namesCondition || status == 501 {
        (state.refusesConditions, state.keepsConditions) = (true, false)
        return true
      }
      return false
    }
  }

  /// Whether the service is known to replace nothing where it is asked not to.
  private var keepsConditions: Bool { state.withLock { $0.keepsConditions == true } }

  /// Whether checksums are sent.
  var checks: Bool { state.withLock { !$0.refusesChecksums } }

  /// The header fields by which the service finds out whether the bytes came over whole.
  func proof(of bytes: [UInt8], hasChecksum: Bool) -> [(name: String, value: String)] {
    var headers: [(name: String, value: String)] = []
    if hasChecksum {
      headers.append(("x-amz-checksum-sha256", Base64.encode(SHA256.hash(bytes))))
    }
    if state.withLock({ $0.wantsMD5 }) {
      headers.append(("content-md5", Base64.encode(MD5.hash(bytes))))
    }
    return headers
  }

  /// The header field that keeps an upload from overwriting an object.
  func condition(_ replacing: Bool) -> [(name: String, value: String)] {
    replacing || state.withLock({ $0.refusesConditions }) ? [] : [("if-none-match", "*")]
  }

  /// The header fields that say how a blob is to be kept.
  var storing: [(name: String, value: String)] {
    var headers: [(name: String, value: String)] = []
    if let storageClass = bucket.storageClass {
      headers.append(("x-amz-storage-class", storageClass))
    }
    switch bucket.encryption {
    case .service: headers.append(("x-amz-server-side-encryption", "AES256"))
    case .managed(let key):
      headers.append(("x-amz-server-side-encryption", "aws:kms"))
      if let key { headers.append(("x-amz-server-side-encryption-aws-kms-key-id", key)) }
    case nil: break
    }
    return headers
  }

  /// Whether something bears a name.
  private func has(_ name: String) async throws -> Bool {
    let answer = try await connection.send(
      S3Request(method: "HEAD", key: bucket.key(name), isCut: true))
    guard answer.status != 404 else { return false }
    guard answer.isGood else { throw connection.failure(answer, "look for '\(name)'") }
    return true
  }
}
