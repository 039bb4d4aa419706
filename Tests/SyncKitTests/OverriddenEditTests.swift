import SyncKit
import SyncKitTesting
import Testing

/// An unpublished edit meets a remote one where the remote wins: it is overridden and stays.
struct OverriddenEditTests {
  private let remote = InMemoryTransport()
  private let clock = VirtualClock()
  private let a: TestDevice
  private let b: TestDevice
  private let pushOnly: SyncOptions

  init() throws {
    a = try TestDevice("a", remote, clock: clock)
    b = try TestDevice("b", remote, clock: clock)
    var options = SyncOptions()
    options.direction = .pushOnly
    pushOnly = options
  }

  private func settle() async throws {
    for device in [a, b, a, b] { try await device.engine.syncNow() }
    #expect(try a.digests == b.digests)
  }

  private func isbn(_ device: TestDevice) throws -> Value? { try device.book("1")?["isbn"] }

  /// What stands in the code of the book, what is shown first.
  private func standing(_ device: TestDevice) throws -> [Value?] {
    let conflicts = try device.store.conflicts()
    guard let conflict = conflicts.first else { return [try isbn(device)] }
    #expect(conflicts.count == 1 && !conflict.needsDecision)
    let values = conflict.candidates.map(\.value).filter { $0 != conflict.shown }
    return ([conflict.shown] + values).map { $0.map?["isbn"] }
  }

  /// Both know the book; each writes another code, and a learns of b's by a pull.
  private func disagree() async throws -> BatchID {
    try b.save("1", ["isbn": "remote"])
    try await b.engine.syncNow()
    try a.save("1", ["isbn": "local"])
    #expect(try await a.engine.syncNow().overridden == 1)
    try await settle()
    return try #require(
      try a.store.history().first { $0.entries.contains { $0.kind == .overridden } }?.id)
  }

  @Test func `it stays beside the remote value on every device, named and settled`() async throws {
    _ = try await disagree()
    for device in [a, b] {
      #expect(try standing(device) == ["remote", "local"])
      let conflict = try #require(try device.store.conflicts().first)
      #expect(conflict.candidates.map(\.device.name) == ["a", "b"])
      #expect(conflict.candidates.map(\.isOverridden) == [true, false])
      #expect(
        conflict.candidates.map(\.isMine) == [
          device.store.device.name == "a", device.store.device.name == "b",
        ])
      let overridden = try device.store.history().flatMap(\.entries).filter {
        $0.kind == .overridden
      }
      #expect(overridden.map(\.to) == [.map(ValueMap([("isbn", "local")]))])
    }
  }

  @Test func `the record names the device whose value is shown`() async throws {
    _ = try await disagree()
    for device in [a, b] { #expect(try device.book("1")?.device.name == "b") }
  }

  @Test func `it can be chosen, which settles it everywhere`() async throws {
    _ = try await disagree()
    let mine = try #require(try a.store.conflicts().first?.candidates.first { $0.isMine })
    try a.store.write {
      try $0.resolve(RecordKey(collection: "book", id: "1"), register: "code", value: mine.value)
    }
    try await settle()
    for device in [a, b] { #expect(try standing(device) == ["local"]) }
  }

  @Test func `undo of the edit that won brings it back`() async throws {
    _ = try await disagree()
    let won = try #require(
      try a.store.history().first {
        $0.entries.contains { $0.kind == .create } && $0.device.name == "b"
      })
    let result = try a.store.undo(won.id)
    #expect(result.skipped.isEmpty)
    try await settle()
    for device in [a, b] { #expect(try standing(device) == ["local"]) }
  }

  @Test func `undo of the overridden edit removes it again`() async throws {
    let given = try await disagree()
    let result = try b.store.undo(given)
    #expect(result.skipped.isEmpty && result.summary.changed == 1)
    try await settle()
    for device in [a, b] { #expect(try standing(device) == ["remote"]) }
  }

  @Test func `a value that its author has deleted never overrides it`() async throws {
    try b.save("1", ["isbn": "thrown away"])
    try await b.engine.syncNow()
    try b.delete("1")
    try await b.engine.syncNow()
    try a.save("1", ["isbn": "typed"])
    #expect(try await a.engine.syncNow().overridden == 0)
    try await settle()
    for device in [a, b] { #expect(try standing(device) == ["typed"]) }
  }

  @Test func `a value that is deleted after it was met no longer overrides`() async throws {
    try a.save("1", ["isbn": "typed"])
    try b.save("1", ["isbn": "thrown away"])
    try await b.engine.syncNow()
    var pullOnly = SyncOptions()
    pullOnly.direction = .pullOnly
    #expect(try await a.engine.syncNow(pullOnly).overridden == 1)
    #expect(try standing(a) == ["thrown away", "typed"])
    try b.delete("1")
    try await b.engine.syncNow(pushOnly)
    try await settle()
    for device in [a, b] { #expect(try standing(device) == ["typed"]) }
    #expect(try a.store.history().allSatisfy { $0.entries.allSatisfy { $0.kind != .overridden } })
  }

  @Test func `it covers the author's own older value, which must not show in its place`()
    async throws
  {
    try a.save("1", ["isbn": "both"])
    try await settle()
    try b.save("1", ["isbn": "remote"])
    try a.save("1", ["isbn": "older"])
    for device in [b, a] { try await device.engine.syncNow(pushOnly) }
    try a.save("1", ["isbn": "last"])
    #expect(try await a.engine.syncNow().overridden == 1)
    try await settle()
    for device in [a, b] { #expect(try standing(device) == ["remote", "last"]) }
  }

  @Test func `an edit written after the remote value arrived is not overridden`() async throws {
    _ = try await disagree()
    try a.save("1", ["isbn": "decided"])
    try await settle()
    for device in [a, b] { #expect(try standing(device) == ["decided"]) }
  }

  @Test func `a third value never shows in place of an overridden one`() async throws {
    let c = try TestDevice("c", remote, clock: clock)
    try await c.engine.syncNow()
    try c.save("1", ["isbn": "third"])
    try b.save("1", ["isbn": "remote"])
    try await b.engine.syncNow()
    clock.advance(by: 1_000)
    try a.save("1", ["isbn": "local"])
    #expect(try await a.engine.syncNow().overridden == 1)
    try await c.engine.syncNow(pushOnly)
    for device in [a, b, c, a, b, c] { try await device.engine.syncNow() }
    for device in [a, b, c] { #expect(try isbn(device) == "remote" || isbn(device) == "third") }
    #expect(try a.digests == c.digests && a.digests == b.digests)
    #expect(try c.store.conflicts().first?.candidates.count == 3)
  }

  @Test func `the same value gives nothing up`() async throws {
    try b.save("1", ["isbn": "same"])
    try await b.engine.syncNow()
    try a.save("1", ["isbn": "same"])
    #expect(try await a.engine.syncNow().overridden == 0)
    try await settle()
    for device in [a, b] { #expect(try standing(device) == ["same"]) }
  }

  @Test func `two hundred overridden imported rows are counted, listed and kept`() async throws {
    for device in [b, a] {
      try device.store.write { transaction in
        for number in 0..<200 {
          try transaction.save(
            RecordDraft(
              "book", id: RecordID("\(number)"),
              fields: ["isbn": .string("\(number) of \(device.store.device.name)")]))
        }
      }
    }
    try await b.engine.syncNow()
    #expect(try await a.engine.syncNow().overridden == 200)
    try await settle()
    for device in [a, b] {
      let conflicts = try device.store.conflicts()
      #expect(conflicts.count == 200 && conflicts.allSatisfy { !$0.needsDecision })
      #expect(conflicts.allSatisfy { $0.shown.map?["isbn"]?.string?.hasSuffix("of b") == true })
    }
  }

  @Test func `its rank reaches a device that is fed by a snapshot`() async throws {
    let pair = try BusyPair()
    try await pair.b.save("1", 0)
    try pair.b.device.save("1", ["isbn": "remote"])
    try await pair.b.sync()
    pair.clock.advance(by: 1_000)
    try pair.a.device.save("1", ["isbn": "local"])
    #expect(try await pair.a.sync().overridden == 1)
    try await pair.work(400)
    try await pair.settle()
    let late = try pair.device("late")
    try await pair.settle(late)
    for device in [pair.a, pair.b, late] {
      #expect(try standing(device.device) == ["remote", "local"])
    }
    #expect(try late.device.digests == pair.a.device.digests)
  }
}
