/// What stands at the top of a JSON text, also of one that is cut off: enough to tell what it is.
public struct JSONOutline: Sendable {
  /// The keys of the outermost object, or of the first one in the outermost array.
  public private(set) var keys: [String] = []
  /// The keys of objects one level further down.
  public private(set) var innerKeys: Set<String> = []
  /// The texts of outermost keys.
  public private(set) var texts: [String: String] = [:]

  /// Scans a text in UTF-8; one that is not JSON has no outline.
  public init(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    var place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var depth = 0
    var key: String?
    /// In a list of objects the first of them is the outermost.
    var top = 1
    var isFirst = true
    while place < bytes.count {
      switch bytes[place] {
      case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","): break
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if isFirst, bytes[place] == UInt8(ascii: "[") { top = 2 }
        depth += 1
        key = nil
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        // Of a list only the first object counts.
        if depth == 2, top == 2, !keys.isEmpty { return }
        depth -= 1
      case UInt8(ascii: "\""):
        guard let (text, end) = Self.string(bytes, at: place) else { return }
        place = end
        if Self.isKey(bytes, after: end) {
          if depth == top { keys.append(text) }
          if depth == top + 1 { innerKeys.insert(text) }
          key = depth == top ? text : nil
        } else if let named = key {
          texts[named] = text
          key = nil
        }
        continue
      case UInt8(ascii: ":"): break
      default:
        if isFirst { return }
        key = nil
      }
      isFirst = false
      place += 1
    }
  }

  /// The string that begins at a quote, without regard to escapes of letters, and where it ends.
  private static func string(_ bytes: [UInt8], at start: Int) -> (String, Int)? {
    var place = start + 1
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard place < bytes.count else { return nil }
    return (String(decoding: bytes[start + 1..<place], as: UTF8.self), place + 1)
  }

  private static func isKey(_ bytes: [UInt8], after end: Int) -> Bool {
    bytes[end...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: ":")
  }
}
