import SyncCrypto
import SyncKitText

/// Signs requests as the service expects them: Signature Version 4, with the rules of S3.
///
/// The path is escaped once and never normalised, and the hash of the body is a header field.
///
/// Source: [Authenticating requests](https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
struct RequestSignature: Sendable {
  /// Who signs.
  var credentials: S3Credentials
  /// The region of the bucket.
  var region: String
  /// The service; `s3` for buckets.
  var service = "s3"

  /// What is signed.
  struct Subject: Sendable {
    /// The method.
    var method: String
    /// The host as the field `Host` has it, with a port that is not the usual one.
    var host: String
    /// The path, escaped already.
    var path: String
    /// The query as ``S3Request/canonical(_:)`` makes it.
    var query: String
    /// The header fields to be signed, besides the host.
    var headers: [(name: String, value: String)]
    /// The SHA-256 of the body.
    var bodyHash: [UInt8]
  }

  /// The header fields that make a request a signed one.
  ///
  /// - Parameters:
  ///   - subject: The request.
  ///   - time: When it is sent, in milliseconds since 1970.
  /// - Returns: `x-amz-content-sha256`, `x-amz-date`, `x-amz-security-token` if there is one, and `Authorization`.
  func headers(for subject: Subject, at time: Int64) -> [(name: String, value: String)] {
    let moment = Self.stamp(time)
    let bodyHash = Self.hexadecimal(subject.bodyHash)
    var added = [
      (name: "x-amz-content-sha256", value: bodyHash), (name: "x-amz-date", value: moment),
    ]
    if let token = credentials.sessionToken { added.append(("x-amz-security-token", token)) }
    let fields = Self.canonical(subject.headers + added + [("host", subject.host)])
    let names = fields.map(\.name).joined(separator: ";")
    let request =
      [subject.method, subject.path.isEmpty ? "/" : subject.path, subject.query].joined(
        separator: "\n")
      + "\n" + fields.map { "\($0.name):\($0.value)\n" }.joined() + "\n\(names)\n\(bodyHash)"
    let day = String(moment.prefix(8))
    let scope = "\(day)/\(region)/\(service)/aws4_request"
    let digest = Self.hexadecimal(SHA256.hash(Array(request.utf8)))
    let text = "AWS4-HMAC-SHA256\n\(moment)\n\(scope)\n\(digest)"
    let signature = Self.hexadecimal(MessageCode.of(Array(text.utf8), key: key(day)))
    added.append(
      (
        "Authorization",
        "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope),SignedHeaders=\(names),"
          + "Signature=\(signature)"
      ))
    return added
  }

  /// The key for a day.
  private func key(_ day: String) -> [UInt8] {
    [day, region, service, "aws4_request"].reduce(Array("AWS4\(credentials.secretKey)".utf8)) {
      MessageCode.of(Array($1.utf8), key: $0)
    }
  }

  /// Header fields by name, in lower case and in order, without needless white space.
  private static func canonical(
    _ headers: [(name: String, value: String)]
  ) -> [(name: String, value: String)] {
    var values: [String: [String]] = [:]
    for (name, value) in headers {
      let words = value.split(whereSeparator: { $0 == " " || $0 == "\t" })
      values[name.lowercased(), default: []].append(words.joined(separator: " "))
    }
    return values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.joined(separator: ",")) }
  }

  /// A time as `20130524T000000Z`.
  static func stamp(_ milliseconds: Int64) -> String {
    let text = Timestamp.format(milliseconds: milliseconds)
    return text.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
  }

  /// Bytes in hexadecimal digits of lower case.
  static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
