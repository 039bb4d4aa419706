import SegmentFormat
import SyncKit
import SyncKitHTTP
import SyncKitText

/// What a refusal of the service means for a person.
struct S3Failure {
  /// The bucket.
  let bucket: S3Bucket
  /// The time of this device, in milliseconds since 1970.
  let now: Int64

  /// What the service says in an answer that is not good.
  struct Refusal {
    /// Its word for it, such as `NoSuchKey`; empty when it says none.
    var code: String
    /// Its sentence; nil when it says none.
    var message: String?
    /// The region it names.
    var region: String?

    /// Reads an answer.
    init(_ answer: FileServiceConnection.Answer) {
      let fields = AnswerFields(answer.body)
      let isError = fields.root == "Error"
      code = isError ? fields["Code"] ?? "" : ""
      message = isError ? fields["Message"] : nil
      let named = answer.first("x-amz-bucket-region") ?? (isError ? fields["Region"] : nil)
      // It becomes part of a sentence and of a suggestion.
      region = named.flatMap { text in
        text.utf8.count <= 64
          && text.utf8.allSatisfy {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0
              || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
              || $0 == UInt8(ascii: "-")
          } ? text : nil
      }
    }
  }

  /// The error for an answer, where this module knows more than the connection; nil for others.
  ///
  /// - Parameters:
  ///   - answer: An answer that is not good.
  ///   - what: What was to be done, such as `store 'a'`.
  /// - Returns: The error.
  func error(_ answer: FileServiceConnection.Answer, _ what: String) -> SyncError? {
    let refusal = Refusal(answer)
    let cause =
      "it answers \(answer.status)"
      + (refusal.code.isEmpty
        ? "" : " \(FileServiceConnection.words(String(refusal.code.prefix(60))))")
      + (refusal.message.map { ": \(FileServiceConnection.words($0))" } ?? "")
    return elsewhere(answer, refusal, cause) ?? refused(answer, refusal, what, cause)
      ?? missing(answer, refusal, cause) ?? full(refusal, what, cause)
  }

  /// The bucket is in another region, or at another address.
  private func elsewhere(
    _ answer: FileServiceConnection.Answer, _ refusal: Refusal, _ cause: String
  ) -> SyncError? {
    let codes = [
      "PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed", "InvalidRegionName",
    ]
    let isRedirect = 300..<400 ~= answer.status
    guard
      codes.contains(refusal.code)
        || isRedirect && (answer.first("x-amz-bucket-region") != nil || refusal.code != "")
        || refusal.code == "IllegalLocationConstraintException"
        || answer.status == 400 && refusal.code.isEmpty && refusal.region != nil
    else { return nil }
    if let region = refusal.region, region != bucket.region {
      return SyncError(
        .configInvalid,
        "The bucket \(bucket.location) is in the region '\(region)', not in '\(bucket.region)'.",
        hint: "Set 'region: \(region)' for this remote.", cause: cause)
    }
    return SyncError(
      .configInvalid, "The bucket \(bucket.location) is not at \(bucket.address).",
      hint:
        "Set 'region' and 'endpoint' of this remote to those that the service shows for the bucket.",
      cause: cause)
  }

  /// The keys or the clock are wrong, or the keys may not do this.
  private func refused(
    _ answer: FileServiceConnection.Answer, _ refusal: Refusal, _ what: String, _ cause: String
  ) -> SyncError? {
    let place = "\(bucket.address)"
    if answer.status == 400 || answer.status == 403,
      refusal.code == "AccessDenied" || refusal.code == "SignatureDoesNotMatch", isSkewed(answer)
    {
      return wrongClock(answer, cause)
    }
    switch refusal.code {
    case "SignatureDoesNotMatch":
      return SyncError(
        .remoteDenied, "The secret key is not the one that \(place) knows for the access key.",
        hint: "Copy both keys again; a secret key has no spaces and no line breaks."
          + (bucket.endpoint == nil
            ? "" : " Check 'region', too: some services say the same of a wrong one."),
        cause: cause)
    case "InvalidAccessKeyId", "InvalidAccessKey":
      return SyncError(
        .remoteDenied, "\(place) does not know the access key.",
        hint: "Copy the key again, or make a new one, and check that it is for this service.",
        cause: cause)
    case "ExpiredToken", "TokenRefreshRequired", "InvalidToken":
      return SyncError(
        .remoteDenied, "The session of the keys for \(place) is over.",
        hint: "Sign in again, or use keys that do not expire.", cause: cause)
    case "RequestTimeTooSkewed", "RequestExpired": return wrongClock(answer, cause)
    case "AccessDenied" where what.hasPrefix("remove"):
      return SyncError(
        .remoteDenied, "The keys may not \(what) in \(bucket.location).",
        hint:
          "Allow s3:DeleteObject. A bucket with object lock may refuse removals until the lock ends: use one without.",
        cause: cause)
    case "InvalidObjectState":
      return SyncError(
        .remoteDenied,
        "\(bucket.location) has moved objects to an archive, which cannot be read at once.",
        hint: "Take the rule that moves them from the bucket's lifecycle, and restore the objects.",
        cause: cause)
    case "AccessDenied", "AllAccessDisabled", "AccountProblem", "UnauthorizedAccess", "NotEntitled":
      return SyncError(
        .remoteDenied, "The keys may not \(what) in \(bucket.location).",
        hint:
          "They need s3:ListBucket, s3:GetObject, s3:PutObject and s3:DeleteObject for the bucket and its "
          + "objects, and the bucket may not refuse them.", cause: cause)
    default: return nil
    }
  }

  /// Whether the clocks are so far apart that no signature holds: a quarter of an hour.
  private func isSkewed(_ answer: FileServiceConnection.Answer) -> Bool {
    answer.time.map { abs(now - $0) > 900_000 } ?? false
  }

  /// The error for clocks that are too far apart.
  private func wrongClock(_ answer: FileServiceConnection.Answer, _ cause: String) -> SyncError {
    let apart =
      answer.time.map { ClockWords.sentence(lead: now - $0, of: "\(bucket.address)") }
      ?? "The clock of this device is wrong"
    return SyncError(
      .remoteClock, "\(apart), and the service refuses that.",
      hint: "Set the clock of this device: \(ClockWords.remedy).", cause: cause)
  }

  /// There is no such bucket.
  private func missing(
    _ answer: FileServiceConnection.Answer, _ refusal: Refusal, _ cause: String
  ) -> SyncError? {
    guard refusal.code == "NoSuchBucket" else { return nil }
    let option = bucket.endpoint.map { " --endpoint-url \($0)" } ?? ""
    return SyncError(
      .remoteUnavailable, "There is no bucket '\(bucket.name)' at \(bucket.address).",
      hint:
        "Check its name and the region. cloudsync makes no buckets: make one in the console of the service, "
        + "or with 'aws s3 mb s3://\(bucket.name)\(option)'.", cause: cause)
  }

  /// There is no room, or the blob is not as the service wants it.
  private func full(_ refusal: Refusal, _ what: String, _ cause: String) -> SyncError? {
    switch refusal.code {
    case "QuotaExceeded", "QuotaExceededException", "StorageQuotaExceeded", "XMinioStorageFull",
      "XMinioAdminBucketQuotaExceeded", "ServiceQuotaExceeded":
      return SyncError(
        .remoteQuota, "There is no room left in \(bucket.location).",
        hint: "Your data stay here. Make room there, or ask for more.", cause: cause)
    case "EntityTooLarge":
      return SyncError(
        .remoteTooLarge, "Something is larger than \(bucket.address) accepts.",
        hint: "Ask its operator for a higher limit of uploads.", cause: cause)
    case "InvalidStorageClass":
      return SyncError(
        .configInvalid, "\(bucket.address) has no storage class '\(bucket.storageClass ?? "")'.",
        hint: "Correct or remove 'storage-class' of this remote.", cause: cause)
    case "SlowDown", "TooManyRequests", "RequestLimitExceeded", "ThrottlingException", "Throttling":
      return SyncError(
        .remoteRateLimited, "\(bucket.address) asks this device to wait.",
        hint: "The next sync goes on where this one stopped.", cause: cause)
    case let code where code.hasPrefix("KMS."):
      return SyncError(
        .remoteDenied, "\(bucket.address) could not use the key for its encryption to \(what).",
        hint:
          "Check 'server-side-encryption', and that the keys may use kms:GenerateDataKey and kms:Decrypt.",
        cause: cause)
    default: return nil
    }
  }
}
