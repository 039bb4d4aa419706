/// The id under which a request is found in the logs of all that took part in it: the proxy, the server, the database.
///
/// Source: [W3C, Trace Context](https://www.w3.org/TR/trace-context/), section 3.2.
enum TraceContext {
  static let field = "traceparent"

  /// The trace that a field names, as 32 hexadecimal digits; nil when it is not as the standard has it.
  static func trace(in field: String) -> String? {
    let parts = field.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[0].utf8.count == 2, parts[0] != "ff", isTrace(parts[1]),
      parts[2].utf8.count == 16, parts[3].utf8.count == 2,
      parts.count == 4 || parts[0] != "00", parts.prefix(4).allSatisfy(isHexadecimal),
      !parts[2].allSatisfy({ $0 == "0" })
    else { return nil }
    return String(parts[1])
  }

  /// Whether a text is 32 hexadecimal digits that are not all zero.
  static func isTrace(_ text: Substring) -> Bool {
    text.utf8.count == 32 && isHexadecimal(text) && !text.allSatisfy { $0 == "0" }
  }

  /// A new trace, for a request that names none.
  static func drawn() -> String {
    (0..<2).map { _ in
      let digits = String(UInt64.random(in: 1 ... .max), radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }

  private static func isHexadecimal(_ text: Substring) -> Bool {
    text.utf8.allSatisfy { byte in
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
    }
  }
}
