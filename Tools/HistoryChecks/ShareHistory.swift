/// Access to a zone that an owner gives and takes away, and the segments that a guest reads.
///
/// - A read that begins after access was taken away, and ends before it is given again, returns nothing.
/// - A read that begins after access was given, and ends before it is taken away, returns every segment
///   stored before.
public struct ShareHistory: Sendable {
  /// A decision of the owner.
  public enum Decision: Hashable, Sendable { case give, take }

  /// The decisions of the owner, one after another.
  public var decisions: [Call<Decision>] = []
  /// The reads of the guest; empty for a refusal.
  public var reads: [Call<Set<String>>] = []
  /// The segments that the guest requested by number, which need not be all.
  public var peeks: [Call<Set<String>>] = []
  /// The segments that the owner stored.
  public var stores: [Call<String>] = []

  /// How old an answer may be, in the unit of the calls.
  public var staleness: UInt64

  /// Makes an empty history; at first the guest has no access.
  public init(staleness: UInt64 = 0) { self.staleness = staleness }

  /// The violations.
  public func violations() -> [Violation] {
    var violations: [Violation] = []
    let decisions = decisions.filter { $0.outcome != .refused }.sorted { $0.start < $1.start }
    let all = reads.map { ($0, true) } + peeks.map { ($0, false) }
    for (read, isWhole) in all where read.outcome == .done {
      // The possible states during the read: the last decision that ends before it begins, and
      // every one that can take effect during it.
      var possible: Set<Decision> = []
      var settled = Decision.take
      for decision in decisions {
        if decision.outcome == .done, decision.end + staleness < read.start {
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
      for store in stores where store.outcome == .done && store.end + staleness < read.start {
        guard !read.value.contains(store.value) else { continue }
        violations.append(
          Violation("client \(read.client) takes part but did not receive \(store.value)"))
      }
    }
    return violations
  }
}
