import SegmentFormat
import SyncKit
import SyncKitHTTP
import Synchronization

/// What a look at a bucket has found out.
public struct S3BucketFindings: Hashable, Sendable {
  /// Whether a removed object stays as an old version; nil when the keys may not know.
  public var keepsVersions: Bool?
  /// Whether objects are locked for a time; nil when the keys may not know.
  public var locksObjects: Bool?

  /// Says what was found.
  public init(keepsVersions: Bool? = nil, locksObjects: Bool? = nil) {
    self.keepsVersions = keepsVersions
    self.locksObjects = locksObjects
  }

  /// What a person should know, each as a sentence.
  public var notes: [String] {
    var notes: [String] = []
    if keepsVersions == true {
      notes.append(
        "The bucket keeps old versions: what cloudsync removes stays there and costs money until a lifecycle rule "
          + "ends it.")
    }
    if locksObjects == true {
      notes.append(
        "The bucket locks objects: what cloudsync removes or withdraws stays readable until the lock ends."
      )
    }
    return notes
  }
}

extension S3BlobStore {
  /// The clock of the service by its last answer, at no cost.
  public func survey() async throws -> RemoteSurvey { RemoteSurvey(clock: connection.clock) }

  /// Looks whether the bucket keeps old versions or locks objects; two requests.
  ///
  /// - Returns: What was found; a question that is refused stays open.
  /// - Throws: ``SyncError`` when there is no answer.
  public func look() async throws -> S3BucketFindings {
    let versions = try await connection.send(S3Request(method: "GET", query: [("versioning", "")]))
    let lock = try await connection.send(S3Request(method: "GET", query: [("object-lock", "")]))
    var findings = S3BucketFindings()
    let fields = AnswerFields(versions.body)
    // AWS calls it by the first name, others by the second.
    if versions.isGood,
      ["VersioningConfiguration", "GetBucketVersioningResponse"].contains(fields.root)
    {
      findings.keepsVersions = fields["Status"] == "Enabled"
    }
    let settings = AnswerFields(lock.body)
    if lock.isGood, settings.root == "ObjectLockConfiguration" {
      findings.locksObjects = settings["ObjectLockEnabled"] == "Enabled"
    } else if settings["Code"] == "ObjectLockConfigurationNotFoundError" {
      findings.locksObjects = false
    }
    return findings
  }

  /// Stores an object that no device reads and removes it again.
  ///
  /// That shows whether conditions are kept; once, it also looks for old versions and locks. What a person should know is
  /// a note of the next inventory.
  ///
  /// What can be stored in a domain's folder can be stored below it, as a bucket has no folders; so each domain is
  /// tried once. Of the bytes at most 64 KiB are sent: a bucket is full for all of them or for none.
  public func tryPutting(_ count: Int, in folder: String) async throws {
    guard folder.isEmpty || BlobKey.isProper(folder) else {
      throw SyncError(.bug, "'\(folder)' cannot be the name of a folder.")
    }
    guard count > 0, let top = folder.split(separator: "/").first.map(String.init),
      state.withLock({ $0.tried.insert(top).inserted })
    else { return }
    if state.withLock({ !$0.hasLooked }) {
      let findings = try await look()
      state.withLock { ($0.hasLooked, $0.notes) = (true, $0.notes + findings.notes) }
    }
    let name = "\(top)/.cloudsync-trial.tmp"
    let bytes = [UInt8](repeating: 0, count: min(count, 64 << 10))
    do {
      _ = try await put(name, bytes, replacing: true)
      if state.withLock({ $0.keepsConditions == nil && !$0.refusesConditions }) {
        try await learnConditions(name)
      }
    } catch {
      state.withLock { _ = $0.tried.remove(top) }
      throw error
    }
    try await delete(name)
  }

  /// Stores over an object that is there, which must fail where conditions are kept.
  private func learnConditions(_ name: String) async throws {
    let answer = try await connection.send(
      S3Request(
        method: "PUT", key: bucket.key(name),
        headers: storing + [("if-none-match", "*")] + proof(of: [0], hasChecksum: checks),
        body: [0]))
    let isKept = answer.status == 412
    guard isKept || answer.isGood || answer.status == 501 || answer.status == 400 else { return }
    state.withLock { state in
      state.keepsConditions = isKept
      guard isKept else { return }
      state.notes.append(
        "This service honours If-None-Match: set 'conditional: true' for this remote to save one request for each "
          + "change.")
    }
  }
}
