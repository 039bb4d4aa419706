import SyncKitText

/// One request to a bucket, as a value that is signed and sent later.
struct S3Request: Sendable {
  /// The method.
  var method: String
  /// The object's key, with the prefix; nil for the bucket itself.
  var key: String?
  /// The query, in any order and not escaped.
  var query: [(name: String, value: String)] = []
  /// Header fields, besides those that signing adds.
  var headers: [(name: String, value: String)] = []
  /// The body.
  var body: [UInt8] = []
  /// Whether the first bytes of a longer answer are enough.
  var isCut = false
  /// The longest answer that is taken in, in bytes.
  var limit = 1 << 20

  /// The query as it is sent and signed: escaped, in the order of the escaped names.
  var canonicalQuery: String { Self.canonical(query) }

  /// A query, escaped and ordered as signing demands.
  static func canonical(_ query: [(name: String, value: String)]) -> String {
    query.map { (PercentEncoding.encode($0.name), PercentEncoding.encode($0.value)) }
      .sorted { $0.0 != $1.0 ? $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) : $0.1 < $1.1 }
      .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }

  /// A key as part of a path: escaped once, with its slashes as they are.
  static func escaped(_ key: String) -> String {
    key.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.encode($0) }
      .joined(separator: "/")
  }
}
