import Synchronization

/// How much work a storage has done: what a caller with a stopwatch could tell apart.
///
/// Tests look at it: a missing thing must cost what another account's thing costs, and a wrong token
/// what costs one that has ended.
final class WorkCount: Sendable {
  /// The numbers at one moment.
  struct Reading: Equatable {
    /// Statements that were run.
    var statements: Int
    /// Secrets that were compared.
    var comparisons: Int

    static func - (left: Reading, right: Reading) -> Reading {
      Reading(
        statements: left.statements - right.statements,
        comparisons: left.comparisons - right.comparisons)
    }
  }

  private let statements = Atomic<Int>(0)
  private let comparisons = Atomic<Int>(0)

  func addStatement() { statements.wrappingAdd(1, ordering: .relaxed) }
  func addComparison() { comparisons.wrappingAdd(1, ordering: .relaxed) }

  var reading: Reading {
    Reading(
      statements: statements.load(ordering: .relaxed),
      comparisons: comparisons.load(ordering: .relaxed))
  }
}
