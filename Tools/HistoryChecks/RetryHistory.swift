/// One segment sent again and again, by one client or several: it has one effect.
///
/// - At most one answer says that the segment is new; every other one says that it exists.
/// - A client that hears that it exists was not the first: another one had started to send it before.
/// - All answers give it one number.
public struct RetryHistory: Sendable {
  /// The content of an answer.
  public struct Answer: Hashable, Sendable {
    /// The segment.
    public var name: String
    /// Whether it is new.
    public var isNew: Bool
    /// Its number.
    public var cursor: UInt64

    /// Describes an answer.
    public init(_ name: String, isNew: Bool, cursor: UInt64) {
      self.name = name
      self.isNew = isNew
      self.cursor = cursor
    }
  }

  /// The requests; for an unknown outcome only the name counts.
  public var sends: [Call<Answer>] = []

  /// Makes an empty history.
  public init() {}

  /// The violations.
  public func violations() -> [Violation] {
    var violations: [Violation] = []
    for (name, sends) in Dictionary(grouping: sends, by: \.value.name).sorted(by: {
      $0.key < $1.key
    }) {
      let answered = sends.filter { $0.outcome == .done }
      let new = answered.filter(\.value.isNew)
      if new.count > 1 { violations.append(Violation("\(name) was new \(new.count) times")) }
      if Set(answered.map(\.value.cursor)).count > 1 {
        violations.append(Violation("\(name) has several numbers"))
      }
      for answer in answered where !answer.value.isNew {
        let others = sends.filter { other in
          other.start < answer.end && other.outcome != .refused
            && (other.outcome == .unknown || other.value.isNew)
        }
        if others.isEmpty {
          violations.append(
            Violation(
              "client \(answer.client) was told that \(name) existed before any client sent it"))
        }
      }
    }
    return violations
  }
}
