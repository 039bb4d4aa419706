import SyncCrypto
import SyncKit
import SyncKitHTTP

/// Signs requests to a bucket and sends them.
final class S3Connection: Sendable {
  /// The answer of the service.
  typealias Answer = FileServiceConnection.Answer

  /// The bucket.
  let bucket: S3Bucket
  private let credentials: S3CredentialSource
  private let connection: FileServiceConnection

  /// Prepares; nothing is sent.
  ///
  /// - Throws: ``SyncError`` `config.invalid` for an address in the clear that is not this machine.
  init(_ bucket: S3Bucket, _ access: ServerAccess, _ credentials: S3CredentialSource) throws {
    self.bucket = bucket
    self.credentials = credentials
    var access = access
    access.address = bucket.address
    connection = try FileServiceConnection(
      access, whenRefused: "Check the access key, the secret key and what the keys may do.")
  }

  /// The clock of the service, by its last answer; nil when it says none.
  var clock: RemoteClock? { connection.clock }

  /// The time of this device.
  private var now: Int64 { connection.access.environment.now() }

  /// Sends a request; one more time when the keys have ended meanwhile.
  ///
  /// - Returns: The answer, whatever its status.
  /// - Throws: ``SyncError`` when there is no answer, or when there are no keys.
  func send(_ request: S3Request) async throws -> Answer {
    let answer = try await sendOnce(request)
    guard answer.status == 400 || answer.status == 403,
      ["ExpiredToken", "TokenRefreshRequired"].contains(S3Failure.Refusal(answer).code)
    else { return answer }
    await credentials.forget()
    return try await sendOnce(request)
  }

  private func sendOnce(_ request: S3Request) async throws -> Answer {
    let signature = RequestSignature(
      credentials: try await credentials.current(at: now), region: bucket.region)
    let address = bucket.address
    let (path, query) = (bucket.path(request.key), request.canonicalQuery)
    let subject = RequestSignature.Subject(
      method: request.method,
      host: address.origin.split(separator: "/").last.map(String.init) ?? "",
      path: path, query: query, headers: request.headers, bodyHash: SHA256.hash(request.body))
    let target = query.isEmpty ? path : "\(path)?\(query)"
    return try await connection.answer(upTo: request.limit, isCut: request.isCut) {
      // Each try has a time of its own, and with it a signature.
      CarriedRequest(
        method: request.method, path: target,
        headers: request.headers + signature.headers(for: subject, at: now), body: request.body,
        timeout: connection.access.answerTimeout)
    }
  }

  /// Waits before another try.
  func pause(afterTry number: Int) async throws -> Bool {
    let access = connection.access
    guard
      let pause = access.retry.pause(
        afterTry: number, asked: nil, random: access.environment.random())
    else { return false }
    try await access.wait(pause)
    return true
  }

  /// The error that an answer is.
  ///
  /// - Parameters:
  ///   - answer: An answer that is not good.
  ///   - what: What was to be done, such as `store 'a'`.
  /// - Returns: The error.
  func failure(_ answer: Answer, _ what: String) -> SyncError {
    if let error = S3Failure(bucket: bucket, now: now).error(answer, what) { return error }
    let refusal = S3Failure.Refusal(answer)
    let said = [refusal.code, refusal.message ?? ""].filter { !$0.isEmpty }
    return connection.failure(
      answer, what, said: said.isEmpty ? nil : said.joined(separator: ": "))
  }

  /// The error for an answer that is good and makes no sense.
  func nonsense(_ what: String) -> SyncError {
    SyncError(
      .remoteForeign, "What answers at \(bucket.address) is not a service for buckets: \(what).",
      hint: "Check 'endpoint', and whether the network requires a sign-in in a browser first.")
  }
}
