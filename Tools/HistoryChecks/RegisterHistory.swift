/// Writes and reads of one register that seem to happen one after the other, each at one moment
/// between its beginning and its end.
///
/// The search is that of Wing and Gong with the memory of Lowe: it tries every order that the times
/// allow, and remembers where it has been. Values should be different, or it takes long.
public struct RegisterHistory: Sendable {
  /// What was done.
  public enum Action: Hashable, Sendable {
    case write(String)
    case read(String?)
  }

  /// The value before the first write; nil for none.
  public var initial: String?
  /// What was done; a read without an answer tells nothing and is passed over.
  public var calls: [Call<Action>] = []

  /// Makes an empty history.
  public init(initial: String? = nil) { self.initial = initial }

  private struct Place: Hashable {
    var done: Set<Int>
    var value: String?
  }

  /// What cannot be: one violation when no order explains what was seen.
  public func violations() -> [Violation] {
    let calls = calls.filter { call in
      if case .read = call.value { return call.outcome == .done }
      return call.outcome != .refused
    }.sorted { $0.start < $1.start }
    let needed = Set(calls.indices.filter { calls[$0].outcome == .done })
    var seen: Set<Place> = []
    var stack = [Place(done: [], value: initial)]
    var furthest: Set<Int> = []
    while let place = stack.popLast() {
      let open = calls.indices.filter { !place.done.contains($0) }
      let missing = needed.subtracting(place.done)
      if missing.isEmpty { return [] }
      if place.done.count > furthest.count { furthest = place.done }
      // Whatever has ended before another one begins comes first.
      let bound = missing.map { calls[$0].end }.min() ?? .max
      for index in open where calls[index].start <= bound {
        var next = place
        switch calls[index].value {
        case .read(let value):
          guard value == place.value else { continue }
        case .write(let value):
          next.value = value
        }
        next.done.insert(index)
        if seen.insert(next).inserted { stack.append(next) }
      }
    }
    let stuck = calls.indices.first { !furthest.contains($0) && needed.contains($0) }
    let words = stuck.map { "\(calls[$0].value) of client \(calls[$0].client)" } ?? "something"
    return [Violation("no order explains the register; \(words) fits nowhere")]
  }
}
