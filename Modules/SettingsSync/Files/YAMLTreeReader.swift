import SyncKitFormats
import YAMLDocuments

/// Gives the nodes of a YAML document their values and their bytes.
struct YAMLTreeReader {
  /// The byte of every character.
  private let offsets: [Int32]
  private let bytes: [UInt8]
  private var anchors: [String: DocumentValue] = [:]
  /// How many values references may still stand for.
  private var budget = 100_000

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var offsets: [Int32] = []
    offsets.reserveCapacity(bytes.count + 1)
    for (offset, byte) in bytes.enumerated() where byte & 0xC0 != 0x80 {
      offsets.append(Int32(offset))
    }
    offsets.append(Int32(bytes.count))
    self.offsets = offsets
  }

  mutating func node(_ node: YAMLNode) -> DocumentNode {
    var result = content(node)
    if let anchor = node.anchor {
      anchors[anchor] = result.value
      result.pin = "it bears the anchor &\(anchor), which others may refer to"
    }
    if case .scalar(.other(let reason)) = result.content, result.pin == nil,
      result.value != .null
    {
      result.pin = reason
    }
    return result
  }

  private mutating func content(_ node: YAMLNode) -> DocumentNode {
    let span = span(node.span)
    if let name = node.alias {
      let value = anchors[name] ?? .other("*\(name) refers to nothing, or to itself")
      budget -= value.count
      guard budget > 0 else {
        return DocumentNode(
          .scalar(.other("its references (*\(name)) stand for too many values")), span, .plain)
      }
      return DocumentNode(.scalar(value), span, .plain)
    }
    switch node.content {
    case .scalar(let text, let style):
      return scalar(node, text, style, span)
    case .list(let items, let isFlow):
      let children = items.map { item in
        let inner = self.node(item)
        return DocumentChild(nil, inner.span.lowerBound..<inner.span.lowerBound, inner)
      }
      return container(node, .list(children), isFlow, span, tag: "seq")
    case .map(let entries, let isFlow):
      return container(node, .map(members(entries)), isFlow, span, tag: "map")
    }
  }

  private func container(
    _ node: YAMLNode, _ content: DocumentNode.Content, _ isFlow: Bool, _ span: Range<Int>,
    tag: String
  ) -> DocumentNode {
    var result = DocumentNode(content, span, isFlow ? .flow : .lines)
    if !isFlow, let first = result.children.first(where: { !$0.span.isEmpty || $0.key == nil }),
      let last = result.children.last
    {
      result.span = first.span.lowerBound..<max(last.span.upperBound, first.span.lowerBound)
    }
    if let found = node.tag, found != YAMLTags.core + tag {
      result.content = .scalar(.other("it has the tag '\(YAMLTags.shown(found))'"))
    }
    return result
  }

  /// The members of a map; those that it takes from others by `<<` come first, and stay as they are.
  private mutating func members(_ entries: [YAMLEntry]) -> [DocumentChild] {
    var own: [DocumentChild] = []
    var merged: [DocumentValue.Member] = []
    for entry in entries {
      let key = span(entry.span)
      let value = node(entry.value)
      if entry.key == "<<", bytes[key].elementsEqual("<<".utf8) {
        switch value.value {
        case .map(let members): merged += members
        case .list(let maps):
          for case .map(let members) in maps { merged += members }
        default:
          own.append(
            DocumentChild(
              "<<", key,
              DocumentNode(.scalar(.other("it is no merge of maps")), value.span, .plain)))
        }
        continue
      }
      own.append(DocumentChild(entry.key, key, value))
    }
    var taken = Set(own.compactMap(\.key))
    let inherited = merged.filter { taken.insert($0.key).inserted }.map { member in
      DocumentChild(
        member.key, 0..<0,
        DocumentNode(.scalar(member.value), 0..<0, .plain, pin: "it comes from a merge (<<)"))
    }
    return inherited + own
  }

  private func scalar(
    _ node: YAMLNode, _ text: String, _ style: YAMLNode.ScalarStyle, _ span: Range<Int>
  ) -> DocumentNode {
    let value = value(node, text, isPlain: style == .plain)
    if node.isAbsent { return DocumentNode(.scalar(value), span, .absent) }
    switch style {
    case .plain: return DocumentNode(.scalar(value), span, .plain)
    case .quoted:
      let isSingle = bytes[span].last == UInt8(ascii: "'")
      return DocumentNode(.scalar(value), span, isSingle ? .singleQuoted : .doubleQuoted)
    case .block:
      // The blank lines behind it are not part of any value.
      let end = bytes[span].lastIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
      return DocumentNode(
        .scalar(value), span.lowerBound..<(end.map { $0 + 1 } ?? span.upperBound), .block)
    }
  }

  private func value(_ node: YAMLNode, _ text: String, isPlain: Bool) -> DocumentValue {
    if node.tag == nil || node.tag == "?" {
      return isPlain ? YAMLWord.value(text) : .string(text)
    }
    let tag = node.tag ?? ""
    guard tag.hasPrefix(YAMLTags.core) || tag == "!" else {
      return .other("it has the tag '\(YAMLTags.shown(tag))'")
    }
    do throws(YAMLError) {
      switch try YAMLValue(node) {
      case .null: return .null
      case .bool(let value): return .bool(value)
      case .int(let value): return .number(NumberText(value))
      case .uint(let value): return .number(NumberText(value))
      case .double(let value): return NumberText(value).map { .number($0) } ?? .double(value)
      case .string(let text): return .string(text)
      case .timestamp(let text):
        guard let time = Timestamp.parse(text) ?? Timestamp.parse(text + "Z") else {
          return .other("'\(text)' is not a point in time with an offset")
        }
        return .date(milliseconds: time)
      case .binary(let text):
        return Base64.decode(text).map { .data($0) } ?? .other("its data is not in base64")
      case .list, .map: return .other("it is not a single value")
      }
    } catch {
      return .other(error.message)
    }
  }

  private func span(_ range: Range<Int>) -> Range<Int> {
    let last = offsets.count - 1
    let lower = Int(offsets[min(range.lowerBound, last)])
    return lower..<max(lower, Int(offsets[min(range.upperBound, last)]))
  }
}

enum YAMLTags {
  static let core = "tag:yaml.org,2002:"

  static func shown(_ tag: String) -> String {
    tag.hasPrefix(core) ? "!!" + tag.dropFirst(core.count) : tag
  }
}

extension DocumentValue {
  /// How many values this is.
  fileprivate var count: Int {
    switch self {
    case .list(let values): values.reduce(1) { $0 + $1.count }
    case .map(let members): members.reduce(1) { $0 + $1.value.count }
    default: 1
    }
  }
}
