/// The text of a file as UTF-8, whatever encoding the program that wrote it chose.
///
/// A byte order mark decides. Without one, valid UTF-8 is UTF-8; bytes of zero at every other place
/// are UTF-16, as spreadsheets call "Unicode text"; anything else is read as Windows-1252, of which
/// Latin-1 is a part, if the result looks like words. Nothing is guessed beyond that: a text in another
/// encoding, or in two at once, is refused rather than read as something it does not say.
public struct DecodedText: Sendable {
  /// An encoding that is recognised.
  public enum Encoding: String, CaseIterable, Sendable {
    /// UTF-8.
    case utf8 = "UTF-8"
    /// UTF-16, the lower byte first.
    case utf16LittleEndian = "UTF-16LE"
    /// UTF-16, the higher byte first.
    case utf16BigEndian = "UTF-16BE"
    /// UTF-32, the lowest byte first.
    case utf32LittleEndian = "UTF-32LE"
    /// UTF-32, the highest byte first.
    case utf32BigEndian = "UTF-32BE"
    /// Windows-1252, also for what calls itself Latin 1.
    case windows1252 = "Windows-1252"
  }

  /// The text, without a byte order mark.
  public let utf8: [UInt8]
  /// The encoding of the file.
  public let encoding: Encoding

  /// Decodes a whole file.
  ///
  /// - Throws: ``DecodedTextError`` when the encoding cannot be told.
  public init(_ bytes: [UInt8]) throws(DecodedTextError) {
    (encoding, utf8) = try Self.decode(bytes)
  }

  private static func decode(
    _ bytes: [UInt8]
  ) throws(DecodedTextError) -> (Encoding, [UInt8]) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, try utf8(Array(bytes[3...]))) }
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) {
      return (.utf32LittleEndian, try utf32(bytes[4...], isBig: false))
    }
    if bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
      return (.utf32BigEndian, try utf32(bytes[4...], isBig: true))
    }
    if bytes.starts(with: [0xFF, 0xFE]) {
      return (.utf16LittleEndian, try utf16(bytes[2...], isBig: false))
    }
    if bytes.starts(with: [0xFE, 0xFF]) {
      return (.utf16BigEndian, try utf16(bytes[2...], isBig: true))
    }
    switch ZeroBytes(bytes) {
    case .none: break
    case .odd: return (.utf16LittleEndian, try utf16(bytes[...], isBig: false))
    case .even: return (.utf16BigEndian, try utf16(bytes[...], isBig: true))
    case .elsewhere: throw DecodedTextError(line: 1, message: "the file is not a text")
    }
    let survey = ByteSurvey(bytes)
    guard let line = survey.firstInvalidLine else { return (.utf8, bytes) }
    if survey.multibyteCount > survey.invalidCount {
      throw DecodedTextError(line: line, message: "most of the text is UTF-8, but this line is not")
    }
    guard Windows1252.isPlausible(bytes) else {
      throw DecodedTextError(
        line: line, message: "the text is neither UTF-8 nor UTF-16, and no words in Windows-1252")
    }
    return (.windows1252, Windows1252.utf8(bytes))
  }

  private static func utf8(_ bytes: [UInt8]) throws(DecodedTextError) -> [UInt8] {
    guard let line = ByteSurvey(bytes).firstInvalidLine else { return bytes }
    throw DecodedTextError(line: line, message: "not valid UTF-8, which the file says it is")
  }

  private static func utf16(
    _ bytes: ArraySlice<UInt8>, isBig: Bool
  ) throws(DecodedTextError) -> [UInt8] {
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { place in
      let pair = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isBig ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0
    }
    guard bytes.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
      throw DecodedTextError(line: 1, message: "not valid UTF-16; the file may be cut off")
    }
    return Array(text.utf8)
  }

  private static func utf32(
    _ bytes: ArraySlice<UInt8>, isBig: Bool
  ) throws(DecodedTextError) -> [UInt8] {
    var units: [UInt32] = []
    for place in stride(from: bytes.startIndex, to: bytes.endIndex - 3, by: 4) {
      let four = bytes[place..<place + 4]
      units.append((isBig ? Array(four) : four.reversed()).reduce(0) { $0 << 8 | UInt32($1) })
    }
    guard bytes.count.isMultiple(of: 4), let text = String(validating: units, as: UTF32.self) else {
      throw DecodedTextError(line: 1, message: "not valid UTF-32; the file may be cut off")
    }
    return Array(text.utf8)
  }
}

/// Why the text of a file cannot be read.
public struct DecodedTextError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The line, from 1, of the first byte that does not fit.
  public var line: Int
  /// What is wrong, in words, without a full stop.
  public var message: String

  public var description: String { "line \(line): \(message)" }

  /// What a person can do about a file among others.
  public static let hint =
    "convert it to UTF-8 first, such as with: iconv -f WINDOWS-1251 -t UTF-8 FILE > NEW"
  /// What a person can do about a file that is imported by itself.
  public static let importHint = "say how it is encoded, such as with --encoding windows-1251"
}

/// Where bytes of zero stand at the beginning of a text, which has none in UTF-8.
private enum ZeroBytes {
  case none, odd, even, elsewhere

  init(_ bytes: [UInt8]) {
    var counts = [0, 0]
    for (place, byte) in bytes.prefix(1 << 16).enumerated() where byte == 0 {
      counts[place % 2] += 1
    }
    // A few letters beyond Latin-1 have their zero at the other place.
    switch (counts[0], counts[1]) {
    case (0, 0): self = .none
    case (let even, let odd) where odd > 8 * even: self = .odd
    case (let even, let odd) where even > 8 * odd: self = .even
    default: self = .elsewhere
    }
  }
}

/// How far bytes are UTF-8.
private struct ByteSurvey {
  /// Bytes that are no part of a character.
  private(set) var invalidCount = 0
  /// Characters of more than one byte.
  private(set) var multibyteCount = 0
  private(set) var firstInvalidLine: Int?

  init(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { buffer in
      var offset = 0
      var line = 1
      while offset < buffer.count {
        let byte = buffer[offset]
        if byte < 0x80 {
          if byte == 0x0A { line += 1 }
          offset += 1
        } else if let length = TextScan.scalarLength(in: buffer, at: offset) {
          multibyteCount += 1
          offset += length
        } else {
          if firstInvalidLine == nil { firstInvalidLine = line }
          invalidCount += 1
          offset += 1
        }
      }
    }
  }
}
