/// Reads the messages of a FIT file one by one, without keeping them.
///
/// Files may follow one another, as the format allows. Developer fields are skipped. Whatever the bytes,
/// reading ends, and takes no more memory than a message has.
///
/// A file that is cut short, fails its checksum or has a message that cannot be is read as far as it is
/// whole, and ``damage`` says what is wrong; the next file that follows it is read as well. A file that was
/// never closed says that it has no messages, and is read to its end.
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
  /// The end of the current file with its checksum.
  private var fileEnd = 0
  private var fileNumber = 0
  private var definitions: [Definition?] = []
  /// The base time of a compressed header, in seconds of the format.
  private var lastTime: UInt32?
  /// What is wrong with the files, each at most once.
  private(set) var damage: [FITError] = []
  /// The number of bytes behind the last file that are none.
  private(set) var extraCount = 0

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
  /// - Throws: ``FITError`` with the place when the bytes do not begin as a FIT file, or as one of a
  ///   version that is not known.
  mutating func next() throws(FITError) -> FITMessage? {
    while true {
      if offset >= end {
        offset = fileEnd
        guard offset < bytes.count else { return nil }
        guard fileNumber == 0 || Self.isFIT(bytes[offset...]) else {
          extraCount = bytes.count - offset
          offset = bytes.count
          fileEnd = offset
          end = offset
          return nil
        }
        try readFileHeader()
        if offset >= end { continue }
      }
      do throws(FITError) {
        if let message = try readMessage() { return message }
      } catch {
        // What follows in this file has lost its place.
        note(error)
        offset = end
      }
    }
  }

  /// Reads a message; nil for a definition.
  private mutating func readMessage() throws(FITError) -> FITMessage? {
    let header = bytes[offset]
    offset += 1
    if header & 0x80 != 0 {
      let time = compressedTime(header & 0x1F)
      return try readData(local: Int(header >> 5 & 0x03), time: time)
    }
    let local = Int(header & 0x0F)
    guard header & 0x40 != 0 else { return try readData(local: local, time: nil) }
    try readDefinition(local: local, hasDeveloperFields: header & 0x20 != 0)
    return nil
  }

  /// Keeps one fault of each file.
  private mutating func note(_ error: FITError) {
    if noted != fileNumber { damage.append(error) }
    noted = fileNumber
  }

  private var noted = 0

  // MARK: Parts of a file

  private mutating func readFileHeader() throws(FITError) {
    let start = offset
    guard Self.isFIT(bytes[start...]) else { throw fail(start, "this is not a FIT file") }
    let headerSize = Int(bytes[start])
    fileNumber += 1
    guard bytes[start + 1] >> 4 <= 2 else {
      let error = fail(start + 1, "the file uses a protocol newer than version 2")
      guard fileNumber > 1 else { throw error }
      note(error)
      (offset, end, fileEnd) = (bytes.count, bytes.count, bytes.count)
      return
    }
    definitions = Array(repeating: nil, count: 16)
    lastTime = nil
    offset = min(start + headerSize, bytes.count)
    let stated = Int(number(at: start + 4, size: 4, isBigEndian: false))
    let room = bytes.count - offset
    if stated == 0, room > 2 {
      note(fail(start + 4, "the file was never closed"))
      (end, fileEnd) = (bytes.count, bytes.count)
      return
    }
    guard stated <= room - 2 else {
      note(
        fail(
          start + 4, "the file is cut short: its header announces \(stated) bytes of messages"))
      (end, fileEnd) = (min(offset + stated, bytes.count), bytes.count)
      return
    }
    (end, fileEnd) = (offset + stated, offset + stated + 2)
    if headerSize == 14 {
      let sum = number(at: start + 12, size: 2, isBigEndian: false)
      if sum != 0, sum != UInt64(FITChecksum.of(bytes[start..<start + 12])) {
        note(fail(start + 12, "the header fails its checksum"))
      }
    }
    let sum = number(at: end, size: 2, isBigEndian: false)
    if sum != UInt64(FITChecksum.of(bytes[start..<end])) {
      note(fail(end, "the file fails its checksum"))
    }
  }

  private mutating func readDefinition(local: Int, hasDeveloperFields: Bool) throws(FITError) {
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
    definitions[local] = definition
  }

  private mutating func readData(local: Int, time: UInt32?) throws(FITError) -> FITMessage {
    let start = offset - 1
    guard let definition = definitions[local] else {
      throw fail(start, "a message comes before its definition")
    }
    var place = try take(definition.size + definition.skipped)
    var message = FITMessage(number: definition.number, fileNumber: fileNumber, fields: [:])
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
