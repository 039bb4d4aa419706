public import SegmentFormat
import SyncKit
public import SyncKitHTTP
import Synchronization

/// Keeps blobs as objects of a bucket.
///
/// - A bucket that is missing is never made: it costs money, and its name is one for all the world.
/// - Each call is one request where it can be, since each costs something; ``S3Bucket/keepsConditions`` says when a
///   store takes two.
/// - A request is tried again when the service is busy or the connection breaks.
public final class S3BlobStore: BlobStore {
  /// How blobs are cut, in bytes.
  struct Sizes {
    /// Larger blobs are stored in parts.
    var largestPut = 64 << 20
    /// The size of such a part; services want 5 MiB at least.
    var part = 16 << 20
  }

  /// The bytes that are taken in of any answer.
  private static let refusalSize = 16 << 10

  /// What is learned while the store is used.
  struct State {
    /// Whether the service keeps `If-None-Match: *`; nil when that is not known.
    var keepsConditions: Bool?
    /// Whether conditions are refused, so that they are left out.
    var refusesConditions = false
    /// Whether checksums are refused, so that they are left out.
    var refusesChecksums = false
    /// Whether `Content-MD5` is asked for, so that it is sent.
    var wantsMD5 = false
    /// Contents that need not be read again.
    var memory = BlobMemory()
    /// Sentences for the next inventory.
    var notes: [String] = []
    /// Whether old versions and locks were looked for.
    var hasLooked = false
    /// Folders that were tried.
    var tried: Set<String> = []
  }

  let connection: S3Connection
  let sizes: Sizes
  let state: Mutex<State>

  /// Keeps blobs in a bucket.
  ///
  /// - Parameters:
  ///   - bucket: The bucket.
  ///   - access: How it is reached; its address is that of the bucket.
  ///   - credentials: What opens it.
  /// - Throws: ``SyncError`` `config.invalid` for an address in the clear that is not this machine.
  public convenience init(
    _ bucket: S3Bucket, access: ServerAccess, credentials: S3CredentialSource
  ) throws {
    try self.init(bucket, access: access, credentials: credentials, sizes: Sizes())
  }

  /// Keeps blobs in a bucket, and cuts them otherwise than usual.
  init(
    _ bucket: S3Bucket, access: ServerAccess, credentials: S3CredentialSource, sizes: Sizes
  ) throws {
    self.sizes = sizes
    try Self.check(bucket)
    connection = try S3Connection(bucket, access, credentials)
    state = Mutex(State(keepsConditions: bucket.keepsConditions))
  }

  /// The bucket.
  var bucket: S3Bucket { connection.bucket }

  public var location: String { bucket.location }

  /// Nothing: a bucket that is missing shows in the listing that follows, at the cost of no request.
  public func prepare(creating mayCreate: Bool) async throws {}

  public func get(_ name: String, upTo limit: Int) async throws -> [UInt8]? {
    guard limit > 0, BlobKey.isProper(name) else { return nil }
    if let known = state.withLock({ $0.memory.take(name) }), known.count <= limit { return known }
    // What the service says when it refuses has to come whole.
    let most = max(limit, Self.refusalSize)
    var request = S3Request(method: "GET", key: bucket.key(name), isCut: true, limit: most)
    // Of a blob that may be whole, all is wanted.
    if limit <= sizes.part { request.headers = [("range", "bytes=0-\(limit - 1)")] }
    let answer = try await connection.send(request)
    switch answer.status {
    case 200, 206: break
    case 404 where S3Failure.Refusal(answer).code != "NoSuchBucket": return nil
    // A range of an empty blob.
    case 416: return []
    default: throw connection.failure(answer, "read '\(name)'")
    }
    guard isWhole(answer, most) else {
      throw SyncError(
        .remoteUnread, "'\(name)' in \(location) came in part.",
        hint: "The next sync reads it again.")
    }
    guard answer.body.count < limit else { return Array(answer.body.prefix(limit)) }
    state.withLock { $0.memory.keep(name, answer.body, tag: Self.tag(of: answer)) }
    return answer.body
  }

  /// Whether the body has the length that the service says, up to the limit.
  private func isWhole(_ answer: S3Connection.Answer, _ limit: Int) -> Bool {
    guard answer.first("Content-Encoding") == nil,
      let length = answer.first("Content-Length").flatMap({ Int($0) })
    else { return true }
    return answer.body.count == min(length, limit)
  }

  /// What changes with the content, as an answer says it, without quotes.
  static func tag(of answer: S3Connection.Answer) -> String? {
    answer.first("ETag").map { $0.filter { $0 != "\"" } }
  }

  public func delete(_ name: String) async throws {
    guard BlobKey.isProper(name) else { return }
    state.withLock { $0.memory.forget(name) }
    let answer = try await connection.send(S3Request(method: "DELETE", key: bucket.key(name)))
    guard answer.isGood || answer.status == 404 && S3Failure.Refusal(answer).code != "NoSuchBucket"
    else { throw connection.failure(answer, "remove '\(name)'") }
  }

  /// Refuses storage classes from which nothing can be read at once.
  private static func check(_ bucket: S3Bucket) throws(SyncError) {
    guard let chosen = bucket.storageClass else { return }
    guard !["GLACIER", "DEEP_ARCHIVE"].contains(chosen.uppercased()) else {
      throw SyncError(
        .configInvalid,
        "The storage class '\(chosen)' is an archive, from which nothing can be read at once.",
        hint: "Set 'storage-class' to STANDARD_IA or GLACIER_IR, or remove it.")
    }
    guard chosen.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), chosen.utf8.count <= 64 else {
      throw SyncError(
        .configInvalid, "The storage class of \(bucket.location) cannot be one.",
        hint: "Correct or remove 'storage-class'.")
    }
  }
}
