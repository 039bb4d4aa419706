extension ZipDirectory {
  /// The entries in the order of the directory.
  func entries(in source: any ByteSource, limits: ZipArchive.Limits) throws -> [ZipEntry] {
    guard entryCount <= limits.entries else {
      throw ArchiveError("it has \(entryCount) entries, more than \(limits.entries)")
    }
    // An entry takes 46 bytes and up to three fields of 64 KiB, but mostly a hundred.
    guard length <= max(1 << 20, limits.entries.multipliedReportingOverflow(by: 1 << 10).0) else {
      throw ArchiveError("its directory of \(length) bytes is too long")
    }
    var fields = LittleEndianFields(try source.read(at: offset, count: length)[...])
    var entries: [ZipEntry] = []
    var total = 0
    for _ in 0..<entryCount {
      let entry = try Self.entry(&fields)
      if let fault = ZipName.fault(of: entry.path) { throw ArchiveError(fault, entry: entry.path) }
      let (sum, isTooMuch) = total.addingReportingOverflow(entry.size)
      guard !isTooMuch, sum <= limits.size else {
        throw ArchiveError("it unpacks to more than \(limits.size) bytes")
      }
      total = sum
      entries.append(entry)
    }
    guard fields.rest.isEmpty else { throw ArchiveError("its directory is damaged") }
    return entries
  }

  private static func entry(_ fields: inout LittleEndianFields) throws -> ZipEntry {
    guard try fields.long() == 0x0201_4B50 else { throw ArchiveError("its directory is damaged") }
    let madeBy = try fields.word() >> 8
    _ = try fields.word()
    let flags = try fields.word()
    let method = try fields.word()
    _ = try fields.long()
    let checksum = try fields.long()
    let compressedSize = try fields.long()
    let size = try fields.long()
    let nameLength = try fields.word()
    let extraLength = try fields.word()
    let commentLength = try fields.word()
    let disk = try fields.word()
    _ = try fields.bytes(6)
    let offset = try fields.long()
    let name = try fields.bytes(nameLength)
    let extra = try ZipExtra(fields.bytes(extraLength), name: name)
    _ = try fields.bytes(commentLength)
    var large = extra.large
    // Only what does not fit above stands in the extra field, in this order.
    let realSize = try size == .max ? large.count() : Int(size)
    let realCompressedSize = try compressedSize == .max ? large.count() : Int(compressedSize)
    let realOffset = try offset == .max ? large.count() : Int(offset)
    let realDisk = try disk == 0xFFFF ? Int(large.long()) : disk
    guard realDisk == 0 else { throw ArchiveError("it is one part of a split archive") }
    var path = try extra.path ?? ZipName.decode(name, isUTF8: flags & 1 << 11 != 0)
    // Some archivers of DOS and Windows keep that system's separator.
    if madeBy == 0 || madeBy == 10 {
      path = String(path.map { $0 == "\\" ? "/" : $0 })
    }
    return ZipEntry(
      path: path, size: realSize, compressedSize: realCompressedSize, method: method,
      isEncrypted: flags & (1 | 1 << 6 | 1 << 13) != 0, checksum: checksum, rawName: Array(name),
      offset: realOffset)
  }
}

/// What the extra fields of an entry say.
private struct ZipExtra {
  /// Sizes and the offset in 64 bits.
  var large = LittleEndianFields([])
  /// The name in UTF-8, from the field of Info-ZIP.
  var path: String?

  init(_ bytes: ArraySlice<UInt8>, name: ArraySlice<UInt8>) throws {
    var fields = LittleEndianFields(bytes)
    // Some writers pad the field with a few bytes that are no record.
    while fields.rest.count >= 4 {
      let kind = try fields.word()
      let length = try fields.word()
      guard length <= fields.rest.count else { return }
      var record = LittleEndianFields(try fields.bytes(length))
      switch kind {
      case 0x0001: large = record
      case 0x7075 where length > 5:
        guard try record.byte() == 1,
          try record.long() == Deflater.checksum(name, after: 0)
        else { continue }
        path = String(validating: record.rest, as: UTF8.self)
      default: continue
      }
    }
  }
}
