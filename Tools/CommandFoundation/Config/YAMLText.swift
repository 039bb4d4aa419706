import YAMLDocuments

/// The text of a YAML file, in which single values are put in place.
///
/// Places are counted in Unicode scalars, as the parser counts them.
package struct YAMLText: CustomStringConvertible {
  private var scalars: [Unicode.Scalar]

  package init(_ bytes: [UInt8]) {
    scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
  }

  package var description: String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  /// Puts a value where a path leads, in place of the one there or as a new key.
  ///
  /// - Parameters:
  ///   - path: The keys still to go.
  ///   - value: The value in flow style.
  ///   - node: What the text holds; nil where it holds nothing but comments.
  package mutating func set(_ path: ArraySlice<String>, to value: String, in node: ConfigNode?) {
    guard let node, let entries = node.entries else {
      append(Self.lines(path, value, indent: 0))
      return
    }
    guard let key = path.first else { return }
    let rest = path.dropFirst()
    guard let entry = entries.first(where: { $0.key == key }) else {
      add(path, value, to: node, entries)
      return
    }
    if !rest.isEmpty, entry.value.entries.map({ !$0.isEmpty }) == true {
      set(rest, to: value, in: entry.value)
    } else {
      replace(entry, with: rest.isEmpty ? value : Self.nested(rest, value))
    }
  }

  // MARK: Putting in

  private mutating func replace(_ entry: ConfigEntry, with value: String) {
    let old = entry.value
    switch old.content {
    case .scalar(_, style: .plain) where !old.isAbsent, .scalar(_, style: .quoted),
      .list(_, isFlow: true), .map(_, isFlow: true):
      scalars.replaceSubrange(old.span, with: value.unicodeScalars)
    default:
      // A value on lines of its own, or none: it goes, and the new one stands right after the colon.
      let colon = scalars[entry.span.upperBound...].firstIndex(of: ":") ?? entry.span.upperBound
      let start = min(colon + 1, scalars.count)
      let end = old.isAbsent ? start : max(start, contentEnd(of: old))
      scalars.replaceSubrange(start..<end, with: " \(value)".unicodeScalars)
    }
  }

  private mutating func add(
    _ path: ArraySlice<String>, _ value: String, to map: ConfigNode, _ entries: [ConfigEntry]
  ) {
    if case .map(_, isFlow: true) = map.content {
      let pair = Self.pair(path, value)
      guard let last = entries.last else {
        // An empty map is two braces with nothing to keep between them.
        scalars.replaceSubrange(map.span, with: "{ \(pair) }".unicodeScalars)
        return
      }
      let end = last.value.isAbsent ? last.span.upperBound : last.value.span.upperBound
      scalars.insert(contentsOf: ", \(pair)".unicodeScalars, at: end)
      return
    }
    guard let first = entries.first, let last = entries.last else { return }
    let indent = (first.origin.column ?? 1) - 1
    let lines = Self.lines(path, value, indent: indent)
    // A new section goes to the end of the file, below whatever comments are there.
    if indent == 0 {
      append(lines)
      return
    }
    let end = max(last.span.upperBound, contentEnd(of: last.value))
    guard let newline = scalars[end...].firstIndex(of: "\n") else {
      append(lines)
      return
    }
    scalars.insert(contentsOf: lines.unicodeScalars, at: newline + 1)
  }

  private mutating func append(_ lines: String) {
    if let last = scalars.last, last != "\n" { scalars.append("\n") }
    scalars.append(contentsOf: lines.unicodeScalars)
  }

  /// The offset behind a value's last character; the parser counts a block up to what follows it.
  package func contentEnd(of node: ConfigNode) -> Int {
    switch node.content {
    case .scalar(_, style: .block):
      var end = min(node.span.upperBound, scalars.count)
      while end > node.span.lowerBound, scalars[end - 1].properties.isWhitespace { end -= 1 }
      return end
    case .list(let items, isFlow: false):
      return items.last.map { max(contentEnd(of: $0), node.span.lowerBound) }
        ?? node.span.upperBound
    case .map(let entries, isFlow: false):
      return entries.last.map { max(contentEnd(of: $0.value), $0.span.upperBound) }
        ?? node.span.upperBound
    default: return node.span.upperBound
    }
  }
}

// MARK: Taking out

extension YAMLText {
  /// Takes a pair out of a flow map, with the comma that parts it from its neighbour.
  package mutating func removePair(_ entries: [ConfigEntry], _ index: Int, end: Int) {
    if index + 1 < entries.count {
      scalars.removeSubrange(entries[index].span.lowerBound..<entries[index + 1].span.lowerBound)
    } else if index > 0 {
      let before = entries[index - 1]
      let start = max(before.span.upperBound, contentEnd(of: before.value))
      scalars.removeSubrange(start..<end)
    } else {
      scalars.removeSubrange(entries[index].span.lowerBound..<end)
    }
  }

  /// Takes out the lines that hold a range.
  package mutating func removeLines(from start: Int, to end: Int) {
    let first = scalars[..<start].lastIndex(of: "\n").map { $0 + 1 } ?? 0
    let last = scalars[end...].firstIndex(of: "\n").map { $0 + 1 } ?? scalars.count
    scalars.removeSubrange(first..<last)
  }
}

// MARK: Writing values

extension YAMLText {
  /// A value in flow style.
  package static func flow(_ node: ConfigNode) -> String {
    switch node.content {
    case .scalar(let text, _): scalar(text)
    case .list(let items, _): "[\(items.map(flow).joined(separator: ", "))]"
    case .map(let entries, _):
      entries.isEmpty
        ? "{}"
        : "{ \(entries.map { "\(scalar($0.key)): \(flow($0.value))" }.joined(separator: ", ")) }"
    }
  }

  /// A single value, quoted where YAML could take it for something else.
  package static func scalar(_ text: String) -> String {
    let words = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"),
        UInt8(ascii: "%"), UInt8(ascii: "~"), UInt8(ascii: "+"):
        true
      default: false
      }
    }
    let first = text.utf8.first
    let isSafe =
      isPlain && first != nil && first != UInt8(ascii: "-") && first != UInt8(ascii: "%")
      && text != "~" && text != "."
    // A truth value is meant as one when it is spelled as ours; other spellings are names.
    if isSafe, text == "true" || text == "false" || !words.contains(text.lowercased()) {
      return text
    }
    return YAMLWriter.quoted(text)
  }

  /// A key and its value, `a: { b: value }`.
  private static func pair(_ path: ArraySlice<String>, _ value: String) -> String {
    guard let key = path.first else { return value }
    return "\(scalar(key)): \(nested(path.dropFirst(), value))"
  }

  /// `{ b: value }`, or the value alone at the end of a path.
  private static func nested(_ path: ArraySlice<String>, _ value: String) -> String {
    path.isEmpty ? value : "{ \(pair(path, value)) }"
  }

  /// A new key in a block, what belongs to it on the next line when it is a section.
  private static func lines(_ path: ArraySlice<String>, _ value: String, indent: Int) -> String {
    let blank = String(repeating: " ", count: indent)
    guard indent == 0, path.count > 1, let key = path.first else {
      return "\(blank)\(pair(path, value))\n"
    }
    return "\(blank)\(scalar(key)):\n" + lines(path.dropFirst(), value, indent: indent + 2)
  }
}
