#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A real service for buckets on loopback that checks signatures and keeps conditions: moto.
///
/// It keeps everything in memory.
public struct MotoServer: Sendable {
  /// The bucket that is there from the start.
  public static let bucket = "cloudsync-tests"
  /// Another one.
  public static let otherBucket = "cloudsync-tests-2"
  /// A bucket that keeps old versions and locks objects.
  public static let lockedBucket = "cloudsync-locked"
  /// A bucket in the region `eu-west-1`.
  public static let distantBucket = "cloudsync-distant"

  /// Where it listens.
  public let address: String
  /// The access key of a user who may do everything.
  public let accessKey: String
  /// The user's secret key.
  public let secretKey: String
  /// The program.
  public let process: PlaceProcess

  /// Starts one, with a user and buckets.
  ///
  /// - Throws: ``PlaceFailure`` when it does not start.
  public init() throws {
    let folder = try placeFolder()
    let port = try PlaceProcess.freePort()
    address = "http://127.0.0.1:\(port)"
    // The calls that make the user are the only ones that need no key.
    process = try PlaceProcess(
      [try peer("moto_server"), "-H", "127.0.0.1", "-p", "\(port)"], listeningOn: port, in: folder,
      variables: ["INITIAL_NO_AUTH_ACTION_COUNT": "3"])
    let setup = try PlaceProcess(
      [try peer("python"), "-u", "-c", Self.setup, address], in: folder)
    for _ in 0..<1_200 {
      let words = setup.output.split(whereSeparator: \.isWhitespace)
      if let start = words.firstIndex(of: "keys"), words.count >= start + 4, words.last == "made" {
        (accessKey, secretKey) = (String(words[start + 1]), String(words[start + 2]))
        return
      }
      guard !setup.output.contains("Traceback") else { break }
      usleep(50_000)
    }
    process.stop()
    throw PlaceFailure("moto made no user:\n\(setup.output)")
  }

  private static let setup = """
    import json, sys, boto3
    def client(service, key="none", secret="none"):
        return boto3.client(service, endpoint_url=sys.argv[1], region_name="us-east-1",
            aws_access_key_id=key, aws_secret_access_key=secret)
    iam = client("iam")
    iam.create_user(UserName="anna")
    everything = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
    iam.put_user_policy(UserName="anna", PolicyName="all", PolicyDocument=json.dumps(everything))
    key = iam.create_access_key(UserName="anna")["AccessKey"]
    s3 = client("s3", key["AccessKeyId"], key["SecretAccessKey"])
    s3.create_bucket(Bucket="\(bucket)")
    s3.create_bucket(Bucket="\(otherBucket)")
    s3.create_bucket(Bucket="\(lockedBucket)", ObjectLockEnabledForBucket=True)
    s3.create_bucket(Bucket="\(distantBucket)", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    print("keys", key["AccessKeyId"], key["SecretAccessKey"], "made")
    """
}
