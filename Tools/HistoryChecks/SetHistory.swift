/// What clients have added to a set that only grows, and what they have read of it.
///
/// - What was added before a read began is in it.
/// - What is read was added by somebody, once, before the read ended, and was not refused.
public struct SetHistory: Sendable {
  /// What was added.
  public var additions: [Call<String>] = []
  /// What was read, in the order in which it was told.
  public var reads: [Call<[String]>] = []

  /// Makes an empty history.
  public init() {}

  /// What cannot be.
  public func violations() -> [Violation] {
    var violations: [Violation] = []
    let attempts = Dictionary(grouping: additions, by: \.value)
    for read in reads where read.outcome == .done {
      var seen: Set<String> = []
      for element in read.value where !seen.insert(element).inserted {
        violations.append(Violation("client \(read.client) reads \(element) twice at once"))
      }
      for addition in additions
      where addition.outcome == .done && addition.end < read.start && !seen.contains(addition.value)
      {
        violations.append(
          Violation(
            "\(addition.value), added by client \(addition.client) until \(addition.end), is lost to"
              + " client \(read.client) at \(read.start)"))
      }
      for element in seen.sorted() {
        let possible = (attempts[element] ?? []).filter {
          $0.outcome != .refused && $0.start <= read.end
        }
        if possible.isEmpty {
          violations.append(
            Violation("client \(read.client) reads \(element), which no client can have added yet"))
        }
      }
    }
    return violations
  }
}
