import SyncKitText

/// The keys in the JSON of a program, a container or a machine.
enum CredentialAnswer {
  /// Reads the answer; nil for one that holds no keys.
  ///
  /// A program says `SessionToken` where a service says `Token`; the rest has the same names.
  static func credentials(_ bytes: [UInt8]) -> S3Credentials? {
    guard bytes.count <= 64 << 10, let answer = try? JSON(parsing: bytes),
      let accessKey = answer["AccessKeyId"]?.string, !accessKey.isEmpty,
      let secretKey = answer["SecretAccessKey"]?.string, !secretKey.isEmpty
    else { return nil }
    // A program of a newer version may mean other things by these names.
    if let version = answer["Version"], version.int != 1 { return nil }
    let expires = answer["Expiration"]?.string.map { Timestamp.parse($0) ?? 0 }
    return S3Credentials(
      accessKey: accessKey, secretKey: secretKey,
      sessionToken: answer["SessionToken"]?.string ?? answer["Token"]?.string, expires: expires)
  }
}
