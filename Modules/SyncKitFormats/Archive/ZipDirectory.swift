/// The directory at the end of a ZIP archive.
///
/// Source: [APPNOTE.TXT](https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT) 6.3.10, sections
/// 4.3.12 to 4.3.16.
struct ZipDirectory {
  /// Where the directory lies and how many entries it has.
  private(set) var entryCount: Int
  private(set) var length: Int
  private(set) var offset: Int

  private static let endLength = 22
  private static let locatorLength = 20

  /// Finds the directory by the record that ends the archive.
  init(in source: any ByteSource) throws {
    let tail = try source.read(
      at: max(0, source.count - Self.endLength - 0xFFFF),
      count: min(source.count, Self.endLength + 0xFFFF))
    guard let start = Self.startOfEnd(in: tail) else {
      throw ArchiveError("it is not a ZIP archive, or it is cut off")
    }
    var fields = LittleEndianFields(tail[(start + 4)...])
    let disk = try fields.word()
    let firstDisk = try fields.word()
    _ = try fields.word()
    entryCount = try fields.word()
    length = Int(try fields.long())
    offset = Int(try fields.long())
    var end = source.count - tail.count + start
    var isOnOneDisk = disk == firstDisk && (disk == 0 || disk == 0xFFFF)
    if end >= Self.locatorLength {
      let locator = try source.read(at: end - Self.locatorLength, count: Self.locatorLength)
      var fields = LittleEndianFields(locator[...])
      if try fields.long() == 0x0706_4B50 {
        _ = try fields.long()
        end = try readLargeEnd(at: try fields.count(), before: end, of: source)
        isOnOneDisk = try fields.long() <= 1
      }
    }
    guard isOnOneDisk else { throw ArchiveError("it is one part of a split archive") }
    guard offset <= end, length <= end - offset else {
      throw ArchiveError("its directory is damaged")
    }
  }

  /// The last record whose comment reaches exactly to the end.
  private static func startOfEnd(in tail: [UInt8]) -> Int? {
    guard tail.count >= endLength else { return nil }
    return (0...tail.count - endLength).reversed().first { start in
      guard tail[start] == 0x50, tail[start + 1] == 0x4B, tail[start + 2] == 0x05 else {
        return false
      }
      let comment = Int(tail[start + 20]) | Int(tail[start + 21]) << 8
      return tail[start + 3] == 0x06 && start + endLength + comment == tail.count
    }
  }

  /// Reads the record of 64 bits and gives its position, before which the directory has to end.
  private mutating func readLargeEnd(
    at start: Int, before end: Int, of source: any ByteSource
  ) throws -> Int {
    let size = 56
    guard start <= end - Self.locatorLength, size <= end - Self.locatorLength - start else {
      throw ArchiveError("its directory is damaged")
    }
    var fields = LittleEndianFields(try source.read(at: start, count: size)[...])
    guard try fields.long() == 0x0606_4B50 else { throw ArchiveError("its directory is damaged") }
    // The record's length, two versions, two disks, and the entries on this disk.
    _ = try fields.bytes(28)
    entryCount = try fields.count()
    length = try fields.count()
    offset = try fields.count()
    return start
  }
}
