/// What a write says about the existence of its record.
package enum AliveKind: UInt8, Sendable, CaseIterable {
  /// Written whole, by a create or a restore.
  case created = 0
  /// Changed by a person, itself or in a child.
  case edited = 1
  /// Changed by the way: a usage counter, an applied default, automatic learning.
  case touched = 2
  /// Removed; fields stay restorable.
  case deleted = 3
  /// Removed with its content, whatever happened at the same time.
  case erased = 4

  /// Whether a write of this kind replaces an existing value of the other kind that it has seen.
  ///
  /// A weaker value must not wipe the evidence of a stronger one: an edit does not cover the
  /// creation, and a touch covers nothing but touches.
  package func covers(_ other: AliveKind) -> Bool {
    switch self {
    case .touched: other == .touched
    case .edited: other != .created
    case .created, .deleted, .erased: true
    }
  }

  /// Whether the record exists for a reader when this value is the shown one.
  package var isVisible: Bool {
    switch self {
    case .created, .edited, .touched: true
    case .deleted, .erased: false
    }
  }
}

/// One of the concurrent values of a record's alive register.
package struct AliveSibling: Hashable, Sendable {
  /// The change that wrote it.
  package var dot: Dot
  /// When it was written.
  package var stamp: Stamp
  /// What it says.
  package var kind: AliveKind

  /// Makes a sibling.
  package init(dot: Dot, stamp: Stamp, kind: AliveKind) {
    self.dot = dot
    self.stamp = stamp
    self.kind = kind
  }
}

/// Which of the concurrent alive values wins: a collection's delete rule.
public enum DeleteRule: String, Sendable, CaseIterable {
  /// erased > created = edited > deleted > touched.
  case editWins
  /// erased > created > deleted > edited > touched.
  case deleteWins
  /// erased first, else the newest stamp; touched never beats deleted.
  case newest

  /// The value that counts; nil for an empty register.
  package func shown(_ siblings: [AliveSibling]) -> AliveSibling? {
    siblings.max { left, right in
      let strengths = (strength(left.kind), strength(right.kind))
      if strengths.0 != strengths.1 { return strengths.0 < strengths.1 }
      return left.stamp != right.stamp ? left.stamp < right.stamp : left.dot < right.dot
    }
  }

  private func strength(_ kind: AliveKind) -> Int {
    switch (self, kind) {
    case (_, .erased): 9
    case (_, .touched): 0
    case (.editWins, .created), (.editWins, .edited): 3
    case (.editWins, .deleted): 2
    case (.deleteWins, .created): 3
    case (.deleteWins, .deleted): 2
    case (.deleteWins, .edited): 1
    case (.newest, _): 1
    }
  }
}
