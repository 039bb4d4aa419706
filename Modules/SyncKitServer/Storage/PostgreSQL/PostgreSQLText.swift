/// How a statement that is written for all engines reads for PostgreSQL.
enum PostgreSQLText {
  /// Numbers the places of values: `?` becomes `$1`, `$2` and so on, `?2` becomes `$2`.
  static func numbered(_ sql: String) -> String {
    var text: [UInt8] = []
    var last = 0
    var quote: UInt8?
    var rest = Array(sql.utf8)[...]
    while let byte = rest.popFirst() {
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        quote = byte
      } else if byte == UInt8(ascii: "?") {
        var digits: [UInt8] = []
        while let digit = rest.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit {
          digits.append(digit)
          rest.removeFirst()
        }
        // As in SQLite, a place without a number comes behind the greatest one.
        let number = Int(String(decoding: digits, as: UTF8.self)) ?? last + 1
        last = max(last, number)
        text += Array("$\(number)".utf8)
        continue
      }
      text.append(byte)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
