/// What opens a bucket.
public struct S3Credentials: Hashable, Sendable {
  /// The name of the key, which is no secret.
  public var accessKey: String
  /// The secret.
  public var secretKey: String
  /// What goes with keys that end by themselves; nil for others.
  public var sessionToken: String?
  /// When they end, in milliseconds since 1970; nil for those that do not.
  public var expires: Int64?

  /// Names them.
  public init(
    accessKey: String, secretKey: String, sessionToken: String? = nil, expires: Int64? = nil
  ) {
    self.accessKey = accessKey
    self.secretKey = secretKey
    self.sessionToken = sessionToken
    self.expires = expires
  }
}

extension S3Credentials: CustomStringConvertible {
  /// Without the secrets.
  public var description: String { "the access key \(accessKey)" }
}
