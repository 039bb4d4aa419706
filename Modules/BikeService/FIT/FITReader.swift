/// Reads the messages of a FIT file one by one, without keeping them.
///
/// Files may follow one another, as the format allows; each is checked against its checksum before
/// its first message. Developer fields are skipped. Whatever the bytes, reading ends, and takes no
/// more memory than a message has.
///
/// Source: the [FIT protocol](https://developer.garmin.com/fit/protocol/).
struct FITReader {
  private struct Definition {
    var number: UInt16
    var isBigEndian: Bool
    var fields: [(number: UInt8, size: Int, type: FITBaseType?)]
    var skipped: Int
    var size: Int
  }

  private let bytes: [UInt8]
  private var offset = 0
  /// The end of the current file's messages.
  private var end = 0
  private var definitions: [Definition?] = []
  /// The base time of a compressed header, in seconds of the format.
  private var lastTime: UInt32?

  /// Takes a whole file.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether bytes begin like a FIT file.
  static func isFIT(_ bytes: some Collection<UInt8>) -> Bool {
    guard let size = bytes.first, size == 12 || size == 14, bytes.count >= 12 else { return false }
    return bytes.dropFirst(8).prefix(4).elementsEqual(".FIT".utf8)
  }

  /// Reads on to the next data message.
  ///
  /// - Returns: The message, nil after the last.
  /// - Throws: ``FITError`` with the place.
  mutating func next() throws(FITError) -> FITMessage? {
    while true {
      if offset == end {
        if offset > 0 { offset += 2 }
        guard offset < bytes.count else { return nil }
        try readFileHeader()
        if offset == end { continue }
      }
      let header = bytes[offset]
      offset += 1
      if header & 0x80 != 0 {
        let time = compressedTime(header & 0x1F)
        return try readData(local: Int(header >> 5 & 0x03), time: time)
      }
      let local = Int(header & 0x0F)
      guard header & 0x40 != 0 else { return try readData(local: local, time: nil) }
      try readDefinition(local: local, hasDeveloperFields: header & 0x20 != 0)
    }
  }

  // MARK: Parts of a file

  private mutating func readFileHeader() throws(FITError) {
    let start = offset
    guard Self.isFIT(bytes[start...]) else {
      throw fail(
        start, start == 0 ? "this is not a FIT file" : "the data after the file is not a FIT file")
    }
    let headerSize = Int(bytes[start])
    guard bytes.count - start >= headerSize + 2 else { throw fail(start, "the file is cut short") }
    let dataSize = Int(number(at: start + 4, size: 4, isBigEndian: false))
    guard bytes[start + 1] >> 4 <= 2 else {
      throw fail(start + 1, "the file uses a protocol newer than version 2")
    }
    let (dataEnd, isTooLong) = (start + headerSize).addingReportingOverflow(dataSize)
    guard !isTooLong, dataEnd <= bytes.count - 2 else {
      throw fail(
        start + 4, "the file is cut short: its header announces \(dataSize) bytes of messages")
    }
    if headerSize == 14 {
      let stated = number(at: start + 12, size: 2, isBigEndian: false)
      guard stated == 0 || stated == UInt64(FITChecksum.of(bytes[start..<start + 12])) else {
        throw fail(start + 12, "the header fails its checksum")
      }
    }
    let stated = number(at: dataEnd, size: 2, isBigEndian: false)
    guard stated == UInt64(FITChecksum.of(bytes[start..<dataEnd])) else {
      throw fail(dataEnd, "the file fails its checksum")
    }
    offset = start + headerSize
    end = dataEnd
    definitions = Array(repeating: nil, count: 16)
    lastTime = nil
  }

  private mutating func readDefinition(local: Int, hasDeveloperFields: Bool) throws(FITError) {
    let start = offset - 1
    let head = try take(5)
    let isBigEndian = bytes[head + 1] == 1
    let fieldCount = Int(bytes[head + 4])
    var definition = Definition(
      number: UInt16(
        truncatingIfNeeded: number(at: head + 2, size: 2, isBigEndian: isBigEndian)),
      isBigEndian: isBigEndian, fields: [], skipped: 0, size: 0)
    guard bytes[head + 1] <= 1 else { throw fail(head + 1, "the byte order is unknown") }
    for _ in 0..<fieldCount {
      let field = try take(3)
      let size = Int(bytes[field + 1])
      definition.fields.append(
        (bytes[field], size, FITBaseType(rawValue: bytes[field + 2])))
      definition.size += size
    }
    if hasDeveloperFields {
      let count = Int(bytes[try take(1)])
      for _ in 0..<count { definition.skipped += Int(bytes[try take(3) + 1]) }
    }
    guard definition.size + definition.skipped > 0 else {
      // Messages of no bytes could repeat without end.
      throw fail(start, "a definition has no fields")
    }
    definitions[local] = definition
  }

  private mutating func readData(local: Int, time: UInt32?) throws(FITError) -> FITMessage {
    let start = offset - 1
    guard let definition = definitions[local] else {
      throw fail(start, "a message comes before its definition")
    }
    var place = try take(definition.size + definition.skipped)
    var message = FITMessage(number: definition.number, fields: [:])
    for field in definition.fields {
      if let type = field.type {
        message.fields[field.number] = type.value(
          of: bytes[place..<place + field.size], isBigEndian: definition.isBigEndian)
      }
      place += field.size
    }
    if let time {
      message.fields[FITMessage.timestamp] = .unsigned(UInt64(time))
    } else if let whole = message.fields[FITMessage.timestamp]?.whole {
      lastTime = UInt32(exactly: whole)
    }
    return message
  }

  /// The full time for the five bits of a compressed header.
  private mutating func compressedTime(_ offset: UInt8) -> UInt32? {
    guard let last = lastTime else { return nil }
    let step = (UInt32(offset) &- last) & 0x1F
    let time = last &+ step
    lastTime = time
    return time
  }

  /// Skips some bytes and returns where they begin.
  private mutating func take(_ count: Int) throws(FITError) -> Int {
    guard end - offset >= count else { throw fail(offset, "a message is cut short") }
    defer { offset += count }
    return offset
  }

  private func number(at place: Int, size: Int, isBigEndian: Bool) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<size {
      let byte = UInt64(bytes[place + (isBigEndian ? index : size - 1 - index)])
      value = value << 8 | byte
    }
    return value
  }

  private func fail(_ offset: Int, _ message: String) -> FITError {
    FITError(offset: offset, message: message)
  }
}
