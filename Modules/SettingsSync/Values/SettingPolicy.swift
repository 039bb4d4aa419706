import SyncKit

/// Shows concurrent values of a setting by the policy that the setting itself names.
///
/// The policy is written with the value where the app's declaration asks for one other than `newest`,
/// so that it is part of the zone's state and the same on every device. Of settings that name
/// different ones the newest counts.
struct SettingPolicy: ConflictPolicy {
  let name = "setting"

  func shown(_ siblings: [Sibling]) -> Value {
    let newest = NewestPolicy().shown(siblings)
    switch MergeRule(of: newest) {
    case .newest: return newest
    case .first: return ImmutablePolicy().shown(siblings)
    case .greatest, .least:
      let isGreatest = MergeRule(of: newest) == .greatest
      let ordered = siblings.map(\.value).sorted { Self.precedes($0, $1) }
      return (isGreatest ? ordered.last : ordered.first) ?? .null
    }
  }

  /// By the value itself, then by everything else, so that the order is total.
  private static func precedes(_ left: Value, _ right: Value) -> Bool {
    let (inner, other) = (left.map?[.value] ?? .null, right.map?[.value] ?? .null)
    if Value.precedes(inner, other) { return true }
    return !Value.precedes(other, inner) && Value.precedes(left, right)
  }
}

/// The rules that an app can declare for concurrent values of a setting.
public enum MergeRule: String, Sendable, CaseIterable {
  /// The one that was written last.
  case newest
  /// The one that was written first.
  case first = "immutable"
  /// The greatest.
  case greatest = "max"
  /// The least.
  case least = "min"

  init(of group: Value) {
    self = group.map?[.merge]?.string.flatMap { MergeRule(rawValue: $0) } ?? .newest
  }
}
