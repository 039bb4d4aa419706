/// Chooses what a register with several concurrent values shows.
///
/// ## What every policy promises
///
/// - **A pure function of the set.** The same values give the same answer in any order, on every device;
///   nothing else (no clock, no device, no configuration) has an influence.
/// - **A member or a combination.** The answer loses no value: all of them stay in the register until the
///   next write.
///
/// `ConflictPolicyContract` in SyncKitTesting checks both.
public protocol ConflictPolicy: Sendable {
  /// The policy's name in schemas and documents, such as `newest`.
  var name: String { get }

  /// The value to show for at least one sibling, in no particular order.
  func shown(_ siblings: [Sibling]) -> Value

  /// Whether a person has to choose among distinct values.
  var needsDecision: Bool { get }

  /// What an author writes that wants `value` and has seen `siblings`.
  func written(_ value: Value, seeing siblings: [Sibling]) -> Value
}

extension ConflictPolicy {
  public var needsDecision: Bool { false }
  public func written(_ value: Value, seeing siblings: [Sibling]) -> Value { value }
}

/// The value with the greatest stamp; the default.
public struct NewestPolicy: ConflictPolicy {
  public let name = "newest"
  /// Makes the policy.
  public init() {}
  public func shown(_ siblings: [Sibling]) -> Value {
    siblings.min(by: Sibling.newer)?.value ?? .null
  }
}

/// The newest is shown and a person is asked to choose.
public struct ManualPolicy: ConflictPolicy {
  public let name = "manual"
  public let needsDecision = true
  /// Makes the policy.
  public init() {}
  public func shown(_ siblings: [Sibling]) -> Value { NewestPolicy().shown(siblings) }
}

/// All values are shown, the newest first, as a list when they differ.
public struct KeepBothPolicy: ConflictPolicy {
  public let name = "keepBoth"
  public let needsDecision = true
  /// Makes the policy.
  public init() {}
  public func shown(_ siblings: [Sibling]) -> Value {
    var values: [Value] = []
    for sibling in siblings.sorted(by: Sibling.newer) where !values.contains(sibling.value) {
      values.append(sibling.value)
    }
    return values.count == 1 ? values[0] : .list(values)
  }

  /// Texts that are longer together have no room in a change.
  private static let largest = Change.maximumBytes - 4_096

  /// One value for several that are shown, the newest first: all texts, or else the newest value.
  package static func single(_ values: [Value]) -> Value {
    let texts = values.compactMap(\.string)
    let isText = !texts.isEmpty && values.allSatisfy { $0.isNull || $0.string != nil }
    guard isText else { return values.first ?? .null }
    let all = texts.joined(separator: "\n\n")
    return .string(all.utf8.count <= largest ? all : texts[0])
  }
}

/// The value written first: for what must never change.
public struct ImmutablePolicy: ConflictPolicy {
  public let name = "immutable"
  /// Makes the policy.
  public init() {}
  public func shown(_ siblings: [Sibling]) -> Value {
    siblings.max(by: Sibling.newer)?.value ?? .null
  }
}

/// The greatest or least value; unset loses to any value.
public struct ExtremePolicy: ConflictPolicy {
  public let name: String
  private let wantsGreatest: Bool

  /// The greatest value, by the order of ``Value/precedes(_:_:)``.
  public static let max = Self(name: "max", wantsGreatest: true)
  /// The least value.
  public static let min = Self(name: "min", wantsGreatest: false)

  public func shown(_ siblings: [Sibling]) -> Value { extreme(siblings.map(\.value)) }
  public func written(_ value: Value, seeing siblings: [Sibling]) -> Value {
    siblings.isEmpty ? value : extreme(siblings.map(\.value) + [value])
  }

  private func extreme(_ values: [Value]) -> Value {
    let set = values.filter { !$0.isNull }
    let found = wantsGreatest ? set.max(by: Value.precedes) : set.min(by: Value.precedes)
    return found ?? .null
  }
}

/// The value of the best rank; among equals the newest.
public struct RankPolicy: ConflictPolicy {
  public let name = "rank"
  private let rank: @Sendable (Value) -> Int

  /// Ranks by a pure function; the lowest number wins.
  public init(_ rank: @escaping @Sendable (Value) -> Int) { self.rank = rank }

  public func shown(_ siblings: [Sibling]) -> Value {
    let best = siblings.map { rank($0.value) }.min()
    return NewestPolicy().shown(siblings.filter { rank($0.value) == best })
  }
}

/// What happens when an unseen remote edit arrives beside an unsealed local one.
public enum RebasePolicy: String, Sendable, CaseIterable {
  /// Both stay; the register policy chooses.
  case merge
  /// The remote edit overrides the local one, which stays beside it as a settled conflict.
  case remoteWins
  /// The local value is written again, on top of the remote one.
  case localWins
}
