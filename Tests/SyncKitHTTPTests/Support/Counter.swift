import Synchronization

/// Counts, from several tasks at once.
final class Counter: Sendable {
  private let value = Atomic(0)

  /// How often it was asked.
  var count: Int { value.load(ordering: .relaxed) }

  /// How often it was asked before.
  func next() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }
}
