import SyncKit
import SyncKitTesting
import Testing

@Test func `a reader sees a shared record and its owner, and cannot write`() async throws {
  let party = try await Party()
  party.give(.reader)
  try await party.guestEngine.syncNow()
  try await party.ownerEngine.syncNow()
  let seen = try #require(try party.guest.person("ada"))
  #expect(seen.scope == .shared && seen.access?.owner == "Olga" && seen.access?.role == .reader)
  #expect(try party.owner.person("ada")?.scope == .shared)

  let count = party.place.count
  let error = #expect(throws: SyncError.self) { try party.guest.edit("ada", ["name": "Eve"]) }
  #expect(error?.code == .shareReadOnly)
  #expect(throws: SyncError.self) { try party.guest.entry("1", of: "ada", "x") }
  #expect(throws: SyncError.self) { try party.guest.set(.local, "ada") }
  try await party.guestEngine.syncNow()
  // Not even the readers are written there, only in the guest's own home.
  let others = try await party.place.inventory(of: "people").segments.filter {
    $0.zone == party.zone
  }
  #expect(others.count == 1 && party.place.count <= count + 1)
  #expect(try party.guest.person("ada")?["name"] == "Ada")
}

@Test func `what a writer edits comes to the owner`() async throws {
  let party = try await Party()
  party.give(.writer)
  try await party.guestEngine.syncNow()
  try party.guest.edit("ada", ["name": "Ada Lovelace"])
  try party.guest.entry("1", of: "ada", "from the guest")
  try await party.guestEngine.syncNow()
  try await party.ownerEngine.syncNow()
  #expect(try party.owner.person("ada")?["name"] == "Ada Lovelace")
  #expect(try party.owner.entries == ["from the guest"])
}

@Test func `a part that is taken away leaves a copy to be read, and nothing more comes`()
  async throws
{
  let party = try await Party()
  party.give(.writer)
  try await party.guestEngine.syncNow()
  try party.guest.edit("ada", ["name": "not sent"])
  party.give(.removed)
  try party.owner.edit("ada", ["name": "secret by now"])
  try await party.ownerEngine.syncNow()
  let report = try await party.guestEngine.syncNow()
  #expect(report.notes.contains { $0.contains("Olga no longer shares") })
  #expect(try party.guest.person("ada")?["name"] == "not sent")
  #expect(try party.guest.person("ada")?.access?.role == .removed)
  #expect(throws: SyncError.self) { try party.guest.edit("ada", ["name": "x"]) }
  try await party.ownerEngine.syncNow()
  #expect(try party.owner.person("ada")?["name"] == "secret by now")
  // A part that is simply not told any more has ended as well.
  party.give(.reader)
  try await party.guestEngine.syncNow()
  #expect(try party.guest.person("ada")?.access?.role == .reader)
  party.guestView.set([:])
  try await party.guestEngine.syncNow()
  #expect(try party.guest.person("ada")?.access?.role == .removed)
}

@Test func `who listens hears that a part has changed or ended`() async throws {
  let party = try await Party()
  party.give(.writer)
  try await party.guestEngine.syncNow()
  var events = party.guest.store.events.makeAsyncIterator()
  /// Whether a listener is told to read again by the time the next run has ended.
  func isTold() async throws -> Bool {
    try await party.guestEngine.syncNow()
    var isTold = false
    while let event = await events.next() {
      if case .reload = event { isTold = true }
      if case .finished = event { break }
    }
    return isTold
  }
  #expect(try await !isTold())
  party.give(.reader)
  #expect(try await isTold())
  #expect(try await !isTold())
  party.give(.removed)
  #expect(try await isTold())
  try party.guest.store.leave(party.zone)
  #expect(try await isTold())
  #expect(try await !isTold())
}

@Test func `a zone that was left is gone here and comes back only with a new part`() async throws {
  let party = try await Party()
  party.give(.reader)
  try await party.guestEngine.syncNow()
  #expect(throws: SyncError.self) { try party.owner.store.leave(party.zone) }
  try party.guest.store.leave(party.zone)
  #expect(try party.guest.person("ada") == nil)
  party.give(.left)
  try await party.guestEngine.syncNow()
  #expect(try party.guest.person("ada") == nil)
  party.give(.writer)
  try await party.guestEngine.syncNow()
  #expect(try party.guest.person("ada")?["name"] == "Ada")
  try party.guest.edit("ada", ["name": "again"])
  try await party.guestEngine.syncNow()
  try await party.ownerEngine.syncNow()
  #expect(try party.owner.person("ada")?["name"] == "again")
  // Another device of the guest hears of it and removes its copy, too.
  party.give(.left)
  try await party.guestEngine.syncNow()
  #expect(try party.guest.person("ada") == nil)
}

@Test func `a store that has left a zone is not taken for an older copy of itself`() async throws {
  let party = try await Party()
  party.give(.writer)
  try await party.guestEngine.syncNow()
  try party.guest.edit("ada", ["name": "by the guest"])
  try await party.guestEngine.syncNow()
  let older = InMemoryStorage(copying: party.guestStorage)
  try party.guest.store.leave(party.zone)
  let again = try Phone("again", storage: party.guestStorage, witness: party.guestWitness)
  #expect(!again.store.isCopy)
  // What it lets go it must not hide: an older copy is one all the same.
  party.give(.left)
  try await party.guestEngine.syncNow()
  try party.guest.add("bob", "Bob")
  try party.guest.set(.synced, "bob")
  try await party.guestEngine.syncNow()
  #expect(try Phone("older", storage: older, witness: party.guestWitness).store.isCopy)
}

@Test func `another person's zone goes to no other remote`() async throws {
  let party = try await Party()
  party.give(.writer)
  let folder = InMemoryTransport()
  let engine = SyncEngine(
    store: party.guest.store,
    remotes: [
      Remote("home", location: "g", transport: party.guestView),
      Remote("folder", location: "f", transport: folder),
    ])
  _ = await engine.sync()
  try party.guest.edit("ada", ["name": "Ada Lovelace"])
  _ = await engine.sync()
  #expect(try await !leaked("Ada", on: folder))
  #expect(try party.guest.store.status(remotes: ["home", "folder"]).pending == 0)
  #expect(folder.count > 0)
}

@Test(arguments: [true, false])
func `what is deleted in a shared tree is not forgotten`(isShared: Bool) async throws {
  let clock = VirtualClock()
  let party = try await Party(clock: clock)
  if isShared { party.give(.writer) }
  try party.owner.entry("1", of: "ada", "to be deleted")
  let entry = try party.owner.key("entry", "1")
  try await party.ownerEngine.syncNow()
  try party.owner.store.write { try $0.delete(entry) }
  for number in 0..<10 {
    clock.advance(by: 5 * 86_400_000)
    try party.owner.edit("ada", ["name": .string("Ada \(number)")])
    try await party.ownerEngine.syncNow()
  }
  #expect((try party.owner.store.states(in: party.zone)[entry] != nil) == isShared)
}

/// A guest has a published record of its own under the id of the one shared with it.
private func partyOfNamesakes() async throws -> Party {
  let party = try await Party()
  try party.guest.add("ada", "Gina's own Ada")
  try party.guest.entry("1", of: "ada", "Gina's entry")
  try party.guest.set(.synced, "ada")
  #expect(try party.guest.key("person", "ada").zone == party.zone)
  return party
}

@Test func `an own record with the id of a shared one stays apart from it`() async throws {
  let party = try await partyOfNamesakes()
  try party.guest.add("bob", "Bob")
  try party.guest.set(.synced, "bob")
  party.give(.writer)
  for _ in 0..<2 {
    let outcome = try #require(await party.guestEngine.sync().first)
    #expect(outcome.error?.code == .shareIDCollision)
    #expect(outcome.error?.message.contains("person/ada") == true)
    #expect(outcome.error?.message.contains("Olga") == true)
    try await party.ownerEngine.syncNow()
    try party.guest.edit("ada", ["note": "Gina's note"])
  }
  #expect(try await !leaked("Gina's", on: party.place))
  #expect(try await leaked("Bob", on: party.place), "what has nothing to do with it goes")
  #expect(try party.owner.person("ada")?["name"] == "Ada")
  #expect(try party.owner.entries.isEmpty)
  let own = try #require(try party.guest.person("ada"))
  #expect(own["name"] == "Gina's own Ada" && own.scope == .synced && own.access == nil)
  // It lasts, also where the place tells nothing of people for once, and in a place of one's own all goes.
  party.guestView.tellsAccess = false
  let folder = InMemoryTransport()
  let engine = SyncEngine(
    store: party.guest.store,
    remotes: [
      Remote("home", location: "g", transport: party.guestView),
      Remote("folder", location: "f", transport: folder),
    ])
  let codes = await engine.sync().map { $0.error?.code }
  #expect(codes == [.shareIDCollision, nil])
  #expect(try await !leaked("Gina's", on: party.place))
  #expect(try await leaked("Gina's own Ada", on: folder))
}

@Test func `it is said once in words, and quiet runs write nothing`() async throws {
  let party = try await partyOfNamesakes()
  party.give(.writer)
  let first = try #require(await party.guestEngine.sync().first)
  #expect(first.report.notes.filter { $0.contains("person/ada") }.count == 1)
  _ = await party.guestEngine.sync()
  let count = party.place.count
  let again = try #require(await party.guestEngine.sync().first)
  #expect(again.report == SyncReport())
  #expect(party.place.count == count)
}

@Test func `of two records of one id each is withdrawn by its own person only`() async throws {
  let party = try await partyOfNamesakes()
  party.give(.writer)
  _ = await party.guestEngine.sync()
  let theirs = { [party] in
    try await party.place.inventory(of: "people").segments.filter { $0.zone == party.zone }.count
  }
  #expect(try await theirs() > 0)
  try party.guest.set(.local, "ada")
  _ = await party.guestEngine.sync()
  #expect(try await theirs() > 0)
  #expect(try party.guest.store.pendingErasures(remotes: ["home"]).isEmpty)
  try await party.ownerEngine.syncNow()
  #expect(try party.owner.person("ada")?.scope == .shared)

  let other = try await partyOfNamesakes()
  other.give(.writer)
  _ = await other.guestEngine.sync()
  try other.owner.set(.local, "ada")
  try await other.ownerEngine.syncNow()
  let report = try #require(await other.guestEngine.sync().first).report
  #expect(!report.notes.contains { $0.contains("made local") })
  #expect(try other.guest.person("ada")?.scope == .synced)
  #expect(try other.guest.entries == ["Gina's entry"])
}

@Test func `once the share is left an own record goes there under another id`() async throws {
  let party = try await partyOfNamesakes()
  party.give(.writer)
  _ = await party.guestEngine.sync()
  party.give(.left)
  let outcome = try #require(await party.guestEngine.sync().first)
  #expect(outcome.error?.hint?.contains("publish it again") == true)
  #expect(try await !leaked("Gina's", on: party.place))
  try party.guest.set(.local, "ada")
  try party.guest.set(.synced, "ada")
  try await party.guestEngine.syncNow()
  #expect(try await leaked("Gina's own Ada", on: party.place))
  #expect(try party.guest.key("person", "ada").zone != party.zone)
  try await party.ownerEngine.syncNow()
  #expect(
    try party.owner.store.records("person", id: "ada").contains {
      $0.key.zone == party.zone && $0["name"] == "Ada" && $0.scope == .shared
    })
}

@Test func `an own record goes there once the share is no longer listed`() async throws {
  let party = try await partyOfNamesakes()
  party.give(.writer)
  _ = await party.guestEngine.sync()
  // Another account's view of the place, as far as a place in memory has such.
  try await party.place.remove(
    party.place.inventory(of: "people").segments.filter { $0.zone == party.zone }, of: "people")
  party.guestView.set([:])
  try await party.guestEngine.syncNow()
  #expect(try await leaked("Gina's own Ada", on: party.place))
}

@Test func `a repaired store knows whose a record is`() async throws {
  let party = try await Party()
  party.give(.reader)
  try await party.guestEngine.syncNow()
  let repaired = try Phone("repaired")
  _ = try repaired.store.salvage(from: party.guestStorage)
  #expect(try repaired.person("ada")?.access?.owner == "Olga")
  #expect(throws: SyncError.self) { try repaired.edit("ada", ["name": "Eve"]) }
  let folder = InMemoryTransport()
  let engine = SyncEngine(
    store: repaired.store,
    remotes: [
      Remote("home", location: "g", transport: party.guestView),
      Remote("folder", location: "f", transport: folder),
    ])
  #expect(await engine.sync().allSatisfy { $0.error == nil })
  #expect(try await !leaked("Ada", on: folder))
}

@Test func `a repaired store keeps apart what was kept apart`() async throws {
  let party = try await partyOfNamesakes()
  party.give(.writer)
  _ = await party.guestEngine.sync()
  let repaired = try Phone("repaired")
  _ = try repaired.store.salvage(from: party.guestStorage)
  party.guestView.tellsAccess = false
  let engine = SyncEngine(
    store: repaired.store, remotes: [Remote("home", location: "g", transport: party.guestView)])
  #expect(await engine.sync().map { $0.error?.code } == [.shareIDCollision])
  #expect(try await !leaked("Gina's", on: party.place))
  #expect(try repaired.person("ada")?["name"] == "Gina's own Ada")
}
