public import SegmentFormat

/// Where a server keeps large bodies of segments instead of its database, such as a bucket of an S3 service.
public struct ServerBlobs: Sendable {
  /// From that many bytes on a body is large, if nothing else is said: 64 KiB.
  public static let usualSize = 64 << 10

  /// What keeps them.
  public var store: any BlobStore
  /// From that many bytes on a body is kept there.
  public var from: Int

  /// Describes a place for bodies of `from` bytes and more.
  public init(_ store: any BlobStore, from: Int = Self.usualSize) {
    self.store = store
    self.from = from
  }
}
