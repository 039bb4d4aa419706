/// Reads a valid property list in XML again, with the place of every element.
///
/// It knows what property lists need; anything else ends it, and such a file is not edited.
struct XMLPropertyListTree {
  private enum Token {
    /// `<name>`; a closed one is `<name/>`.
    case open(String, isClosed: Bool)
    case close(String)
  }

  private let bytes: [UInt8]
  private var offset = 0
  private var start = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The value of the list; nil when the place of something is unclear.
  mutating func root() -> DocumentNode? {
    let declaration = bytes.prefix(200)
    let text = String(decoding: declaration, as: UTF8.self)
    if text.contains("<?xml"), let end = text.firstRange(of: "?>") {
      let head = text[..<end.lowerBound].lowercased()
      guard !head.contains("encoding") || head.contains("utf-8") else { return nil }
    }
    guard case .open("plist", isClosed: false)? = token(),
      case .open(let name, let isClosed)? = token()
    else { return nil }
    return value(name, isClosed, depth: 0)
  }

  private mutating func value(_ name: String, _ isClosed: Bool, depth: Int) -> DocumentNode? {
    guard depth <= PropertyList.maximumDepth else { return nil }
    let first = start
    switch name {
    case "dict":
      guard let children = isClosed ? [] : members(depth) else { return nil }
      if children.count == 1, children[0].key == "CF$UID",
        case .scalar(.number) = children[0].node.content
      {
        return DocumentNode(
          .scalar(.other(DocumentValue.reference)), first..<offset, .plain,
          pin: DocumentValue.reference)
      }
      return DocumentNode(.map(children), first..<offset, .lines)
    case "array":
      guard let children = isClosed ? [] : elements(depth) else { return nil }
      return DocumentNode(.list(children), first..<offset, .lines)
    default:
      var text = ""
      if !isClosed {
        guard let found = content(of: name) else { return nil }
        text = found
      }
      guard let list = try? PropertyListBuilder.value(name, text) else { return nil }
      return DocumentNode(.scalar(DocumentValue(list)), first..<offset, .plain)
    }
  }

  private mutating func elements(_ depth: Int) -> [DocumentChild]? {
    var children: [DocumentChild] = []
    while let token = token() {
      switch token {
      case .close("array"): return children
      case .open(let name, let isClosed):
        guard let node = value(name, isClosed, depth: depth + 1) else { return nil }
        children.append(DocumentChild(nil, node.span.lowerBound..<node.span.lowerBound, node))
      default: return nil
      }
    }
    return nil
  }

  private mutating func members(_ depth: Int) -> [DocumentChild]? {
    var children: [DocumentChild] = []
    while let token = token() {
      switch token {
      case .close("dict"): return children
      case .open("key", let isClosed):
        let first = start
        var key = ""
        if !isClosed {
          guard let text = content(of: "key") else { return nil }
          key = text
        }
        let span = first..<offset
        guard case .open(let name, let isClosed)? = self.token(),
          let node = value(name, isClosed, depth: depth + 1)
        else { return nil }
        children.append(DocumentChild(key, span, node))
      default: return nil
      }
    }
    return nil
  }

  /// The next tag; `start` is its first byte, `offset` the one after it.
  private mutating func token() -> Token? {
    while let next = bytes[offset...].firstIndex(of: UInt8(ascii: "<")) {
      start = next
      offset = next
      if follows("<!--") {
        guard skip(past: "-->") else { return nil }
      } else if follows("<?") {
        guard skip(past: "?>") else { return nil }
      } else if follows("<!DOCTYPE") {
        guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: ">")),
          !bytes[offset..<end].contains(UInt8(ascii: "["))
        else { return nil }
        offset = end + 1
      } else {
        guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
        var inside = bytes[offset + 1..<end]
        offset = end + 1
        let isClose = inside.first == UInt8(ascii: "/")
        if isClose { inside = inside.dropFirst() }
        let isClosed = inside.last == UInt8(ascii: "/")
        let name = inside.prefix { byte in
          ![0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "/")].contains(byte)
        }
        let text = String(decoding: name, as: UTF8.self)
        return isClose ? .close(text) : .open(text, isClosed: isClosed)
      }
    }
    return nil
  }

  /// The text up to the end tag of an element, which is passed.
  private mutating func content(of name: String) -> String? {
    var text: [UInt8] = []
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "<"):
        if follows("<![CDATA[") {
          let first = offset + 9
          guard skip(past: "]]>") else { return nil }
          text += bytes[first..<offset - 3]
        } else if follows("<!--") {
          guard skip(past: "-->") else { return nil }
        } else {
          guard case .close(name)? = token() else { return nil }
          return String(validating: text, as: UTF8.self)
        }
      case UInt8(ascii: "&"):
        guard let end = bytes[offset...].prefix(12).firstIndex(of: UInt8(ascii: ";")),
          let scalar = Self.entity(String(decoding: bytes[offset + 1..<end], as: UTF8.self))
        else { return nil }
        text += Array(String(Character(scalar)).utf8)
        offset = end + 1
      case 0x0D:
        // XML has one kind of line end.
        text.append(0x0A)
        offset += offset + 1 < bytes.count && bytes[offset + 1] == 0x0A ? 2 : 1
      default:
        text.append(bytes[offset])
        offset += 1
      }
    }
    return nil
  }

  private static func entity(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      let code =
        name.hasPrefix("#x")
        ? UInt32(name.dropFirst(2), radix: 16)
        : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
      return code.flatMap { Unicode.Scalar($0) }
    }
  }

  private func follows(_ text: StaticString) -> Bool {
    let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    return bytes.count - offset >= wanted.count
      && bytes[offset..<offset + wanted.count].elementsEqual(wanted)
  }

  private mutating func skip(past text: StaticString) -> Bool {
    while offset < bytes.count {
      if follows(text) {
        offset += text.utf8CodeUnitCount
        return true
      }
      offset += 1
    }
    return false
  }
}
