/// The additions of clients to a set that only grows, and their reads of it.
///
/// - A read contains every element that was added before it began.
/// - Every element of a read was added once, before the read ended, and was not refused.
public struct SetHistory: Sendable {
  /// The additions.
  public var additions: [Call<String>] = []
  /// The reads, in the order of their answers.
  public var reads: [Call<[String]>] = []

  /// Makes an empty history.
  public init() {}

  /// The violations.
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
