/// Appends JSON values to a buffer of bytes.
struct JSONWriter {
  let pretty: Bool
  private(set) var output: [UInt8] = []
  private var depth = 0

  init(pretty: Bool) { self.pretty = pretty }

  mutating func write(_ value: JSON) {
    switch value {
    case .null: append("null")
    case .bool(let value): append(value ? "true" : "false")
    case .int(let value): append(value.description)
    case .double(let value): append(value.isFinite ? value.description : "null")
    case .string(let value): writeString(value)
    case .array(let elements):
      list(elements, from: "[", to: "]") { writer, element in writer.write(element) }
    case .object(let object):
      list(object.members, from: "{", to: "}") { writer, member in
        writer.writeString(member.key)
        writer.append(writer.pretty ? ": " : ":")
        writer.write(member.value)
      }
    }
  }

  private mutating func list<Item>(
    _ items: [Item], from opening: String, to closing: String,
    write: (inout JSONWriter, Item) -> Void
  ) {
    append(opening)
    depth += 1
    var isFirst = true
    for item in items {
      if !isFirst { append(",") }
      isFirst = false
      breakLine()
      write(&self, item)
    }
    depth -= 1
    if !isFirst { breakLine() }
    append(closing)
  }

  private mutating func breakLine() {
    guard pretty else { return }
    output.append(0x0A)
    output.append(contentsOf: repeatElement(0x20, count: 2 * depth))
  }

  private mutating func writeString(_ text: String) {
    output.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { bytes in
      var plain = 0
      for (offset, byte) in bytes.enumerated() {
        guard let escape = escape(for: byte) else { continue }
        output.append(contentsOf: bytes[plain..<offset])
        append(escape)
        plain = offset + 1
      }
      output.append(contentsOf: bytes[plain...])
    }
    output.append(UInt8(ascii: "\""))
  }

  private func escape(for byte: UInt8) -> String? {
    switch byte {
    case UInt8(ascii: "\""): "\\\""
    case UInt8(ascii: "\\"): "\\\\"
    case 0x08: "\\b"
    case 0x09: "\\t"
    case 0x0A: "\\n"
    case 0x0C: "\\f"
    case 0x0D: "\\r"
    case 0..<0x10: "\\u000" + String(byte, radix: 16)
    case 0x10..<0x20: "\\u00" + String(byte, radix: 16)
    default: nil
    }
  }

  private mutating func append(_ text: String) { output.append(contentsOf: text.utf8) }
}
