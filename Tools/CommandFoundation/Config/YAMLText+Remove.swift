extension YAMLText {
  /// Takes a key with its value out; a map that has no other key goes with it.
  package mutating func remove(_ path: ArraySlice<String>, in node: ConfigNode?) {
    guard let node, let entries = node.entries, let key = path.first,
      let index = entries.firstIndex(where: { $0.key == key })
    else { return }
    let entry = entries[index]
    let rest = path.dropFirst()
    if !rest.isEmpty {
      guard let inner = entry.value.entries, inner.contains(where: { $0.key == rest.first }) else {
        return
      }
      if inner.count > 1 || rest.count > 1 {
        remove(rest, in: entry.value)
        return
      }
    }
    let end = max(
      entry.span.upperBound,
      entry.value.isAbsent ? entry.span.upperBound : contentEnd(of: entry.value))
    if case .map(_, isFlow: true) = node.content {
      removePair(entries, index, end: end)
    } else {
      removeLines(from: entry.span.lowerBound, to: end)
    }
  }
}
