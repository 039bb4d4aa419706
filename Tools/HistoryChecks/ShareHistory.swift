/// Parts in a zone that an owner gives and takes, and what a guest gets to read.
///
/// - A read that begins after a part was taken, and ends before it is given again, brings nothing.
/// - A read that begins after a part was given, and ends before it is taken, brings all that was stored
///   before.
public struct ShareHistory: Sendable {
  /// What the owner does.
  public enum Decision: Hashable, Sendable { case give, take }

  /// What the owner did, one after the other.
  public var decisions: [Call<Decision>] = []
  /// What the guest read; empty for a refusal.
  public var reads: [Call<Set<String>>] = []
  /// What the guest got that it asked for by number, which need not be all.
  public var peeks: [Call<Set<String>>] = []
  /// What the owner stored.
  public var stores: [Call<String>] = []

  /// Makes an empty history; nobody has a part in the beginning.
  public init() {}

  /// What cannot be.
  public func violations() -> [Violation] {
    var violations: [Violation] = []
    let decisions = decisions.filter { $0.outcome != .refused }.sorted { $0.start < $1.start }
    let all = reads.map { ($0, true) } + peeks.map { ($0, false) }
    for (read, isWhole) in all where read.outcome == .done {
      // What may hold at some moment of the read: the last decision that is over before it begins, and
      // every one that can take effect while it goes on.
      var possible: Set<Decision> = []
      var settled = Decision.take
      for decision in decisions {
        if decision.outcome == .done, decision.end < read.start {
          settled = decision.value
          possible = []
        } else if decision.start <= read.end {
          possible.insert(decision.value)
        }
      }
      possible.insert(settled)
      if !read.value.isEmpty, !possible.contains(.give) {
        violations.append(
          Violation(
            "client \(read.client) reads \(read.value.count) segments at \(read.start) without taking part"
          ))
      }
      guard isWhole, possible == [.give] else { continue }
      for store in stores where store.outcome == .done && store.end < read.start {
        guard !read.value.contains(store.value) else { continue }
        violations.append(
          Violation("client \(read.client) takes part but did not receive \(store.value)"))
      }
    }
    return violations
  }
}
