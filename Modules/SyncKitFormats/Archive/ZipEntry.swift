/// A file or a folder in a ``ZipArchive``.
public struct ZipEntry: Sendable, Equatable {
  /// Its path, with `/` between names and never leading out of where the archive is unpacked.
  public let path: String

  /// How many bytes it unpacks to.
  public let size: Int

  /// How many bytes it takes in the archive.
  public let compressedSize: Int

  /// Whether it is a folder; those end with `/` and have no content.
  public var isFolder: Bool { path.utf8.last == UInt8(ascii: "/") }

  let method: Int
  /// Whether it can only be unpacked with a password, which no reader here does.
  public let isEncrypted: Bool
  let checksum: UInt32
  /// The name as it is written, which the entry's own head has to repeat.
  let rawName: [UInt8]
  /// Where its head begins.
  let offset: Int
}
