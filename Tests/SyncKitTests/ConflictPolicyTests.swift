import SyncKit
import SyncKitTesting
import Testing

/// What a register with several values shows.
struct ConflictPolicyTests {
  static let policies: [any ConflictPolicy] = [
    NewestPolicy(), ManualPolicy(), KeepBothPolicy(), ImmutablePolicy(), ExtremePolicy.max,
    ExtremePolicy.min, sources,
  ]

  /// Values that the ranked policy knows, so that ranks meet in the contract.
  static let ranked: [Value] = ["verified", "manual", "learned", "guessed", .null]

  private static let sources = RankPolicy { value in
    ["verified", "manual", "learned", "guessed"].firstIndex { value == .string($0) } ?? 9
  }

  @Test(arguments: policies)
  func `every built-in policy keeps the contract`(policy: any ConflictPolicy) {
    #expect(ConflictPolicyContract().violations(of: policy) == [])
    #expect(ConflictPolicyContract(values: Self.ranked, seed: 2).violations(of: policy) == [])
    let numbers: [Value] = [.double(.nan), -1, .double(-0.0), 0, .double(1.5), .int(1 << 53 + 1)]
    #expect(ConflictPolicyContract(values: numbers, seed: 3).violations(of: policy) == [])
  }

  @Test(arguments: WrongPolicy.Fault.allCases)
  func `the contract finds a policy that breaks a promise`(fault: WrongPolicy.Fault) {
    let violations = ConflictPolicyContract().violations(of: WrongPolicy(fault: fault))
    #expect(violations.contains { $0.contains(fault.rawValue) }, "\(violations)")
  }

  @Test func `newest shows the greatest stamp`() {
    let (old, new) = (sibling(.bob, 1, "old"), sibling(.ann, 2, "new"))
    #expect(NewestPolicy().shown([old, new]) == "new")
    #expect(ManualPolicy().shown([old, new]) == "new")
    #expect(ManualPolicy().needsDecision)
    #expect(!NewestPolicy().needsDecision)
  }

  @Test func `immutable shows the lowest stamp`() {
    #expect(ImmutablePolicy().shown([sibling(.bob, 1, "old"), sibling(.ann, 2, "new")]) == "old")
  }

  @Test func `keepBoth shows all values, the newest first, each once`() {
    let siblings = [sibling(.ann, 1, "a"), sibling(.bob, 3, "b"), sibling(.cleo, 2, "a")]
    #expect(KeepBothPolicy().shown(siblings) == .list(["b", "a"]))
    #expect(KeepBothPolicy().shown([siblings[0], siblings[2]]) == "a")
    #expect(KeepBothPolicy().needsDecision)
  }

  @Test func `max and min show an extreme, and unset loses to any value`() {
    let siblings = [sibling(.ann, 9, 3), sibling(.bob, 1, 5), sibling(.cleo, 2, .null)]
    #expect(ExtremePolicy.max.shown(siblings) == 5)
    #expect(ExtremePolicy.min.shown(siblings) == 3)
    #expect(ExtremePolicy.min.shown([siblings[2]]) == .null)
  }

  /// The author's write covers what it has seen, so it must carry the extreme on.
  @Test func `the author writes the max or min of the own value and those seen`() {
    let seen = [sibling(.ann, 1, 3), sibling(.bob, 2, 5)]
    #expect(ExtremePolicy.max.written(4, seeing: seen) == 5)
    #expect(ExtremePolicy.max.written(6, seeing: seen) == 6)
    #expect(ExtremePolicy.min.written(4, seeing: seen) == 3)
    #expect(NewestPolicy().written(4, seeing: seen) == 4)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `an extreme stays the extreme, whichever device writes over it`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var all: [Value] = []
    var left: [Sibling] = []
    for step in 1...20 {
      let wish = Value.random(depth: 1, using: &random)
      let seen = left.filter { _ in random.chance(50) }
      let written = ExtremePolicy.max.written(wish, seeing: seen)
      left.removeAll { seen.contains($0) }
      left.append(sibling(.ann, UInt64(step), written))
      all.append(wish)
      let everything = all.map { sibling(.bob, 1, $0) }
      #expect(ExtremePolicy.max.shown(left) == ExtremePolicy.max.shown(everything))
    }
  }

  @Test func `rank shows the best rank, among equals the newest`() {
    let siblings = [
      sibling(.ann, 1, "manual"), sibling(.bob, 9, "guessed"), sibling(.cleo, 2, "manual"),
    ]
    #expect(Self.sources.shown(siblings) == "manual")
    #expect(Self.sources.shown([sibling(.ann, 1, "odd"), sibling(.bob, 2, "odder")]) == "odder")
  }

  private func sibling(_ author: ReplicaID, _ time: UInt64, _ value: Value) -> Sibling {
    Sibling(dot: Dot(author, time), stamp: Stamp(time: time, replica: author), value: value)
  }
}

/// A policy that breaks one promise; the raw value is part of what the contract says about it.
struct WrongPolicy: ConflictPolicy {
  enum Fault: String, CaseIterable {
    case firstDelivered = "shows another value in another order"
    case counts = "shows neither one of the values nor a list of all"
    case decorates = "shows equal values as something else"
    case remembers = "gives another answer when it is asked again"
    case writesFirstSeen = "writes another value in another order"
    case invents = "writes a value that its author neither wants nor has seen"
    case startsElsewhere = "changes what is written to an unset field"
  }

  let fault: Fault
  let name = "wrong"
  private let calls = CallCount()

  init(fault: Fault) { self.fault = fault }

  func shown(_ siblings: [Sibling]) -> Value {
    switch fault {
    case .firstDelivered: siblings[0].value
    case .counts: .int(Int64(siblings.count))
    case .decorates: .list([NewestPolicy().shown(siblings)])
    case .remembers: calls.next() > 4_200 ? .null : NewestPolicy().shown(siblings)
    default: NewestPolicy().shown(siblings)
    }
  }

  func written(_ value: Value, seeing siblings: [Sibling]) -> Value {
    switch fault {
    case .writesFirstSeen: siblings.first?.value ?? value
    case .invents: .list([value])
    case .startsElsewhere: siblings.isEmpty ? .null : value
    default: value
    }
  }
}
