#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A real service for buckets above a folder, on loopback, that checks signatures and the time: rclone.
///
/// It does not keep conditions, and there are folders beneath it.
public struct RcloneS3: Sendable {
  /// The access key.
  public static let accessKey = "AKIACLOUDSYNCTESTSAB"
  /// The secret key, with what has to be escaped in many places.
  public static let secretKey = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLE=="

  /// Where it listens.
  public let address: String
  /// The folder of the buckets.
  public let folder: String
  /// The program.
  public let process: PlaceProcess

  /// Starts one with two empty buckets, named as those of ``MotoServer``.
  ///
  /// - Throws: ``PlaceFailure`` when it does not start.
  public init() throws {
    let base = try placeFolder()
    folder = "\(base)/buckets"
    mkdir(folder, 0o777)
    for bucket in [MotoServer.bucket, MotoServer.otherBucket] {
      mkdir("\(folder)/\(bucket)", 0o777)
    }
    let port = try PlaceProcess.freePort()
    address = "http://127.0.0.1:\(port)"
    process = try PlaceProcess(
      [
        try peer("rclone"), "serve", "s3", "--addr", "127.0.0.1:\(port)", "--auth-key",
        "\(Self.accessKey),\(Self.secretKey)", "--config", "\(base)/rclone.conf",
        folder,
      ], listeningOn: port, in: base)
  }
}
