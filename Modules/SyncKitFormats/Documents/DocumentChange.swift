/// The steps that lead from one document to another, as small as they can be.
struct DocumentChange {
  /// The place of a child in its list or map.
  enum Place {
    case key(String)
    case index(Int)

    func child(of parent: DocumentNode) -> Int? {
      switch self {
      case .key(let key):
        parent.children.firstIndex { $0.key.map(ExactText.init) == ExactText(key) }
      case .index(let index): parent.children.indices.contains(index) ? index : nil
      }
    }
  }

  enum Action {
    case replace(Place, DocumentValue)
    case remove(Place)
    /// Before the child at the index; nil for the end.
    case insert([DocumentValue.Member], at: Int?)
  }

  /// An action within the list or map at a path.
  struct Step {
    var path: [Place]
    var action: Action
  }

  private(set) var steps: [Step] = []

  init(_ root: DocumentNode, _ changes: [(key: String, value: DocumentValue?)]) {
    let known = Dictionary(
      root.children.enumerated().map { (ExactText($1.key ?? ""), $0) }, uniquingKeysWith: { $1 })
    var added: [DocumentValue.Member] = []
    var removed: [Step] = []
    for change in changes {
      let index = known[ExactText(change.key)]
      guard let value = change.value else {
        if index != nil { removed.append(Step(path: [], action: .remove(.key(change.key)))) }
        continue
      }
      if let index {
        compare(root.children[index].node, value, [], .key(change.key))
      } else {
        added.append(.init(change.key, value))
      }
    }
    if !added.isEmpty { steps.append(Step(path: [], action: .insert(added, at: nil))) }
    steps += removed
  }

  private mutating func compare(
    _ old: DocumentNode, _ new: DocumentValue, _ path: [Place], _ place: Place
  ) {
    guard old.value != new else { return }
    switch (old.content, new) {
    case (.map(let children), .map(let members)) where !members.isEmpty && !children.isEmpty:
      compare(children, members, path + [place])
    case (.list(let children), .list(let values)) where !values.isEmpty && !children.isEmpty:
      compare(children, values, path + [place])
    default: steps.append(Step(path: path, action: .replace(place, new)))
    }
  }

  private mutating func compare(
    _ children: [DocumentChild], _ members: [DocumentValue.Member], _ path: [Place]
  ) {
    var missing = Dictionary(
      members.map { (ExactText($0.key), $0.value) }, uniquingKeysWith: { $1 })
    var removed: [Step] = []
    for child in children {
      let key = child.key ?? ""
      if let value = missing.removeValue(forKey: ExactText(key)) {
        compare(child.node, value, path, .key(key))
      } else {
        removed.append(Step(path: path, action: .remove(.key(key))))
      }
    }
    let added = members.filter { missing[ExactText($0.key)] != nil }
    if !added.isEmpty { steps.append(Step(path: path, action: .insert(added, at: nil))) }
    // Last, so that the map is never empty in between.
    steps += removed
  }

  /// Compares lists: what is equal at both ends stays, the rest is compared one by one.
  private mutating func compare(
    _ children: [DocumentChild], _ values: [DocumentValue], _ path: [Place]
  ) {
    let shorter = min(children.count, values.count)
    var head = 0
    while head < shorter, children[head].node.value == values[head] { head += 1 }
    var tail = 0
    while tail < shorter - head,
      children[children.count - 1 - tail].node.value == values[values.count - 1 - tail]
    { tail += 1 }
    let pairs = shorter - head - tail
    for index in head..<(head + pairs) {
      compare(children[index].node, values[index], path, .index(index))
    }
    let rest = head + pairs
    for index in (rest..<(children.count - tail)).reversed() {
      steps.append(Step(path: path, action: .remove(.index(index))))
    }
    let added = values[rest..<(values.count - tail)].map { DocumentValue.Member("", $0) }
    guard !added.isEmpty else { return }
    let index = rest == children.count ? nil : rest
    steps.append(Step(path: path, action: .insert(added, at: index)))
  }
}
