import SyncKit
import SyncKitTesting
import Testing

/// A phone whose owner may set rules, change them and open the same store again.
private struct Owner {
  let remotes: [InMemoryTransport]
  let storage = InMemoryStorage()
  let clock = VirtualClock()

  func phone(keeping ids: Set<RecordID> = []) throws -> Phone {
    let rules = EgressRules(advice: "Ask the owner.") { ids.contains($0.id) }
    guard remotes.count > 1 else {
      return try Phone("a", remotes[0], clock: clock, storage: storage, egress: rules)
    }
    return try Phone("a", remotes[0], remotes[1], clock: clock, storage: storage, egress: rules)
  }
}

@Test func `a root that is kept stays with its tree, and goes when the rule is gone`() async throws
{
  let remote = InMemoryTransport()
  let owner = Owner(remotes: [remote])
  let open = try owner.phone()
  for id in ["ada", "bob"] as [RecordID] {
    try open.add(id, "canary-\(id)")
    try open.set(.synced, id)
  }
  let kept = try owner.phone(keeping: ["ada"])
  try kept.entry("1", of: "ada", "canary-ada-entry")
  let report = try await kept.engine.syncNow()
  #expect(report.pushed > 0)
  #expect(try await !leaked("canary-ada", on: remote))
  #expect(try await leaked("canary-bob", on: remote))
  #expect(try kept.store.status(remotes: ["r0"]).pending == 0)
  #expect(try await kept.engine.syncNow().pushed == 0)

  // From one that has synced before, nothing more goes; a deletion in its tree neither.
  try await owner.phone().engine.syncNow()
  #expect(try await leaked("canary-ada-entry", on: remote))
  let again = try owner.phone(keeping: ["ada"])
  try again.entry("2", of: "ada", "canary-later")
  try await again.engine.syncNow()
  #expect(try await !leaked("canary-later", on: remote))

  let other = try Phone("b", remote)
  try await owner.phone().engine.syncNow()
  try await other.engine.syncNow()
  try await owner.phone().engine.syncNow()
  #expect(try other.entries.sorted() == ["canary-ada-entry", "canary-later"])
  #expect(try other.store.verify().map(\.digest) == open.store.verify().map(\.digest))
}

@Test func `a record that is kept cannot be written into a tree that leaves`() async throws {
  let remote = InMemoryTransport()
  let owner = Owner(remotes: [remote])
  let phone = try owner.phone(keeping: ["diary"])
  try phone.add("ada", "Ada")
  try phone.entry("diary", of: "ada", "while-local")
  #expect(try phone.entries == ["while-local"])
  // The tree is local: what is in it stays anyway. Letting it out with the record is refused.
  let refused = #expect(throws: SyncError.self) { try phone.set(.synced, "ada") }
  #expect(refused?.code == .egressDenied && refused?.hint == "Ask the owner.")
  #expect(try phone.person("ada")?.scope == .local)
  let diary = try phone.key("entry", "diary")
  try phone.store.write { try $0.delete(diary) }
  try phone.set(.synced, "ada")
  try await phone.engine.syncNow()
  #expect(throws: SyncError.self) { try phone.entry("diary", of: "ada", "canary") }
  try phone.entry("other", of: "ada", "fine")
  try await phone.engine.syncNow()
  #expect(try await !leaked("canary", on: remote))
  #expect(try await !leaked("while-local", on: remote))
  #expect(try await leaked("fine", on: remote))
}

@Test func `what was written before it was kept waits with its tree, and other trees go`()
  async throws
{
  let remote = InMemoryTransport()
  let owner = Owner(remotes: [remote])
  let open = try owner.phone()
  for id in ["ada", "bob"] as [RecordID] {
    try open.add(id, "name-\(id)")
    try open.set(.synced, id)
  }
  try await open.engine.syncNow()
  try open.entry("diary", of: "ada", "canary")
  try open.entry("1", of: "bob", "from-bob")
  let kept = try owner.phone(keeping: ["diary"])
  for _ in 0..<2 {
    let error = await #expect(throws: SyncError.self) { try await kept.engine.syncNow() }
    #expect(error?.code == .egressDenied, "\(String(describing: error))")
  }
  #expect(try await !leaked("canary", on: remote))
  #expect(try await leaked("from-bob", on: remote))
  // Started again without the record, the tree leaves.
  try kept.set(.local, "ada")
  let diary = try kept.key("entry", "diary")
  try kept.store.write { try $0.delete(diary) }
  try kept.set(.synced, "ada")
  try kept.entry("2", of: "ada", "from-ada")
  try await kept.engine.syncNow()
  try await kept.engine.syncNow()
  #expect(try await !leaked("canary", on: remote))
  #expect(try await leaked("from-ada", on: remote))
}

@Test func `what is sealed already goes to no further remote`() async throws {
  let (near, far) = (InMemoryTransport(), InMemoryTransport())
  let storage = InMemoryStorage()
  let open = try Phone("a", near, storage: storage)
  try open.add("ada", "Ada")
  try open.set(.synced, "ada")
  try open.entry("diary", of: "ada", "canary")
  try open.add("bob", "name-bob")
  try open.set(.synced, "bob")
  try await open.engine.syncNow()
  let kept = try Phone(
    "a", near, far, storage: storage, egress: EgressRules { $0.id == "diary" })
  let outcomes = await kept.engine.sync()
  #expect(outcomes.map { $0.error?.code } == [nil, .egressDenied])
  #expect(try await !leaked("canary", on: far))
  #expect(try await leaked("name-bob", on: far))
}

@Test func `a deletion of what is kept goes, for it holds no value`() async throws {
  let remote = InMemoryTransport()
  let owner = Owner(remotes: [remote])
  let open = try owner.phone()
  try open.add("ada", "Ada")
  try open.set(.synced, "ada")
  try open.entry("diary", of: "ada", "published")
  try await open.engine.syncNow()
  let kept = try owner.phone(keeping: ["diary"])
  let other = try Phone("b", remote)
  let diary = try kept.key("entry", "diary")
  #expect(throws: SyncError.self) {
    try kept.store.write { try $0.edit(diary, ["value": "canary"]) }
  }
  try kept.store.write { try $0.delete(diary) }
  try await kept.engine.syncNow()
  try await other.engine.syncNow()
  #expect(try other.entries.isEmpty)
  #expect(try await !leaked("canary", on: remote))
}

/// Keeps a value, wherever it is written.
private let keepingCanaries = EgressRules { operation in
  operation.writes.contains { $0.value == "canary" }
}

@Test func `a snapshot with a value that is kept goes to no further remote`() async throws {
  let (near, far) = (InMemoryTransport(), InMemoryTransport())
  let writer = try Phone("writer", near)
  try writer.add("ada", "Ada")
  try writer.set(.synced, "ada")
  try writer.entry("diary", of: "ada", "canary")
  var options = SyncOptions()
  options.isCompaction = true
  options.limits.leastPruned = 1 << 10
  options.limits.history = .none
  for number in 0..<200 { try writer.entry("busy", of: "ada", "value \(number)") }
  for _ in 0..<3 { try await writer.engine.syncNow(options) }
  let storage = InMemoryStorage()
  let open = try Phone("late", near, storage: storage)
  try await open.engine.syncNow()
  #expect(try open.store.historyBegins() != nil, "it did not begin with a snapshot")
  #expect(try open.entries.contains("canary"))
  let kept = try Phone("late", near, far, storage: storage, egress: keepingCanaries)
  let outcomes = await kept.engine.sync()
  #expect(outcomes.map { $0.error?.code } == [nil, .egressDenied])
  #expect(try await !leaked("canary", on: far))
}

@Test func `an overridden value stays like a written one`() async throws {
  let remote = InMemoryTransport()
  let writer = try Phone("writer", remote)
  try writer.add("ada", "Ada")
  try writer.set(.synced, "ada")
  try writer.entry("1", of: "ada", "first")
  try await writer.engine.syncNow()
  let storage = InMemoryStorage()
  let open = try Phone("b", remote, storage: storage, rebase: ["value": .remoteWins])
  try await open.engine.syncNow()
  try open.entry("1", of: "ada", "canary")
  try writer.entry("1", of: "ada", "second")
  try await writer.engine.syncNow()
  var options = SyncOptions()
  options.direction = .pullOnly
  #expect(try await open.engine.syncNow(options).overridden == 1)
  #expect(try open.entries == ["second"])
  let kept = try Phone(
    "b", remote, storage: storage, rebase: ["value": .remoteWins], egress: keepingCanaries)
  let error = await #expect(throws: SyncError.self) { try await kept.engine.syncNow() }
  #expect(error?.code == .egressDenied)
  #expect(try await !leaked("canary", on: remote))
}

@Test func `what a write has replaced counts as written, since it travels along`() async throws {
  let (near, far) = (InMemoryTransport(), InMemoryTransport())
  let storage = InMemoryStorage()
  let open = try Phone("a", near, storage: storage)
  try open.add("ada", "Ada")
  try open.set(.synced, "ada")
  try open.entry("diary", of: "ada", "canary")
  try await open.engine.syncNow()
  let before = near.count
  try open.entry("diary", of: "ada", "fine")
  let kept = try Phone("a", near, far, storage: storage, egress: keepingCanaries)
  let outcomes = await kept.engine.sync()
  #expect(outcomes.first?.error?.code == .egressDenied)
  #expect(near.count == before)
  #expect(try await !leaked("canary", on: far))

  // Started again, the tree has no past, and nothing more of it is written with one that is kept.
  try kept.set(.local, "ada")
  try kept.set(.synced, "ada")
  try await kept.engine.syncNow()
  #expect(try await leaked("fine", on: far))
  #expect(try await !leaked("canary", on: far))
  try kept.set(.local, "ada")
  try kept.entry("diary", of: "ada", "canary")
  let refused = #expect(throws: SyncError.self) { try kept.set(.synced, "ada") }
  #expect(refused?.code == .egressDenied)
}

@Test func `a write that replaces what is kept is refused at once`() async throws {
  let remote = InMemoryTransport()
  let storage = InMemoryStorage()
  let open = try Phone("a", remote, storage: storage)
  try open.add("ada", "Ada")
  try open.set(.synced, "ada")
  try open.entry("diary", of: "ada", "canary")
  try await open.engine.syncNow()
  let kept = try Phone("a", remote, storage: storage, egress: keepingCanaries)
  let refused = #expect(throws: SyncError.self) { try kept.entry("diary", of: "ada", "fine") }
  #expect(refused?.code == .egressDenied)
  #expect(try kept.entries == ["canary"])
  try await kept.engine.syncNow()
}
