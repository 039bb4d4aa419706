/// Reads a ZIP archive, entry by entry, from bytes that need not be in memory.
///
/// ```swift
/// let archive = try ZipArchive(MemoryBytes(bytes))
/// for entry in archive.entries where entry.path.hasSuffix(".csv") {
///   let text = try archive.contents(of: entry, limit: 1 << 24)
/// }
/// ```
///
/// Entries may be stored or deflated, with or without data descriptors, and as large as 64 bits say.
/// Sizes and checksums are compared. An archive that could be a bomb or a trap is refused as a whole:
/// entries that overlap, paths that are absolute or lead outside, more entries or a larger sum of sizes
/// than the limits. Encrypted entries and other methods of compression are refused when they are read.
///
/// Source: [APPNOTE.TXT](https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT) 6.3.10.
public struct ZipArchive: Sendable {
  /// How large an archive may be.
  public struct Limits: Sendable {
    /// How many entries it may have.
    public var entries: Int
    /// How many bytes all entries may unpack to together.
    public var size: Int

    /// Sets limits; unless told otherwise 200 000 entries and 64 GiB.
    public init(entries: Int = 200_000, size: Int = 64 << 30) {
      self.entries = entries
      self.size = size
    }
  }

  /// What is in the archive, in the order of its directory.
  public let entries: [ZipEntry]

  private let source: any ByteSource
  /// For every entry that begins there, where the next one does.
  private let ends: [Int: Int]

  /// Reads the directory of an archive.
  ///
  /// - Throws: ``ArchiveError`` when it is not an archive, or one that is refused; and what the source throws.
  public init(_ source: any ByteSource, limits: Limits = Limits()) throws {
    let directory = try ZipDirectory(in: source)
    let entries = try directory.entries(in: source, limits: limits)
    self.ends = try Self.ends(of: entries, before: directory.offset)
    self.entries = entries
    self.source = source
  }

  /// Whether bytes begin as a ZIP archive does that has an entry or is empty.
  public static func isZip(_ bytes: some Sequence<UInt8>) -> Bool {
    let head = Array(bytes.prefix(4))
    return head == [0x50, 0x4B, 0x03, 0x04] || head == [0x50, 0x4B, 0x05, 0x06]
  }

  /// The entry of a path; the last one when several have it, as unpacking them all would leave that.
  public subscript(path: String) -> ZipEntry? {
    entries.last { ExactText($0.path) == ExactText(path) }
  }

  /// Unpacks a whole entry.
  ///
  /// - Throws: ``ArchiveError`` when it is larger than `limit`, damaged, encrypted, or packed by an
  ///   unknown method; and what the source throws.
  public func contents(of entry: ZipEntry, limit: Int) throws -> [UInt8] {
    guard entry.size <= limit else {
      throw ArchiveError("it unpacks to more than \(limit) bytes", entry: entry.path)
    }
    var contents: [UInt8] = []
    // The size is only a claim; memory is taken as bytes come.
    contents.reserveCapacity(min(entry.size, 1 << 20))
    try forEachChunk(of: entry) { contents.append(contentsOf: $0) }
    return contents
  }

  /// Unpacks an entry in chunks of up to 64 KiB.
  ///
  /// The checksum is known at the end only: what was given out must be thrown away when this throws.
  ///
  /// - Throws: ``ArchiveError`` when it is damaged, encrypted, or packed by an unknown method; what the
  ///   source throws; and what `body` throws.
  public func forEachChunk(
    of entry: ZipEntry, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    do {
      try ZipEntryReader(entry, source: source, end: ends[entry.offset] ?? 0).read(body)
    } catch let error as ArchiveError where error.entry == nil {
      throw ArchiveError(error.message, entry: entry.path)
    }
  }

  private static func ends(of entries: [ZipEntry], before directory: Int) throws -> [Int: Int] {
    var ends: [Int: Int] = [:]
    var end = directory
    for entry in entries.sorted(by: { $0.offset > $1.offset }) {
      let head = ZipEntryReader.headLength + entry.rawName.count
      guard entry.offset <= end, head <= end - entry.offset,
        entry.compressedSize <= end - entry.offset - head
      else { throw ArchiveError("it overlaps what comes after it", entry: entry.path) }
      ends[entry.offset] = end
      end = entry.offset
    }
    return ends
  }
}
