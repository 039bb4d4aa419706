import SyncKit

/// Checks that a policy keeps the promises of ``ConflictPolicy``.
///
/// A test of a policy of your own is one line:
///
///     #expect(ConflictPolicyContract().violations(of: MyPolicy()) == [])
///
/// Pure functions cannot be proven by asking; the contract asks the same questions in every order
/// and again after others, about values that are chosen to be confused.
public struct ConflictPolicyContract: Sendable {
  private let values: [Value]
  private let seed: UInt64
  private let cases: Int

  /// Makes the contract.
  ///
  /// - Parameters:
  ///   - values: Values that mean something to the policy, such as those it ranks.
  ///   - seed: Repeats a check.
  ///   - cases: How many registers to ask about.
  public init(values: [Value] = [], seed: UInt64 = 1, cases: Int = 500) {
    self.values = values
    self.seed = seed
    self.cases = cases
  }

  /// The broken promises, one sentence each with an example; empty when the policy keeps them all.
  public func violations(of policy: any ConflictPolicy) -> [String] {
    var random = SeededRandom(seed: seed)
    var findings = Findings(policy: policy.name)
    var asked: [(siblings: [Sibling], wish: Value, shown: Value, written: Value)] = []
    for _ in 0..<cases {
      let siblings = register(using: &random)
      let wish = value(using: &random)
      let shown = policy.shown(siblings)
      let written = policy.written(wish, seeing: siblings)
      asked.append((siblings, wish, shown, written))
      for order in orders(of: siblings, using: &random) {
        findings.expect(policy.shown(order) == shown, "shows another value in another order", order)
        findings.expect(
          policy.written(wish, seeing: order) == written, "writes another value in another order",
          order)
      }
      findings.check(shown, of: siblings)
      findings.expect(
        written == wish || siblings.contains { $0.value == written },
        "writes a value that its author neither wants nor has seen", siblings)
    }
    for question in asked.shuffled(using: &random) {
      findings.expect(
        policy.shown(question.siblings) == question.shown
          && policy.written(question.wish, seeing: question.siblings) == question.written,
        "gives another answer when it is asked again", question.siblings)
    }
    findings.expect(
      policy.written(1, seeing: []) == 1, "changes what is written to an unset field", [])
    return findings.sentences
  }

  /// One to five siblings with few distinct values and often equal stamps.
  private func register(using random: inout SeededRandom) -> [Sibling] {
    let pool = (0..<3).map { _ in value(using: &random) }
    let replicas = (0..<3).map { _ in ReplicaID(high: random.next(), low: random.next()) }
    var siblings: [Sibling] = []
    for index in 0..<Int.random(in: 1...5, using: &random) {
      let time = Stamp.pack(milliseconds: 1_782_000_000_000 + .random(in: 0...2, using: &random))
      siblings.append(
        Sibling(
          dot: Dot(replicas[index % 3], .random(in: 1...3, using: &random) * 8 + UInt64(index)),
          stamp: Stamp(time: time, replica: replicas[Int.random(in: 0...2, using: &random)]),
          value: pool[Int.random(in: 0...2, using: &random)]))
    }
    return siblings
  }

  private func value(using random: inout SeededRandom) -> Value {
    if !values.isEmpty, random.chance(70), let value = values.randomElement(using: &random) {
      return value
    }
    return .random(using: &random)
  }

  private func orders(of siblings: [Sibling], using random: inout SeededRandom) -> [[Sibling]] {
    [siblings.reversed()] + (0..<6).map { _ in siblings.shuffled(using: &random) }
  }
}

/// The first example of each broken promise.
private struct Findings {
  let policy: String
  private(set) var sentences: [String] = []
  private var seen: Set<String> = []

  init(policy: String) { self.policy = policy }

  mutating func expect(_ holds: Bool, _ fault: String, _ siblings: [Sibling]) {
    guard !holds, seen.insert(fault).inserted else { return }
    let values = siblings.map { "\($0.value) at \($0.stamp.time)" }
    sentences.append("\(policy) \(fault): \(values.joined(separator: ", "))")
  }

  mutating func check(_ shown: Value, of siblings: [Sibling]) {
    let values = Set(siblings.map(\.value))
    var isCombination = false
    if case .list(let list) = shown {
      isCombination = list.count == values.count && Set(list) == values
    }
    expect(
      values.contains(shown) || isCombination,
      "shows neither one of the values nor a list of all", siblings)
    if values.count == 1 {
      expect(values.contains(shown), "shows equal values as something else", siblings)
    }
  }
}
