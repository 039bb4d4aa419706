import CommandFoundation
internal import S3Transport
package import SyncKit
package import SyncKitHTTP

/// A bucket as a person writes it: `s3:BUCKET/PREFIX`, also with `//` before the bucket, and
/// `s3:https://HOST/BUCKET/PREFIX`.
package struct BucketAddress: Hashable, Sendable {
  /// The service; nil for AWS.
  package var endpoint: ServerAddress?
  /// The bucket's name.
  package var name: String
  /// What all keys begin with, without slashes at its ends; empty for nothing.
  package var prefix: String

  /// Reads an address.
  ///
  /// - Throws: ``SyncError`` `usage` for a text that is none.
  package init(_ text: String) throws(SyncError) {
    var rest = text.drop { $0 != ":" }.dropFirst()
    if let mark = rest.firstRange(of: "://") {
      let slash = rest[mark.upperBound...].firstIndex(of: "/") ?? rest.endIndex
      guard let endpoint = ServerAddress(rest[..<slash]) else { throw Self.unreadable(text) }
      self.endpoint = endpoint
      rest = rest[slash...].drop { $0 == "/" }
    } else if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
    }
    let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first, !name.isEmpty else { throw Self.unreadable(text) }
    do {
      let bucket = try S3Bucket(String(name), prefix: parts.count > 1 ? String(parts[1]) : "")
      (self.name, prefix) = (bucket.name, bucket.prefix)
    } catch {
      throw SyncError(.usage, error.message, hint: error.hint)
    }
  }

  private static func unreadable(_ text: String) -> SyncError {
    SyncError(
      .usage, "'\(Sanitized.line(text))' names no bucket",
      hint: "write s3:BUCKET or s3:https://HOST/BUCKET, with /PREFIX behind it if you like")
  }
}
