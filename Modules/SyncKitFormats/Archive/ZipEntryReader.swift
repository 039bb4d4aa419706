/// Unpacks one entry of a ZIP archive and compares it with what the directory says.
struct ZipEntryReader {
  /// The head of an entry without its name and extra fields.
  static let headLength = 30

  private let entry: ZipEntry
  private let source: any ByteSource
  /// Where the next entry begins.
  private let end: Int

  init(_ entry: ZipEntry, source: any ByteSource, end: Int) {
    self.entry = entry
    self.source = source
    self.end = end
  }

  func read(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
    guard !entry.isEncrypted else {
      throw ArchiveError("it is encrypted; unpack it with its password")
    }
    let start = try startOfContent()
    var size = 0
    var checksum: UInt32 = 0
    func give(_ chunk: ArraySlice<UInt8>) throws {
      guard chunk.count <= entry.size - size else {
        throw ArchiveError("it is larger than the directory says")
      }
      size += chunk.count
      checksum = Deflater.checksum(chunk, after: checksum)
      try body(chunk)
    }
    switch entry.method {
    case 0: try forEachRawChunk(from: start) { try give($0) }
    case 8: try inflate(from: start) { try give($0) }
    default:
      throw ArchiveError(
        "it is packed by method \(entry.method), which is not supported; pack it with deflate")
    }
    guard size == entry.size else {
      throw ArchiveError("it is smaller than the directory says")
    }
    guard checksum == entry.checksum else { throw ArchiveError("its checksum does not match") }
  }

  private func startOfContent() throws -> Int {
    guard entry.offset <= end, Self.headLength <= end - entry.offset else {
      throw ArchiveError("its header is damaged")
    }
    let head = try source.read(at: entry.offset, count: Self.headLength)
    var fields = LittleEndianFields(head[...])
    guard try fields.long() == 0x0403_4B50 else { throw ArchiveError("its header is damaged") }
    _ = try fields.word()
    let flags = try fields.word()
    let method = try fields.word()
    // Time, checksum and sizes; these are 0 where a data descriptor follows, so the directory counts.
    _ = try fields.bytes(16)
    let nameLength = try fields.word()
    let extraLength = try fields.word()
    guard flags & 1 == 0, method == entry.method, nameLength == entry.rawName.count else {
      throw ArchiveError("its header and the directory differ")
    }
    let start = entry.offset + Self.headLength + nameLength + extraLength
    guard start <= end, entry.compressedSize <= end - start else {
      throw ArchiveError("it overlaps what comes after it")
    }
    guard
      try source.read(at: entry.offset + Self.headLength, count: nameLength) == entry.rawName
    else { throw ArchiveError("its header and the directory differ") }
    return start
  }

  private func forEachRawChunk(
    from start: Int, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    var offset = start
    let end = start + entry.compressedSize
    while offset < end {
      let chunk = try source.read(at: offset, count: min(Inflater.pieceLength, end - offset))
      guard !chunk.isEmpty else { throw ArchiveError("it ends too early") }
      try body(chunk[...])
      offset += chunk.count
    }
  }

  private func inflate(from start: Int, _ body: (ArraySlice<UInt8>) throws -> Void) throws {
    let inflater = try Inflater(.raw)
    try forEachRawChunk(from: start) { chunk in
      guard try inflater.feed(chunk, body) == chunk.count else {
        throw ArchiveError("there are other bytes after its end")
      }
    }
    guard inflater.isFinished else { throw ArchiveError("it ends too early") }
  }
}
