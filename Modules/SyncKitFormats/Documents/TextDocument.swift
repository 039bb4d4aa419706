/// A document of text that is edited by its tokens.
///
/// Only the bytes of what changes are touched. After each edit the document is read again: an edit
/// that has changed any other value, or that does not read back as it was meant, is not made.
public struct TextDocument<Syntax: DocumentSyntax>: EditableDocument {
  public private(set) var bytes: [UInt8]
  private(set) var root: DocumentNode

  /// Reads a document.
  public init(_ bytes: [UInt8]) throws {
    root = try Syntax.read(bytes)
    self.bytes = bytes
  }

  public var members: [DocumentValue.Member] {
    root.children.map { .init($0.key ?? "", $0.node.value) }
  }

  public mutating func set(
    _ changes: [(key: String, value: DocumentValue?)]
  ) -> [(key: String, reason: String)] {
    do throws(DocumentRefusal) {
      try edit(changes)
      return []
    } catch {
      guard changes.count > 1 else { return changes.map { ($0.key, error.description) } }
    }
    // One of them cannot be written: each is tried alone.
    var refused: [(key: String, reason: String)] = []
    for change in changes {
      do throws(DocumentRefusal) { try edit([change]) } catch {
        refused.append((change.key, error.description))
      }
    }
    return refused
  }

  /// Makes all changes or none.
  private mutating func edit(
    _ changes: [(key: String, value: DocumentValue?)]
  ) throws(DocumentRefusal) {
    let before = members
    var draft = self
    let steps = DocumentChange(root, changes).steps
    let replacements = steps.filter { if case .replace = $0.action { true } else { false } }
    var edits: [TextEdit] = []
    for step in replacements { edits += try draft.edits(step) }
    try draft.apply(edits)
    for step in steps {
      if case .replace = step.action { continue }
      try draft.apply(draft.edits(step))
    }
    try Self.check(draft.members, against: before, changes)
    self = draft
  }

  private func edits(_ step: DocumentChange.Step) throws(DocumentRefusal) -> [TextEdit] {
    var parent = root
    for place in step.path {
      guard let child = place.child(of: parent) else {
        throw DocumentRefusal("its place was not found")
      }
      parent = parent.children[child].node
    }
    switch step.action {
    case .insert(let members, let index):
      return try Syntax.insert(members, at: index ?? parent.children.count, of: parent, in: bytes)
    case .remove(let place):
      guard let index = place.child(of: parent) else { return [] }
      if let pin = parent.children[index].node.innerPin { throw DocumentRefusal(pin) }
      return try Syntax.remove(index, of: parent, in: bytes)
    case .replace(let place, let value):
      guard let index = place.child(of: parent) else { return [] }
      if let pin = parent.children[index].node.innerPin { throw DocumentRefusal(pin) }
      return try Syntax.replace(index, of: parent, with: value, in: bytes)
    }
  }

  private mutating func apply(_ edits: [TextEdit]) throws(DocumentRefusal) {
    guard !edits.isEmpty else { return }
    bytes = TextEdit.apply(edits, to: bytes)
    do { root = try Syntax.read(bytes) } catch {
      throw DocumentRefusal("the file could not be read after the edit (\(error))")
    }
  }

  /// Whether the document has the changes and nothing else is different.
  private static func check(
    _ members: [DocumentValue.Member], against before: [DocumentValue.Member],
    _ changes: [(key: String, value: DocumentValue?)]
  ) throws(DocumentRefusal) {
    var wanted = Dictionary(
      before.map { (ExactText($0.key), $0.value) }, uniquingKeysWith: { $1 })
    for change in changes { wanted[ExactText(change.key)] = change.value }
    for member in members {
      guard let value = wanted.removeValue(forKey: ExactText(member.key)) else {
        throw DocumentRefusal("the key '\(member.key)' would come with it")
      }
      guard value == member.value else {
        throw changes.contains(where: { ExactText($0.key) == ExactText(member.key) })
          ? DocumentRefusal("the format of the file cannot hold this value")
          : DocumentRefusal("'\(member.key)' would change with it")
      }
    }
    if let lost = wanted.keys.first?.text {
      throw DocumentRefusal("'\(lost)' would be lost with it")
    }
  }
}
