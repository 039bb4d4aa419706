/// Writes a ZIP archive that ``ZipArchive`` and every other reader understands.
///
/// ```swift
/// var writer = ZipWriter()
/// try writer.add("ratings.csv", bytes)
/// let archive = try writer.finish()
/// ```
///
/// Names are UTF-8, and every entry is dated 1980-01-01, so that the same content gives the same
/// archive wherever it is made. An archive has less than 4 GiB and at most 65 534 entries.
public struct ZipWriter: Sendable {
  private var output: [UInt8] = []
  private var directory: [UInt8] = []
  private var entryCount = 0

  /// Begins an archive.
  public init() {}

  /// Adds a file; a path that ends with `/` adds a folder.
  ///
  /// - Parameters:
  ///   - path: A path relative to the archive, with `/` between names.
  ///   - bytes: The content.
  ///   - isCompressed: Whether to deflate it; it is stored as it is when that is not shorter.
  /// - Throws: ``ArchiveError`` when the path may not be used or the archive would become too large; then nothing
  ///   was added.
  public mutating func add(_ path: String, _ bytes: [UInt8], isCompressed: Bool = true) throws {
    let name = Array(path.utf8)
    if let fault = ZipName.fault(of: path) { throw ArchiveError(fault, entry: path) }
    guard name.count < 0xFFFF else { throw ArchiveError("the path is too long", entry: path) }
    var packed = bytes
    if isCompressed, !bytes.isEmpty {
      packed = try Deflater.pack(bytes, windowBits: Deflater.raw)
      if packed.count >= bytes.count { packed = bytes }
    }
    let added = packed.count + 2 * name.count + 256
    guard entryCount < 65_534, bytes.count < 1 << 32,
      output.count + directory.count + added < 1 << 32
    else { throw ArchiveError("the archive would become too large", entry: path) }

    let isDeflated = packed.count < bytes.count
    var head: [UInt8] = []
    head.append(20, bytes: 2)
    head.append(1 << 11, bytes: 2)
    head.append(isDeflated ? 8 : 0, bytes: 2)
    // Midnight, and the first day that the format can say.
    head.append(0, bytes: 2)
    head.append(1 << 5 | 1, bytes: 2)
    head.append(Int(Deflater.checksum(bytes[...], after: 0)), bytes: 4)
    head.append(packed.count, bytes: 4)
    head.append(bytes.count, bytes: 4)
    head.append(name.count, bytes: 2)
    head.append(0, bytes: 2)

    directory.append(0x0201_4B50, bytes: 4)
    directory.append(20, bytes: 2)
    directory += head
    // No comment, disk 0, no attributes.
    directory.append(0, bytes: 10)
    directory.append(output.count, bytes: 4)
    directory += name

    output.append(0x0403_4B50, bytes: 4)
    output += head
    output += name
    output += packed
    entryCount += 1
  }

  /// Ends the archive and gives it out.
  public consuming func finish() -> [UInt8] {
    let start = output.count
    output += directory
    output.append(0x0605_4B50, bytes: 4)
    output.append(0, bytes: 4)
    output.append(entryCount, bytes: 2)
    output.append(entryCount, bytes: 2)
    output.append(directory.count, bytes: 4)
    output.append(start, bytes: 4)
    output.append(0, bytes: 2)
    return output
  }
}

extension [UInt8] {
  /// Appends a number, the least byte first.
  fileprivate mutating func append(_ number: Int, bytes count: Int) {
    for index in 0..<count {
      append(index < 8 ? UInt8(truncatingIfNeeded: number >> (8 * index)) : 0)
    }
  }
}
