import HistoryChecks
import SyncKitTesting
import Testing

/// Histories that no correct server can have, each wrong in one way; the checks must detect every one.
enum WrongHistory: String, CaseIterable, Sendable {
  case setLosesAnElement, setLosesItLater, setInventsAnElement, setTellsTwice,
    setKeepsWhatWasRefused
  case setReadsTheFuture
  case feedSkips, feedFillsAGapLater, feedReusesANumber, feedMovesAThing, feedGoesBack
  case feedRepeatsWhatWasAsked, feedEndsTooEarly, feedDeniesItsEntries, feedForgetsWhatIsStored
  case retryIsNewTwice, retryHasTwoNumbers, retryKnowsTooEarly, retryKnowsWhatWasRefused
  case registerIsStale, registerGoesBack, registerInvents, registerForgetsTheInitialOne
  case registerSplits, registerLosesAWrite, registerReadsARefusedWrite
  case shareLeaksAfterTheEnd, shareLeaksBeforeTheBeginning, shareLeaksAgain, shareHidesAThing
  case shareHidesAll, sharePeeksAfterTheEnd
  case feedIsTooOld, shareIsTooOld, readerKeepsWhatIsGone, readerMissesAnEntry,
    readerHasAnotherNumber

  func violations() -> [Violation] {
    switch self {
    case .setLosesAnElement: set([add("a", 0, 1)], [read([], 2, 3)])
    case .setLosesItLater: set([add("a", 0, 1)], [read(["a"], 2, 3), read([], 4, 5)])
    case .setInventsAnElement: set([add("a", 0, 1)], [read(["a", "b"], 2, 3)])
    case .setTellsTwice: set([add("a", 0, 1)], [read(["a", "a"], 2, 3)])
    case .setKeepsWhatWasRefused: set([add("a", 0, 1, .refused)], [read(["a"], 2, 3)])
    case .setReadsTheFuture: set([add("a", 4, 5)], [read(["a"], 2, 3)])
    case .feedSkips:
      feed(
        [],
        [
          page(0, [(1, "a"), (3, "c")], 3, 0, 1), page(0, [(1, "a"), (2, "b"), (3, "c")], 3, 2, 3),
        ])
    case .feedFillsAGapLater: feed([store("a", 2, 0, 9)], [page(0, [(3, "b")], 3, 4, 5)])
    case .feedReusesANumber: feed([], [page(0, [(1, "a")], 1, 0, 1), page(0, [(1, "b")], 1, 2, 3)])
    case .feedMovesAThing: feed([store("a", 1, 0, 1)], [page(0, [(2, "a")], 2, 2, 3)])
    case .feedGoesBack: feed([], [page(0, [(2, "b"), (1, "a")], 2, 0, 1)])
    case .feedRepeatsWhatWasAsked: feed([], [page(1, [(1, "a")], 1, 0, 1)])
    case .feedEndsTooEarly: feed([store("a", 5, 0, 1)], [page(0, [], 4, 2, 3)])
    case .feedDeniesItsEntries: feed([], [page(0, [(1, "a"), (2, "b")], 1, 0, 1)])
    case .feedForgetsWhatIsStored: feed([store("a", 1, 0, 1)], [page(0, [], 0, 2, 3)])
    case .retryIsNewTwice: retry([send("a", true, 1, 0, 1), send("a", true, 1, 2, 3)])
    case .retryHasTwoNumbers: retry([send("a", true, 1, 0, 1), send("a", false, 2, 2, 3)])
    case .retryKnowsTooEarly: retry([send("a", false, 1, 0, 1), send("a", true, 1, 2, 3)])
    case .retryKnowsWhatWasRefused:
      retry([send("a", true, 1, 0, 1, .refused), send("a", false, 1, 2, 3)])
    case .registerIsStale:
      register([write("a", 0, 1), write("b", 2, 3), look("a", 4, 5)])
    case .registerGoesBack:
      register([write("a", 0, 1), write("b", 2, 9), look("b", 3, 4), look("a", 5, 6)])
    case .registerInvents: register([write("a", 0, 1), look("z", 2, 3)])
    case .registerForgetsTheInitialOne: register([look("a", 0, 1)])
    case .registerSplits:
      register([
        write("a", 0, 9), write("b", 0, 9), look("a", 1, 2), look("b", 3, 4), look("a", 5, 6),
      ])
    case .registerLosesAWrite: register([write("a", 0, 1), look(nil, 2, 3)])
    case .registerReadsARefusedWrite: register([write("a", 0, 1, .refused), look("a", 2, 3)])
    case .shareLeaksAfterTheEnd:
      share([decide(.give, 0, 1), decide(.take, 2, 3)], [seen(["a"], 4, 5)], [stored("a", 0, 1)])
    case .shareLeaksBeforeTheBeginning:
      share([decide(.give, 6, 7)], [seen(["a"], 4, 5)], [stored("a", 0, 1)])
    case .shareLeaksAgain:
      share(
        [decide(.give, 0, 1), decide(.take, 2, 3), decide(.give, 8, 9), decide(.take, 10, 11)],
        [seen(["a"], 8, 9), seen(["a"], 12, 13)], [stored("a", 0, 1)])
    case .sharePeeksAfterTheEnd:
      share(
        [decide(.give, 0, 1), decide(.take, 2, 3)], [], [stored("a", 0, 1)], [seen(["a"], 4, 5)])
    case .shareHidesAThing:
      share([decide(.give, 0, 1)], [seen(["a"], 4, 5)], [stored("a", 0, 1), stored("b", 2, 3)])
    case .feedIsTooOld:
      feed([store("a", 1, 0, 1)], [page(0, [], 0, 7, 8)], staleness: 5)
    case .shareIsTooOld:
      share(
        [decide(.give, 0, 1), decide(.take, 2, 3)], [seen(["a"], 9, 10)], [stored("a", 0, 1)],
        staleness: 5)
    case .readerKeepsWhatIsGone: reader([(1, "a")], [(1, "a"), (2, "b")])
    case .readerMissesAnEntry: reader([(1, "a"), (2, "b")], [(2, "b")])
    case .readerHasAnotherNumber: reader([(2, "a")], [(1, "a")])
    case .shareHidesAll: share([decide(.give, 0, 1)], [seen([], 4, 5)], [stored("a", 0, 1)])
    }
  }
}

@Test(arguments: WrongHistory.allCases)
func `a wrong history is detected`(history: WrongHistory) {
  let violations = history.violations()
  #expect(!violations.isEmpty, "\(history) passed for a right one")
}

@Test func `correct histories pass, even unlucky ones`() {
  let right: [String: [Violation]] = [
    "an addition whose answer was lost may be there": set(
      [add("a", 0, 1, .unknown)], [read(["a"], 2, 3)]),
    "or not": set([add("a", 0, 1, .unknown)], [read([], 2, 3)]),
    "or come late": set([add("a", 0, 1, .unknown)], [read([], 2, 3), read(["a"], 4, 5)]),
    "an addition beside a read may be in it or not": set(
      [add("a", 0, 9), add("b", 0, 9)], [read(["a"], 2, 3)]),
    "numbers may be left out": feed(
      [store("a", 1, 0, 1)], [page(0, [(1, "a"), (7, "b")], 7, 2, 3), page(7, [], 7, 4, 5)]),
    "a page with more behind it ends where it likes": feed(
      [store("a", 1, 0, 1), store("b", 2, 0, 1)], [page(0, [(1, "a")], 1, 2, 3, hasMore: true)]),
    "what is stored beside a page may come behind it": feed(
      [store("a", 5, 0, 9)], [page(0, [], 4, 2, 3)]),
    "a lost answer explains that it was there": retry([
      send("a", true, 0, 0, 1, .unknown), send("a", false, 1, 2, 3), send("a", false, 1, 4, 5),
    ]),
    "two at once, one is new": retry([send("a", true, 1, 0, 9), send("a", false, 1, 0, 8)]),
    "writes at once come in either order": register([
      write("a", 0, 9), write("b", 0, 9), look("b", 10, 11), look("b", 12, 13),
    ]),
    "a write whose answer was lost may come late": register([
      write("a", 0, 1), write("b", 2, 3, .unknown), look("a", 4, 5), look("b", 6, 7),
    ]),
    "or never": register([write("a", 0, 1), write("b", 2, 3, .unknown), look("a", 4, 5)]),
    "a read beside the taking may bring something": share(
      [decide(.give, 0, 1), decide(.take, 4, 9)], [seen(["a"], 5, 6), seen([], 5, 6)],
      [stored("a", 2, 3)]),
    "a page may be as old as it may be": feed(
      [store("a", 1, 0, 1)], [page(0, [], 0, 5, 6)], staleness: 5),
    "a guest may read for as long": share(
      [decide(.give, 0, 1), decide(.take, 2, 3)], [seen(["a"], 7, 8)], [stored("a", 0, 1)],
      staleness: 5),
    "a reader ends with what the feed has": reader([(1, "a"), (3, "b")], [(1, "a"), (3, "b")]),
    "a taking whose answer was lost tells nothing": share(
      [decide(.give, 0, 1), decide(.take, 2, 3, .unknown)], [seen(["a"], 5, 6), seen([], 7, 8)],
      [stored("a", 0, 1)]),
  ]
  for (name, violations) in right {
    for violation in violations { Issue.record("\(name): \(violation)") }
  }
}

@Test func `a long register with many clients is checked in a moment`() {
  var history = RegisterHistory()
  for round in 0..<50 {
    let time = UInt64(round * 10)
    for client in 0..<4 {
      history.calls.append(
        Call(client: client, start: time, end: time + 8, value: .write("\(round)-\(client)")))
    }
    history.calls.append(
      Call(client: 5, start: time + 9, end: time + 9, value: .read("\(round)-2")))
  }
  #expect(history.violations() == [])
  history.calls.append(Call(client: 6, start: 900, end: 901, value: .read("0-0")))
  #expect(history.violations() != [])
}

@Test func `a register with many lost answers is checked in a moment`() {
  var history = RegisterHistory()
  // Every tenth write takes effect long after its answer was lost, and only then is it read.
  for round in 0..<200 {
    let time = UInt64(round * 10)
    history.calls.append(write("\(round)", time, time + 3, round % 2 == 0 ? .unknown : .done))
    guard round % 10 == 9 else { continue }
    history.calls.append(look("\(round - 9)", time + 5, time + 6))
  }
  #expect(history.violations() == [])
  history.calls.append(look("0", 1_500, 1_501))
  #expect(history.violations() != [])
}

@Test func `a register is judged as if by trying every order`() {
  var random = SeededRandom(seed: 1)
  var right = 0
  for _ in 0..<4_000 {
    let calls = (0..<Int.random(in: 2...6, using: &random)).map { number in
      let start = UInt64.random(in: 1...12, using: &random)
      let end = start + UInt64.random(in: 0...5, using: &random)
      guard Bool.random(using: &random) else {
        return look(["0", "1", "2", nil].randomElement(using: &random)!, start, end)
      }
      let outcome: Call<RegisterHistory.Action>.Outcome =
        Bool.random(using: &random) ? .done : .unknown
      return write("\(number)", start, end, outcome)
    }
    let isRight = hasOrder(of: calls)
    right += isRight ? 1 : 0
    #expect(register(calls).isEmpty == isRight, "\(calls)")
  }
  #expect((500...3_500).contains(right))
}

/// Whether some order of calls within their times explains the reads.
private func hasOrder(
  of open: [Call<RegisterHistory.Action>], value: String? = nil
) -> Bool {
  let isOver = open.allSatisfy { $0.outcome == .unknown }
  return isOver
    || open.indices.contains { index in
      let call = open[index]
      guard open.allSatisfy({ $0.outcome == .unknown || $0.end >= call.start }) else {
        return false
      }
      var rest = open
      rest.remove(at: index)
      switch call.value {
      case .write(let written): return hasOrder(of: rest, value: written)
      case .read(let read): return read == value && hasOrder(of: rest, value: value)
      }
    }
}

// MARK: Short words for the tables above

private typealias Outcome = Call<String>.Outcome

private func set(_ additions: [Call<String>], _ reads: [Call<[String]>]) -> [Violation] {
  var history = SetHistory()
  history.additions = additions
  history.reads = reads
  return history.violations()
}

private func add(
  _ element: String, _ start: UInt64, _ end: UInt64, _ outcome: Outcome = .done
) -> Call<String> {
  Call(client: 1, start: start, end: end, outcome: outcome, value: element)
}

private func read(_ elements: [String], _ start: UInt64, _ end: UInt64) -> Call<[String]> {
  Call(client: 2, start: start, end: end, value: elements)
}

private func feed(
  _ stores: [Call<(name: String, cursor: UInt64?)>], _ pages: [Call<FeedHistory.Page>],
  staleness: UInt64 = 0
) -> [Violation] {
  var history = FeedHistory(staleness: staleness)
  history.stores = stores
  history.pages = pages
  return history.violations()
}

private func store(
  _ name: String, _ cursor: UInt64, _ start: UInt64, _ end: UInt64
) -> Call<(name: String, cursor: UInt64?)> {
  Call(client: 1, start: start, end: end, value: (name, cursor))
}

private func page(
  _ after: UInt64, _ entries: [(UInt64, String)], _ cursor: UInt64, _ start: UInt64, _ end: UInt64,
  hasMore: Bool = false
) -> Call<FeedHistory.Page> {
  Call(
    client: 2, start: start, end: end,
    value: FeedHistory.Page(
      after: after, entries: entries.map { FeedHistory.Entry($0.0, $0.1) }, cursor: cursor,
      hasMore: hasMore))
}

private func retry(_ sends: [Call<RetryHistory.Answer>]) -> [Violation] {
  var history = RetryHistory()
  history.sends = sends
  return history.violations()
}

private func send(
  _ name: String, _ isNew: Bool, _ cursor: UInt64, _ start: UInt64, _ end: UInt64,
  _ outcome: Call<RetryHistory.Answer>.Outcome = .done
) -> Call<RetryHistory.Answer> {
  Call(
    client: 1, start: start, end: end, outcome: outcome,
    value: RetryHistory.Answer(name, isNew: isNew, cursor: cursor))
}

private func register(_ calls: [Call<RegisterHistory.Action>]) -> [Violation] {
  var history = RegisterHistory()
  history.calls = calls
  return history.violations()
}

private func write(
  _ value: String, _ start: UInt64, _ end: UInt64,
  _ outcome: Call<RegisterHistory.Action>.Outcome = .done
) -> Call<RegisterHistory.Action> {
  Call(client: 1, start: start, end: end, outcome: outcome, value: .write(value))
}

private func look(
  _ value: String?, _ start: UInt64, _ end: UInt64
) -> Call<RegisterHistory.Action> {
  Call(client: 2, start: start, end: end, value: .read(value))
}

private func reader(
  _ feed: [(UInt64, String)], _ held: [(UInt64, String)]
) -> [Violation] {
  var history = ReaderHistory()
  history.feed = feed.map { FeedHistory.Entry($0.0, $0.1) }
  history.held = [1: Set(held.map { FeedHistory.Entry($0.0, $0.1) })]
  return history.violations()
}

private func share(
  _ decisions: [Call<ShareHistory.Decision>], _ reads: [Call<Set<String>>],
  _ stores: [Call<String>], _ peeks: [Call<Set<String>>] = [], staleness: UInt64 = 0
) -> [Violation] {
  var history = ShareHistory(staleness: staleness)
  history.peeks = peeks
  history.decisions = decisions
  history.reads = reads
  history.stores = stores
  return history.violations()
}

private func decide(
  _ decision: ShareHistory.Decision, _ start: UInt64, _ end: UInt64,
  _ outcome: Call<ShareHistory.Decision>.Outcome = .done
) -> Call<ShareHistory.Decision> {
  Call(client: 1, start: start, end: end, outcome: outcome, value: decision)
}

private func seen(_ things: Set<String>, _ start: UInt64, _ end: UInt64) -> Call<Set<String>> {
  Call(client: 2, start: start, end: end, value: things)
}

private func stored(_ thing: String, _ start: UInt64, _ end: UInt64) -> Call<String> {
  Call(client: 1, start: start, end: end, value: thing)
}
