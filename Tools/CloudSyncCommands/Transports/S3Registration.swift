import BucketAccess
import CommandFoundation
import CurlNetwork
import S3Transport
import SyncKit
import SyncKitHTTP

/// A bucket of a service that speaks S3.
enum S3Registration: TransportRegistration {
  static let scheme = "s3"
  static let isShared = true
  static let about = """
    A bucket of AWS, Backblaze B2, Cloudflare R2, Wasabi, MinIO, Ceph, Garage and others that speak S3.
    """

  static var address: RemoteAddress {
    RemoteAddress(
      schemes: ["s3"], form: "s3:[https://HOST/]BUCKET[/PREFIX]",
      read: { text, _ throws(SyncError) in try read(text) },
      show: { values in
        let place = values.text("endpoint").map { "\($0)/" } ?? ""
        let prefix = values.text("prefix").map { "/\($0)" } ?? ""
        return "s3:\(place)\(values.text("bucket") ?? "")\(prefix)"
      })
  }

  static var tables: PlugInTables {
    PlugInTables(
      keys: [
        ConfigKey("bucket", .text, "The bucket", required: true),
        ConfigKey("prefix", .text, "What the keys of all objects begin with"),
        ConfigKey("endpoint", .url, "The service's address; AWS if unset"),
        ConfigKey(
          "region", .text, "The bucket's region; from the profile if unset, else us-east-1"),
        ConfigKey(
          "path-style", .flag, "Whether requests name the bucket in the path; true with endpoint"),
        ConfigKey("access-key", .text, "The access key, which is no secret"),
        ConfigKey("secret-key", .secret(orText: false), "The secret key"),
        ConfigKey("session-token", .secret(orText: false), "The session token of keys that expire"),
        ConfigKey("profile", .text, "The profile of the AWS tools whose keys to use"),
        ConfigKey("storage-class", .text, "The storage class of new objects, such as STANDARD_IA"),
        ConfigKey(
          "server-side-encryption", .text,
          "How the service encrypts new objects: AES256, aws:kms or aws:kms:KEY"),
        ConfigKey(
          "conditional", .flag, "Whether the service honours If-None-Match; true at AWS if unset"),
      ] + ConfigKey.network,
      errors: PlugInTables.networkErrors)
  }

  static func open(
    _ remote: RemoteSettings, _ context: TransportContext
  ) throws -> any Transport {
    let values = remote.values
    let environment = context.environment
    let surroundings = S3Surroundings(variables: context.variables) {
      ServerAccess(curl: $0, environment: environment)
    }
    let profile = values.text("profile")
    let credentials = try credentials(remote.name, values, context, profile, surroundings)
    let bucket = try bucket(values) { try surroundings.region(profile: profile) }
    let access = ServerAccess(bucket.address, remote.configured, context)
    return try S3Transport(bucket, access: access, credentials: credentials)
  }

  static func question(_ values: ConfigValues) -> SecretQuestion? {
    guard let accessKey = values.text("access-key"), !values.says("secret-key") else { return nil }
    return SecretQuestion(
      "Secret key that belongs to \(accessKey)", place: "\(address.show(values)) \(accessKey)")
  }

  /// The bucket as the configuration has it.
  private static func bucket(
    _ values: ConfigValues, usualRegion: () throws -> String?
  ) throws -> S3Bucket {
    var endpoint: ServerAddress?
    if let text = values.text("endpoint") {
      guard let address = ServerAddress(text) else {
        throw SyncError(
          .configInvalid, "'\(Sanitized.line(text))' is not the address of a service",
          hint: "write https://HOST, without a user, a query or a fragment")
      }
      endpoint = address
    }
    let style: S3Bucket.Style? =
      values.says("path-style") ? (values.flag("path-style") ? .path : .host) : nil
    var bucket = try S3Bucket(
      values.text("bucket") ?? "", prefix: values.text("prefix") ?? "", endpoint: endpoint,
      region: values.text("region") ?? usualRegion() ?? S3Bucket.usualRegion, style: style)
    bucket.storageClass = values.text("storage-class")
    if values.says("conditional") { bucket.keepsConditions = values.flag("conditional") }
    if let text = values.text("server-side-encryption") {
      bucket.encryption = try encryption(text)
    }
    return bucket
  }

  /// Reads `AES256`, `aws:kms` and `aws:kms:KEY`.
  private static func encryption(_ text: String) throws(SyncError) -> S3Bucket.Encryption {
    if text.uppercased() == "AES256" { return .service }
    if text == "aws:kms" { return .managed(key: nil) }
    if text.hasPrefix("aws:kms:"), text.utf8.count > "aws:kms:".utf8.count {
      return .managed(key: String(text.dropFirst("aws:kms:".count)))
    }
    throw SyncError(
      .configInvalid, "'\(Sanitized.line(text))' is not a kind of encryption",
      hint: "write AES256, aws:kms or aws:kms:KEY as 'server-side-encryption'")
  }

  /// The keys of the configuration, or where else to look for some.
  private static func credentials(
    _ name: String, _ values: ConfigValues, _ context: TransportContext, _ profile: String?,
    _ surroundings: S3Surroundings
  ) throws(SyncError) -> S3CredentialSource {
    let accessKey = values.text("access-key")
    guard accessKey != nil || !values.says("secret-key") else {
      throw SyncError(
        .configInvalid, "'access-key' and 'secret-key' of a remote belong together",
        hint: "set both, or none to use the keys of the environment or of a profile")
    }
    return S3CredentialSource(profile: profile, surroundings: surroundings) {
      guard let accessKey else { return nil }
      let secretKey =
        try values.readSecret("secret-key", variables: context.variables)
        ?? context.answer(to: question(values), of: name)
      guard let secretKey else {
        throw SyncError(
          .remoteSignedOut, "This device has no secret key for '\(name)'.",
          hint:
            "Run 'cloudsync remote add \(name) \(address.show(values)) --set access-key=\(accessKey)' on a terminal, "
            + "which asks for it, or name its file with --set secret-key.file=PATH.")
      }
      return S3Credentials(
        accessKey: accessKey, secretKey: secretKey,
        sessionToken: try values.readSecret("session-token", variables: context.variables))
    }
  }

  /// Reads `s3:BUCKET/PREFIX`, also with `//` before the bucket, and `s3:https://HOST/BUCKET/PREFIX`.
  private static func read(_ text: String) throws(SyncError) -> ConfigValues {
    let address = try BucketAddress(text)
    var values = ["bucket": address.name]
    values["endpoint"] = address.endpoint?.text
    if !address.prefix.isEmpty { values["prefix"] = address.prefix }
    return ConfigValues(values)
  }
}
