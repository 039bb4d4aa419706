public import SyncKitFormats

/// A file that may contain rides, with its path as the user knows it.
public struct RideFile: Sendable {
  /// The path in the folder or archive.
  public let path: String
  /// Reads the whole file.
  ///
  /// - Throws: The error of reading.
  public let contents: @Sendable () throws -> [UInt8]

  /// Makes a file.
  public init(path: String, contents: @escaping @Sendable () throws -> [UInt8]) {
    self.path = path
    self.contents = contents
  }

  /// The files of an archive.
  ///
  /// - Throws: ``SyncKitFormats/ArchiveError`` when it is not an archive, or one that is refused.
  public static func files(in source: any ByteSource) throws -> [RideFile] {
    let archive = try ZipArchive(source)
    return archive.entries.filter { !$0.isFolder }.map { entry in
      RideFile(path: entry.path) { try archive.contents(of: entry, limit: largest) }
    }
  }

  /// The maximum size of an unpacked file: 1 GiB.
  public static let largest = 1 << 30

  /// The name without folders.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}
