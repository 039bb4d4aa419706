/// Edits of lists and maps that stand in brackets, with commas between their children.
package struct FlowEditing {
  let lines: DocumentLines
  /// Whether a comma may follow the last child.
  let allowsTrailingComma: Bool
  /// Whether the children may be spread over lines.
  let allowsLines: Bool

  /// Edits in a document.
  package init(lines: DocumentLines, allowsTrailingComma: Bool = true, allowsLines: Bool = true) {
    self.lines = lines
    self.allowsTrailingComma = allowsTrailingComma
    self.allowsLines = allowsLines
  }

  private var bytes: [UInt8] { lines.bytes }
  private static let comma = UInt8(ascii: ",")

  /// The place of the comma after a child; nil when there is none.
  private func comma(after child: DocumentChild) -> Int? {
    let place = lines.skipTrivia(child.span.upperBound)
    return place < bytes.count && bytes[place] == Self.comma ? place : nil
  }

  /// Takes a child away, with its comma.
  package func remove(_ index: Int, of parent: DocumentNode) -> [TextEdit] {
    let children = parent.children
    let child = children[index]
    var pieces = [child.span]
    if let comma = comma(after: child) {
      pieces.append(comma..<comma + 1)
    } else if index > 0, let comma = comma(after: children[index - 1]) {
      pieces.append(comma..<comma + 1)
    }
    return lines.removal(of: pieces)
  }

  /// Puts children before the one at an index, or last.
  ///
  /// `write` gives the text of the numbered child, for the given indentation.
  package func insert(
    _ count: Int, at index: Int, of parent: DocumentNode, inner step: String,
    write: (Int, _ indent: String) -> String
  ) -> [TextEdit] {
    let children = parent.children
    if children.isEmpty { return fill(parent, count, step, write) }
    if index < children.count {
      let next = children[index]
      let indent = lines.indent(before: next.span.lowerBound)
      let gap = indent.map { "," + lines.lineEnd + $0 } ?? self.gap(children)
      let text = (0..<count).map { write($0, indent ?? "") + gap }.joined()
      return [TextEdit(at: next.span.lowerBound, text)]
    }
    let last = children[children.count - 1]
    let comma = comma(after: last)
    let place = comma.map { $0 + 1 } ?? last.span.upperBound
    guard let indent = lines.indent(before: last.span.lowerBound), allowsLines else {
      let gap = gap(children)
      let texts = (0..<count).map { write($0, "") }.joined(separator: gap)
      guard comma != nil else { return [TextEdit(at: place, gap + texts)] }
      return [TextEdit(at: place, gap.dropFirst() + texts + ",")]
    }
    // Behind what is said of the last child on its own line.
    let end = lines.skipLineComments(place)
    let texts = (0..<count).map { lines.lineEnd + indent + write($0, indent) }
    let text = texts.joined(separator: ",")
    guard comma == nil else { return [TextEdit(at: end, text + ",")] }
    return [TextEdit(at: place, ","), TextEdit(at: end, text)]
  }

  /// The comma and the space between children on one line.
  private func gap(_ children: [DocumentChild]) -> String {
    guard children.count > 1, let comma = comma(after: children[0]) else { return ", " }
    return comma + 1 == children[1].span.lowerBound ? "," : ", "
  }

  /// Puts children into brackets that have none.
  private func fill(
    _ parent: DocumentNode, _ count: Int, _ step: String, _ write: (Int, String) -> String
  ) -> [TextEdit] {
    let inside = parent.span.lowerBound + 1..<parent.span.upperBound - 1
    let outer = lines.lead(of: parent.span.lowerBound)
    func texts(_ indent: String, _ gap: String) -> String {
      (0..<count).map { write($0, indent) }.joined(separator: "," + gap)
    }
    guard !step.isEmpty, allowsLines else {
      return [TextEdit(at: inside.lowerBound, texts("", " "))]
    }
    let indent = outer + step
    let end = lines.lineEnd
    let text = end + indent + texts(indent, end + indent)
    if inside.allSatisfy({ DocumentLines.isBlank(bytes[$0]) || [0x0A, 0x0D].contains(bytes[$0]) }) {
      return [TextEdit(inside, (text + end + outer).utf8)]
    }
    // There are comments, and they stay.
    let place =
      lines.indent(before: inside.upperBound) == nil
      ? inside.upperBound : lines.start(of: inside.upperBound)
    let isOnLine = place > inside.lowerBound && bytes[place - 1] == 0x0A
    return isOnLine
      ? [TextEdit(at: place, indent + texts(indent, end + indent) + end)]
      : [TextEdit(at: place, text + end + outer)]
  }
}
