/// Writes the XML form as Apple's own tools do, indented by tabs.
struct XMLPropertyListWriter {
  private var output = ""

  static func write(_ value: PropertyList) throws(PropertyListError) -> [UInt8] {
    var writer = XMLPropertyListWriter()
    writer.output = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """
    try writer.write(value, depth: 0)
    writer.output += "</plist>\n"
    return Array(writer.output.utf8)
  }

  private mutating func write(_ value: PropertyList, depth: Int) throws(PropertyListError) {
    let indent = String(repeating: "\t", count: depth)
    output += indent
    switch value {
    case .bool(let value): output += value ? "<true/>\n" : "<false/>\n"
    case .int(let value): output += "<integer>\(value)</integer>\n"
    case .uint(let value): output += "<integer>\(value)</integer>\n"
    case .double(let value): output += "<real>\(Self.number(value))</real>\n"
    case .string(let text): output += "<string>\(try Self.escaped(text))</string>\n"
    case .date(let milliseconds): output += "<date>\(try Self.date(milliseconds))</date>\n"
    case .data(let bytes):
      output += "<data>\n"
      let text = Array(Base64.encode(bytes).utf8)
      for start in stride(from: 0, to: text.count, by: 68) {
        let line = String(decoding: text[start..<min(start + 68, text.count)], as: UTF8.self)
        output += "\(indent)\(line)\n"
      }
      output += "\(indent)</data>\n"
    case .reference(let number):
      output += "<dict>\n\(indent)\t<key>CF$UID</key>\n"
      output += "\(indent)\t<integer>\(number)</integer>\n\(indent)</dict>\n"
    case .array(let values) where values.isEmpty: output += "<array/>\n"
    case .array(let values):
      output += "<array>\n"
      for value in values { try write(value, depth: depth + 1) }
      output += "\(indent)</array>\n"
    case .dictionary(let members) where members.isEmpty: output += "<dict/>\n"
    case .dictionary(let members):
      output += "<dict>\n"
      for member in members {
        output += "\(indent)\t<key>\(try Self.escaped(member.key))</key>\n"
        try write(member.value, depth: depth + 1)
      }
      output += "\(indent)</dict>\n"
    }
  }

  static func number(_ value: Double) -> String {
    if value.isNaN { return "nan" }
    if value.isInfinite { return value < 0 ? "-infinity" : "+infinity" }
    return "\(value)"
  }

  static func date(_ milliseconds: Int64) throws(PropertyListError) -> String {
    guard Timestamp.earliest...Timestamp.latest ~= milliseconds else {
      throw PropertyListError("a date outside the years 0 to 9999 cannot be written in XML")
    }
    return Timestamp.format(milliseconds: milliseconds).prefix(19) + "Z"
  }

  static func escaped(_ text: String) throws(PropertyListError) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      // A reader of XML turns a bare one into a line feed.
      case "\r": escaped += "&#13;"
      case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}":
        throw PropertyListError(
          "a text has the control character U+\(String(scalar.value, radix: 16, uppercase: true)),"
            + " which XML cannot hold; write the binary form")
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
