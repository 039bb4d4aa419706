#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An encoding of texts that a person names, since nothing in a file tells it: `windows-1251`, `shift_jis`.
///
/// The system's `iconv` knows the encodings and their names.
public struct TextEncoding: Sendable {
  private let name: String

  /// Finds an encoding by its name; nil for one that the system does not know.
  public init?(named name: String) {
    // A slash would begin a suffix, with which letters that do not fit are left out.
    let isName =
      1...40 ~= name.utf8.count
      && name.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "/") }
    guard isName, let converter = Self.open(name) else { return nil }
    iconv_close(converter)
    self.name = name
  }

  /// The names of some encodings in which tables are found, for a person who has to choose.
  public static let commonNames = [
    "windows-1250", "windows-1251", "koi8-r", "iso-8859-2", "shift_jis", "euc-jp", "gb18030",
    "big5", "euc-kr",
  ]

  /// Converts a text to UTF-8, without a mark at its beginning.
  ///
  /// - Throws: ``DecodedTextError`` with the line of the first bytes that mean nothing in this encoding.
  public func utf8(of bytes: [UInt8]) throws(DecodedTextError) -> [UInt8] {
    guard let converter = Self.open(name) else {
      throw DecodedTextError(line: 1, message: "this system has no encoding '\(name)' any more")
    }
    defer { iconv_close(converter) }
    var (text, source): ([UInt8], [UInt8]) = ([], bytes)
    text.reserveCapacity(bytes.count + bytes.count / 2)
    let failure = source.withUnsafeMutableBytes { source in
      Self.convert(source, with: converter, into: &text)
    }
    if failure != 0 {
      let line = 1 + text.count { $0 == 0x0A }
      let problem = failure == EINVAL ? "the text is cut off in a letter" : "not valid \(name)"
      throw DecodedTextError(line: line, message: problem)
    }
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
    return text
  }

  /// Converts all bytes, a piece at a time.
  ///
  /// - Returns: 0, or the number of the error that `iconv` met.
  private static func convert(
    _ source: UnsafeMutableRawBufferPointer, with converter: iconv_t, into text: inout [UInt8]
  ) -> Int32 {
    var input = source.baseAddress?.assumingMemoryBound(to: CChar.self)
    var (left, isFlush) = (source.count, source.isEmpty)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: pieceSize) { piece in
      while true {
        var output = piece.baseAddress
        var room = pieceSize
        // Without input it writes what it has held back.
        let result =
          isFlush
          ? iconv(converter, nil, nil, &output, &room)
          : iconv(converter, &input, &left, &output, &room)
        let failure = result == -1 ? errno : 0
        text += UnsafeRawBufferPointer(piece).prefix(pieceSize - room)
        if failure == E2BIG { continue }
        if failure != 0 || isFlush { return failure }
        isFlush = true
      }
    }
  }

  private static let pieceSize = 1 << 14

  private static func open(_ name: String) -> iconv_t? {
    let converter = iconv_open("UTF-8", name)
    return converter == iconv_t(bitPattern: -1) ? nil : converter
  }
}
