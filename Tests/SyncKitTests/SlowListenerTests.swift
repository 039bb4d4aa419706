import SyncKitTesting
import Testing

@testable import SyncKitEngine
@testable import SyncKitModel
@testable import SyncKitStore

/// What a listener hears that takes its events late.
private struct Heard {
  var keys: Set<RecordKey> = []
  var reasons: Set<SyncEvent.Reason> = []
  var reloads = 0
  var events = 0
  var finished: [String] = []
  var phase: SyncPhase?

  mutating func add(_ event: SyncEvent) {
    events += 1
    switch event {
    case .changed(let keys, let reason):
      self.keys.formUnion(keys)
      reasons.insert(reason)
    case .reload(let reasons):
      reloads += 1
      self.reasons.formUnion(reasons)
    case .finished(let remote, _): finished.append(remote)
    case .phase(let phase): self.phase = phase
    case .failed, .progress: break
    }
  }

  /// Takes events until something told as the last thing has come.
  init(_ stream: AsyncStream<SyncEvent>, until isLast: (SyncEvent) -> Bool) async {
    for await event in stream {
      add(event)
      if isLast(event) { break }
    }
  }
}

private func key(_ number: Int) -> RecordKey {
  RecordKey(collection: "book", id: RecordID("\(number)"))
}

private func isPushing(_ event: SyncEvent) -> Bool {
  if case .phase(.pushing) = event { true } else { false }
}

@Test func `a listener that sleeps through two thousand writes gets every one`() async throws {
  let device = try TestDevice("a")
  let events = device.store.events
  for number in 0..<2_000 { try device.save(RecordID("\(number)"), ["title": "x"]) }
  device.store.hub.send(.phase(.pushing))
  let heard = await Heard(events, until: isPushing)
  #expect(heard.keys == Set((0..<2_000).map(key)))
  #expect(heard.reasons == [.local] && heard.reloads == 0)
  #expect(heard.events < 2_000)
}

@Test func `a hundred thousand unread changes become one event to read again`()
  async throws
{
  let hub = EventHub()
  let events = hub.subscribe()
  for number in 0..<100_000 {
    hub.send([key(number)], reason: number.isMultiple(of: 2) ? .remote : .initialSync)
  }
  hub.send([key(1)], reason: .local)
  hub.send(.phase(.pushing))
  let heard = await Heard(events, until: isPushing)
  #expect(heard.reloads == 1 && heard.keys.isEmpty)
  #expect(heard.reasons == [.remote, .initialSync, .local])
  // Whatever comes after it is named again.
  hub.send([key(7)], reason: .local)
  hub.send(.phase(.pushing))
  #expect(await Heard(events, until: isPushing).keys == [key(7)])
}

@Test func `an import of a hundred thousand records reaches a listener that lags`() async throws {
  let device = try TestDevice("a")
  let events = device.store.events
  let drafts = (0..<100_000).map { number in
    RecordDraft("book", id: RecordID("\(number)"), fields: ["rating": .int(Int64(number))])
  }
  _ = try device.store.importAll(drafts)
  device.store.hub.send(.phase(.pushing))
  let heard = await Heard(events, until: isPushing)
  #expect(heard.reloads == 1 || heard.keys.count == 100_000)
}

@Test func `a hundred thousand changes of few records are told as those records`() async throws {
  let hub = EventHub()
  let events = hub.subscribe()
  for number in 0..<100_000 { hub.send([key(number % 300)], reason: .remote) }
  hub.send(.phase(.pushing))
  let heard = await Heard(events, until: isPushing)
  #expect(heard.keys == Set((0..<300).map(key)))
  #expect(heard.events <= EventQueue.mostEvents + 1)
}

@Test func `what waits stays small, and keeps how the runs with each remote ended`() async throws {
  let queue = EventQueue()
  for number in 0..<50_000 {
    queue.put(.phase(.pulling))
    queue.put(.progress(SyncProgress(phase: .pulling, done: number, total: 50_000)))
    queue.put(.finished(remote: number.isMultiple(of: 2) ? "home" : "folder", SyncReport()))
    queue.put(.changed([key(number)], reason: .remote))
    #expect(queue.count <= EventQueue.mostEvents + 1)
  }
  queue.put(.failed(remote: "home", SyncError(.remoteUnavailable, "It is away.")))
  queue.put(.phase(.pushing))
  queue.finish()
  var heard: [SyncEvent] = []
  while let event = await queue.next() { heard.append(event) }
  let last = heard.last { event in
    switch event {
    case .finished("home", _), .failed("home", _): true
    default: false
    }
  }
  guard case .failed? = last else {
    Issue.record("The last outcome of a remote is not told.")
    return
  }
  #expect(heard.contains { if case .finished("folder", _) = $0 { true } else { false } })
  guard case .phase(.pushing)? = heard.last else {
    Issue.record("The last phase is not told.")
    return
  }
}

@Test func `events come in order and one by one to a listener that keeps up`() async throws {
  let hub = EventHub()
  var events = hub.subscribe().makeAsyncIterator()
  guard case .phase(.idle)? = await events.next() else {
    Issue.record("The first event is not the state.")
    return
  }
  for number in 0..<3_000 {
    hub.send([key(number)], reason: .local)
    guard case .changed(let keys, .local)? = await events.next() else {
      Issue.record("An event is missing.")
      return
    }
    #expect(keys == [key(number)])
  }
}

@Test func `a stream ends with its store, and when its task is cancelled`() async throws {
  var hub: EventHub? = EventHub()
  let events = try #require(hub?.subscribe())
  hub?.send([key(1)], reason: .local)
  hub = nil
  var count = 0
  for await _ in events { count += 1 }
  #expect(count == 2)

  let other = EventHub()
  let waiting = other.subscribe()
  let task = Task { for await _ in waiting {} }
  task.cancel()
  await task.value
}
