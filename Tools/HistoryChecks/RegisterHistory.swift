/// Writes and reads of one register that seem to happen one after the other, each at one moment
/// between its beginning and its end.
///
/// Every value is written at most once. So the reads and the write of one value stand together in any
/// order, the write first; and an order exists if no two values must each come before the other, which
/// Gibbons and Korach have shown ("Testing Shared Memories", 1997). However many writes have an unknown
/// outcome, looking at each pair is enough.
public struct RegisterHistory: Sendable {
  /// The action.
  public enum Action: Hashable, Sendable {
    case write(String)
    case read(String?)
  }

  /// The value before the first write; nil for none.
  public var initial: String?
  /// The actions; a read without an answer proves nothing and is ignored.
  public var calls: [Call<Action>] = []

  /// Makes an empty history.
  public init(initial: String? = nil) { self.initial = initial }

  /// All actions with one value.
  private struct Uses {
    let value: String?
    /// The start and the latest end of its write.
    let write: (start: UInt64, latest: UInt64)
    /// The end of the first of its calls.
    var firstEnd: UInt64
    /// The start of the last of its calls.
    var lastStart: UInt64
    var isRead = false
    /// Whether it is the initial value.
    let isInitial: Bool

    init(_ value: String?, start: UInt64 = 0, latest: UInt64 = 0, isInitial: Bool = false) {
      self.value = value
      self.isInitial = isInitial
      write = (start, latest)
      firstEnd = latest
      lastStart = start
    }

    /// Whether one of its calls was over before one of the other's began.
    func precedes(_ other: Uses) -> Bool { isInitial || firstEnd < other.lastStart }
  }

  /// The violations: a value that was read but not written, or read too early, or two values that no order
  /// explains.
  public func violations() -> [Violation] {
    var violations: [Violation] = []
    var uses: [String?: Uses] = [initial: Uses(initial, isInitial: true)]
    for call in calls where call.outcome != .refused {
      guard case .write(let value) = call.value else { continue }
      let use = Uses(value, start: call.start, latest: call.latest)
      if uses.updateValue(use, forKey: value) != nil {
        violations.append(Violation("\(value) is written twice, so the history cannot be checked"))
      }
    }
    for call in calls where call.outcome == .done {
      guard case .read(let value) = call.value else { continue }
      let name = value ?? "nothing"
      guard var use = uses[value] else {
        violations.append(
          Violation("client \(call.client) reads \(name), which no client has written"))
        continue
      }
      if call.end < use.write.start {
        violations.append(
          Violation("client \(call.client) reads \(name) at \(call.end), before it is written"))
      }
      use.firstEnd = min(use.firstEnd, call.end)
      use.lastStart = max(use.lastStart, call.start)
      use.isRead = true
      uses[value] = use
    }
    // A write of an unknown outcome need not have happened if no client has read it.
    let happened = uses.values.filter { $0.isRead || $0.write.latest != .max }
      .sorted { $0.write.start < $1.write.start }
    for (index, first) in happened.enumerated() {
      for second in happened[(index + 1)...] where first.precedes(second) && second.precedes(first)
      {
        violations.append(
          Violation(
            "no order explains the register: \(first.value ?? "nothing") and"
              + " \(second.value ?? "nothing") each were there before the other"))
      }
    }
    return violations
  }
}
