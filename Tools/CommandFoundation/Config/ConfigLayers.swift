/// Lays one part of the configuration over another.
package enum ConfigLayers {
  /// The lower layer with all that the upper one says in its place.
  ///
  /// Maps are united key by key; a single value, a list and a secret are replaced whole, so that half a
  /// list or two ways to one secret never come together. Of alternatives, such as `remote` and
  /// `remotes`, the upper layer's choice stays alone.
  package static func merge(_ lower: ConfigNode, _ upper: ConfigNode) -> ConfigNode {
    merge(lower, upper, .map(ConfigSchema.root))
  }

  private static func merge(
    _ lower: ConfigNode, _ upper: ConfigNode, _ type: ConfigType
  ) -> ConfigNode {
    guard var entries = lower.entries, let changes = upper.entries else {
      return upper.isAbsent && lower.entries != nil ? lower : upper
    }
    switch type {
    case .map(let map):
      if changes.contains(where: { map.alternatives.contains($0.key) }) {
        entries.removeAll { map.alternatives.contains($0.key) }
      }
      for change in changes {
        merge(change, into: &entries, map[change.key]?.type ?? .text)
      }
    case .named(let type, _):
      for change in changes { merge(change, into: &entries, type) }
    default: return upper
    }
    return ConfigNode(content: .map(entries, isFlow: true), origin: lower.origin)
  }

  private static func merge(
    _ change: ConfigEntry, into entries: inout [ConfigEntry], _ type: ConfigType
  ) {
    guard let index = entries.firstIndex(where: { $0.key == change.key }) else {
      entries.append(change)
      return
    }
    entries[index].value = merge(entries[index].value, change.value, type)
    entries[index].origin = change.origin
  }
}
