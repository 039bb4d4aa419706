/// Takes out of XML what makes strict readers refuse the exports of some programs.
///
/// The document type declaration becomes spaces of the same number of lines, whatever is in it; control
/// characters that XML does not allow are dropped. All else goes through byte by byte, in pieces split
/// anywhere. Text in UTF-16 is left as it is; it is known by its byte order mark.
struct XMLTidier {
  private enum State {
    /// Before the second byte, which tells UTF-16.
    case start
    /// Before the root element.
    case prolog
    /// In the first bytes of something that begins with `<`.
    case markup
    case comment
    case instruction
    case doctype(XMLDoctypeScan)
    case root
    case untouched
  }

  private static let doctype = Array("<!DOCTYPE".utf8)
  private static let comment = Array("<!--".utf8)

  private var state = State.start
  /// Bytes whose fate is open.
  private var held: [UInt8] = []
  /// The last two bytes, in which comments and instructions end.
  private var before: (UInt8, UInt8) = (0, 0)

  /// Whether a document type declaration is open.
  var isInDoctype: Bool {
    if case .doctype = state { true } else { false }
  }

  /// Appends what is left of the next bytes.
  mutating func compactLogs(_ bytes: ArraySlice<UInt8>, into output: inout [UInt8]) {
    var rest = bytes
    while let byte = rest.first {
      switch state {
      case .root:
        Self.append(rest, to: &output)
        return
      case .untouched:
        output += rest
        return
      default:
        rest.removeFirst()
        take(byte, into: &output)
      }
    }
  }

  /// Appends what was held back when the text ends.
  mutating func finish(into output: inout [UInt8]) {
    output += held
    held = []
  }

  private mutating func take(_ byte: UInt8, into output: inout [UInt8]) {
    if case .start = state {
      held.append(byte)
      guard held.count == 2 else { return }
      let bytes = held
      held = []
      if bytes == [0xFE, 0xFF] || bytes == [0xFF, 0xFE] {
        state = .untouched
        output += bytes
      } else {
        state = .prolog
        for byte in bytes { take(byte, into: &output) }
      }
      return
    }
    if case .doctype(var scan) = state {
      output.append(byte == 0x0A || byte == 0x0D ? byte : 0x20)
      state = scan.isEnd(byte) ? .prolog : .doctype(scan)
      return
    }
    guard Self.isAllowed(byte) else { return }
    switch state {
    case .markup:
      held.append(byte)
      decideMarkup(into: &output)
      return
    case .prolog where byte == UInt8(ascii: "<"):
      held = [byte]
      state = .markup
      return
    case .comment where byte == UInt8(ascii: ">") && before == (0x2D, 0x2D): state = .prolog
    case .instruction where byte == UInt8(ascii: ">") && before.1 == UInt8(ascii: "?"):
      state = .prolog
    default: break
    }
    before = (before.1, byte)
    output.append(byte)
  }

  private mutating func decideMarkup(into output: inout [UInt8]) {
    if held == Self.doctype {
      output += Array(repeating: 0x20, count: held.count)
      state = .doctype(XMLDoctypeScan())
    } else if held == Self.comment || held == Array("<?".utf8) {
      output += held
      state = held.count == 2 ? .instruction : .comment
      before = (0, 0)
    } else if Self.doctype.starts(with: held) || Self.comment.starts(with: held) {
      return
    } else {
      output += held
      state = .root
    }
    held = []
  }

  private static func append(_ bytes: ArraySlice<UInt8>, to output: inout [UInt8]) {
    bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      for index in bytes.indices where !isAllowed(bytes[index]) {
        output += bytes[start..<index]
        start = index + 1
      }
      output += bytes[start...]
    }
  }

  /// Source: [XML 1.0](https://www.w3.org/TR/xml/#charsets), production 2.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte >= 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}

/// Finds the end of a document type declaration that may be broken.
///
/// Quotes count within a line only: one that is never closed must not swallow the document.
struct XMLDoctypeScan {
  private static let comment = Array("<!--".utf8)

  private var quote: UInt8?
  /// Whether `[` came, after which only `]` and `>` end the declaration.
  private var isInSubset = false
  private var isAfterBracket = false
  /// How many bytes of `<!--` came, 4 within a comment.
  private var opening = 0
  private var dashes = 0

  /// Whether the declaration ends with the next byte.
  mutating func isEnd(_ byte: UInt8) -> Bool {
    if opening == 4 {
      if byte == UInt8(ascii: ">"), dashes >= 2 { opening = 0 }
      dashes = byte == UInt8(ascii: "-") ? dashes + 1 : 0
      return false
    }
    if let open = quote {
      if byte == open || byte == 0x0A { quote = nil }
      return false
    }
    opening = byte == Self.comment[opening] ? opening + 1 : byte == 0x3C ? 1 : 0
    dashes = 0
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      quote = byte
      isAfterBracket = false
    case UInt8(ascii: "["): isInSubset = true
    case UInt8(ascii: "]"): isAfterBracket = isInSubset
    case UInt8(ascii: ">"): return !isInSubset || isAfterBracket
    case 0x20, 0x09, 0x0A, 0x0D: break
    default: isAfterBracket = false
    }
    return false
  }
}
