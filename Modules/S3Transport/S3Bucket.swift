public import SyncKit
public import SyncKitHTTP

/// A bucket, where in it the blobs lie, and how they are kept.
public struct S3Bucket: Hashable, Sendable {
  /// How a request names the bucket.
  public enum Style: Hashable, Sendable {
    /// In the path: `https://HOST/BUCKET/KEY`.
    case path
    /// In the host: `https://BUCKET.HOST/KEY`.
    case host
  }

  /// How the service encrypts what it keeps, besides what cloudsync itself encrypts.
  public enum Encryption: Hashable, Sendable {
    /// With keys of the service.
    case service
    /// With a key of its key management, by its id; nil for the bucket's own.
    case managed(key: String?)
  }

  /// The bucket's name.
  public let name: String
  /// What all keys begin with, without a slash at either end; empty for nothing.
  public let prefix: String
  /// The service's address; nil for AWS.
  public let endpoint: ServerAddress?
  /// The region of the bucket.
  public let region: String
  /// How a request names the bucket.
  public let style: Style
  /// Where requests go.
  public let address: ServerAddress
  /// How new blobs are stored, such as `STANDARD_IA`; nil for the usual way.
  public var storageClass: String?
  /// How the service encrypts new blobs; nil for the bucket's own setting.
  public var encryption: Encryption?
  /// Whether the service keeps `If-None-Match: *`; nil when that is not known, so that a look comes before each store.
  public var keepsConditions: Bool?

  /// The region when none is named.
  public static let usualRegion = "us-east-1"

  /// Describes a bucket.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - prefix: What all keys begin with; slashes at its ends do not count.
  ///   - endpoint: The service's address; nil for AWS.
  ///   - region: Its region.
  ///   - style: How a request names it; nil for in the host at AWS, unless the name has a dot, and in the path elsewhere.
  /// - Throws: ``SyncError`` `config.invalid` for a name, prefix or region that cannot be one.
  public init(
    _ name: String, prefix: String = "", endpoint: ServerAddress? = nil,
    region: String = Self.usualRegion, style: Style? = nil
  ) throws(SyncError) {
    guard 3...63 ~= name.utf8.count, name.utf8.allSatisfy(Self.isNameByte),
      name != "...", !name.hasPrefix("."), !name.contains("..")
    else {
      throw SyncError(
        .configInvalid, "'\(Self.shown(name))' cannot be the name of a bucket.",
        hint: "A bucket's name has 3 to 63 letters, digits, dots and hyphens.")
    }
    var text = Substring(prefix)
    while text.hasPrefix("/") { text = text.dropFirst() }
    while text.hasSuffix("/") { text = text.dropLast() }
    guard text.isEmpty || BlobKey.isProper(text), text.utf8.count <= 512 else {
      throw SyncError(
        .configInvalid, "'\(Self.shown(prefix))' cannot be the prefix of keys.",
        hint: "It may not have '..', '//' or control characters, and at most 512 bytes.")
    }
    guard 1...64 ~= region.utf8.count,
      region.utf8.allSatisfy({ Self.isNameByte($0) && $0 != UInt8(ascii: ".") })
    else {
      throw SyncError(
        .configInvalid, "'\(Self.shown(region))' cannot be a region.",
        hint: "Set 'region' to the bucket's region, such as eu-central-1.")
    }
    self.name = name
    self.prefix = String(text)
    self.endpoint = endpoint
    self.region = region
    let fitsHost = name.utf8.allSatisfy {
      $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "_")
        && !(UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0)
    }
    self.style = style ?? (endpoint == nil && fitsHost ? .host : .path)
    let service = endpoint?.text ?? "https://s3.\(region).\(Self.domain(of: region))"
    let parts = service.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    let host = self.style == .host ? "\(name).\(parts[2])" : String(parts[2])
    guard
      let address = ServerAddress(
        "\(parts[0])//\(host)\(parts.count > 3 ? "/\(parts[3])" : "")")
    else {
      throw SyncError(
        .configInvalid, "The bucket '\(name)' cannot be part of the address \(service).",
        hint: "Set 'path-style: true' for this remote.")
    }
    self.address = address
    // AWS has kept them since 2024.
    keepsConditions = endpoint == nil ? true : nil
  }

  /// The path of a key, or of the bucket itself, escaped.
  func path(_ key: String?) -> String {
    let start = address.path + (style == .path ? "/\(name)" : "")
    guard let key else { return start.isEmpty ? "/" : start }
    return "\(start)/\(S3Request.escaped(key))"
  }

  /// The key of a blob, or what the keys of a folder begin with.
  func key(_ name: String) -> String { prefix.isEmpty ? name : "\(prefix)/\(name)" }

  /// Its name in messages.
  var location: String {
    let place = endpoint.map { "\($0)/" } ?? ""
    return "'s3:\(place)\(name)\(prefix.isEmpty ? "" : "/\(prefix)")'"
  }

  /// The domain of AWS that a region belongs to.
  private static func domain(of region: String) -> String {
    region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func shown(_ text: String) -> String {
    String(text.prefix(80).filter { !$0.unicodeScalars.contains { $0.value < 0x20 } })
  }
}
