/// Writes a document of TOML: plain values first, then tables under headers of their own.
///
/// The same table gives the same bytes each time. A table in an array is written in braces.
struct TOMLWriter {
  private var output = ""

  static func write(_ table: TOMLTable) -> [UInt8] {
    var writer = TOMLWriter()
    writer.write(table, path: [])
    return Array(writer.output.utf8)
  }

  private mutating func write(_ table: TOMLTable, path: [String]) {
    var tables: [(String, TOMLTable)] = []
    for member in table.members {
      if case .table(let inner) = member.value {
        tables.append((member.key, inner))
      } else {
        output += "\(Self.key(member.key)) = \(Self.text(member.value))\n"
      }
    }
    for (key, inner) in tables {
      let path = path + [key]
      if !output.isEmpty { output += "\n" }
      output += "[\(path.map(Self.key).joined(separator: "."))]\n"
      write(inner, path: path)
    }
  }

  private static func text(_ value: TOML) -> String {
    switch value {
    case .bool(let value): value ? "true" : "false"
    case .int(let value): "\(value)"
    case .whole(let text): text
    case .double(let value): number(value)
    case .string(let text): quoted(text)
    case .dateTime(let milliseconds): Timestamp.format(milliseconds: milliseconds)
    case .local(let text): text
    case .array(let values): "[\(values.map(text).joined(separator: ", "))]"
    case .table(let table):
      table.members.isEmpty
        ? "{}"
        : "{ \(table.members.map { "\(key($0.key)) = \(text($0.value))" }.joined(separator: ", ")) }"
    }
  }

  private static func number(_ value: Double) -> String {
    if value.isNaN { return "nan" }
    if value.isInfinite { return value < 0 ? "-inf" : "inf" }
    return "\(value)"
  }

  static func key(_ key: String) -> String {
    !key.isEmpty && key.utf8.allSatisfy(TOMLCursor.isBare) ? key : quoted(key)
  }

  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\u{0}"..."\u{1F}", "\u{7F}":
        let digits = String(scalar.value, radix: 16, uppercase: true)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

extension TOML {
  /// Writes a document, the same bytes for the same table each time.
  public static func serialize(_ table: TOMLTable) -> [UInt8] { TOMLWriter.write(table) }
}
