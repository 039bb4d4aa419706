import BucketAccess
import CommandFoundation
import HTTPNetwork
import S3Transport
import SyncKit
import SyncKitHTTP
import SyncKitServer

/// The bucket in which a server keeps large bodies, as options and the configuration say it.
struct ServerBucket {
  private let store: S3BlobStore
  private let from: Int

  /// Prepares; nothing is sent.
  ///
  /// - Returns: nil when no bucket is named.
  /// - Throws: ``SyncError`` `usage`, `config.invalid`.
  @MainActor init?(option: String?, from: Int?, _ context: CommandContext) throws {
    let values = try context.configuration().values.server.blobs
    guard let text = option ?? values.text("blobs") else { return nil }
    let variables = context.terminal.environment
    let environment = context.serverEnvironment
    let address = try Self.address(text)
    let profile = values.text("blobs-profile")
    let surroundings = S3Surroundings(variables: variables) {
      ServerAccess(address: $0, environment: environment, token: { nil })
    }
    let bucket = try S3Bucket(
      address.name, prefix: address.prefix, endpoint: address.endpoint,
      region: values.text("blobs-region") ?? surroundings.region(profile: profile)
        ?? S3Bucket.usualRegion)
    var access = ServerAccess(
      address: bucket.address, environment: environment,
      certificates: values.text("blobs-ca-file"), proxy: .environment(variables),
      allowsCleartext: values.flag("blobs-allow-cleartext"),
      token: { nil })
    // A device waits for the answer, and comes again when there is none.
    access.retry = RetryPolicy(tries: 2, firstPause: .milliseconds(200))
    access.connectTimeout = .seconds(3)
    access.idleTimeout = .seconds(15)
    access.answerTimeout = .seconds(60)
    store = try S3BlobStore(
      bucket, access: access,
      credentials: Self.keys(values, profile, surroundings, variables))
    self.from = from ?? values.text("blobs-from").flatMap(ConfigText.bytes) ?? ServerBlobs.usualSize
  }

  /// As the server takes it.
  var blobs: ServerBlobs { ServerBlobs(store, from: from) }

  /// Says what keeps removed bodies readable.
  func warn(_ context: CommandContext) async throws {
    for note in try await store.look().notes { context.warn(note) }
  }

  private static func address(_ text: String) throws -> BucketAddress {
    guard text.hasPrefix("s3:") else {
      throw SyncError(
        .usage, "the bucket for bodies is not written as s3://bucket/prefix",
        hint: "write s3://BUCKET/PREFIX, or s3:https://HOST/BUCKET/PREFIX for a service of your own"
      )
    }
    // It may be a secret, so it is not repeated.
    guard !text.contains("@"), !text.contains("?"), !text.contains("#") else {
      throw SyncError(
        .usage, "the address of the bucket may hold no keys and no query",
        hint:
          "give keys by AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, by a profile of ~/.aws/credentials, or by "
          + "'server.blobs-access-key' and 'server.blobs-secret-key'")
    }
    return try BucketAddress(text)
  }

  private static func keys(
    _ values: ConfigValues, _ profile: String?, _ surroundings: S3Surroundings,
    _ variables: [String: String]
  ) throws -> S3CredentialSource {
    let accessKey = values.text("blobs-access-key")
    guard (accessKey != nil) == values.says("blobs-secret-key") else {
      throw SyncError(
        .configInvalid, "'blobs-access-key' and 'blobs-secret-key' belong together",
        hint: "set both, or none to use the keys of the environment or of a profile")
    }
    return S3CredentialSource(profile: profile, surroundings: surroundings) {
      guard let accessKey,
        let secretKey = try values.readSecret("blobs-secret-key", variables: variables)
      else { return nil }
      return S3Credentials(accessKey: accessKey, secretKey: secretKey)
    }
  }
}
