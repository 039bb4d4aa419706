import SyncKit
import SyncKitTesting
import Testing

// Edits that no remote gets, though no person has chosen to keep them here: they are counted and named.

@Test func `an edit that a removed guest had not sent is counted, once told, and listed`()
  async throws
{
  let party = try await Party()
  party.give(.writer)
  try await party.guestEngine.syncNow()
  try party.guest.edit("ada", ["name": "sent"])
  try await party.guestEngine.syncNow()
  try party.guest.edit("ada", ["name": "not sent"])
  try party.guest.entry("1", of: "ada", "nor this")
  party.give(.removed)

  let report = try await party.guestEngine.syncNow()
  #expect(report.unsent == 2)
  #expect(report.notes.contains { $0.contains("Edits of 2 records are not sent") })
  #expect(report.notes.contains { $0.contains("export FILE --unsent") })
  let edits = try party.guest.store.unsentEdits()
  #expect(edits.map(\.reason) == [.removed] && edits[0].owner == "Olga")
  #expect(edits[0].remote == "home" && edits[0].name == "person/ada")
  #expect(edits[0].records.map { "\($0)" } == ["entry/1", "person/ada"])
  let status = try party.guest.store.status(remotes: ["home"])
  #expect(status.unsent == edits && SyncState(status) == .pending)

  // Again it is counted and not told; with a part again it is sent.
  let again = try await party.guestEngine.syncNow()
  #expect(again.unsent == 2 && again.notes.isEmpty)
  party.give(.writer)
  #expect(try await party.guestEngine.syncNow().unsent == 0)
  try await party.ownerEngine.syncNow()
  #expect(try party.owner.person("ada")?["name"] == "not sent")
  #expect(try party.guest.store.unsentEdits().isEmpty)
}

@Test
func
  `what a guest has sent before does not count, and a guest that never wrote has nothing unsent`()
  async throws
{
  let party = try await Party()
  party.give(.writer)
  try await party.guestEngine.syncNow()
  for name in ["one", "two", "three"] {
    try party.guest.edit("ada", ["name": .string(name)])
    try await party.guestEngine.syncNow()
  }
  party.give(.removed)
  #expect(try await party.guestEngine.syncNow().unsent == 0)
  #expect(try party.guest.store.unsentEdits().isEmpty)
  // The remote tells of the tree no more, and has what came.
  #expect(try party.guest.store.unsentChanges(in: party.zone, remotes: ["home"]) == 0)
  party.give(.reader)
  #expect(try await party.guestEngine.syncNow().unsent == 0)
  #expect(SyncState(try party.guest.store.status(remotes: ["home"])) == .upToDate)
}

@Test func `a writer who becomes a reader is told, also about the edits that stay`() async throws {
  let party = try await Party()
  party.give(.writer)
  try await party.guestEngine.syncNow()
  try party.guest.edit("ada", ["name": "too late"])
  party.give(.reader)
  let report = try await party.guestEngine.syncNow()
  #expect(report.unsent == 1)
  #expect(report.notes.contains { $0.contains("read-only") })
  #expect(try party.guest.store.unsentEdits().map(\.reason) == [.reader])
  // An edit from now on is refused, and the refusal says that it would not be sent.
  let error = #expect(throws: SyncError.self) { try party.guest.edit("ada", ["name": "x"]) }
  #expect(error?.message.contains("would not be sent, so none was made") == true)
  // What was a reader's stays counted when the part ends.
  party.give(.removed)
  #expect(try await party.guestEngine.syncNow().unsent == 1)
}

@Test func `an edit that was sealed and did not arrive before the part ended is counted`()
  async throws
{
  let party = try await Party()
  party.give(.writer)
  try await party.guestEngine.syncNow()
  try party.guest.edit("ada", ["name": "sealed"])
  try party.guest.store.seal()
  party.give(.removed)
  #expect(try await party.guestEngine.syncNow().unsent == 1)
  #expect(try party.guest.store.unsentEdits().first?.records.count == 1)
}

@Test
func `edits in a tree that was made local elsewhere are counted, and those that follow say so`()
  async throws
{
  let remote = InMemoryTransport()
  let a = try Phone("a", remote)
  let b = try Phone("b", remote)
  try a.add("ada", "Ada")
  try a.entry("1", of: "ada", "shared")
  try a.set(.synced, "ada")
  for phone in [a, b] { try await phone.engine.syncNow() }
  try b.entry("2", of: "ada", "written offline")
  try a.set(.local, "ada")
  try await a.engine.syncNow()

  let report = try await b.engine.syncNow()
  #expect(report.unsent == 1)
  #expect(report.notes.contains { $0.contains("Edits of 1 record are not sent") })
  #expect(try b.store.unsentEdits().map { $0.records.map { "\($0)" } } == [["entry/2"]])
  #expect(try await b.engine.syncNow().unsent == 1)
  let key = try b.key("person", "ada")
  let summary = try b.store.write { try $0.edit(key, ["name": "again"]) }.summary
  #expect(summary.unsent.map(\.reason) == [.erased])
  #expect(summary.unsent.first?.warning.contains("will not be sent") == true)
  #expect(summary.unsent.first?.warning.contains("scope person/ada synced") == true)
  #expect(try b.store.unsentEdits().first?.records.count == 2)

  // The device that withdrew it has chosen that.
  #expect(try a.store.unsentEdits().isEmpty)
  let own = try a.key("person", "ada")
  #expect(try a.store.write { try $0.edit(own, ["name": "mine"]) }.summary.unsent.isEmpty)
}

@Test func `what is kept of an erased tree can be made local by choice, or published`() async throws
{
  for choice in [Record.Scope.local, .synced] {
    let remote = InMemoryTransport()
    let a = try Phone("a", remote)
    let b = try Phone("b", remote)
    try a.add("ada", "Ada")
    try a.set(.synced, "ada")
    for phone in [a, b] { try await phone.engine.syncNow() }
    try b.edit("ada", ["name": "offline"])
    try a.set(.local, "ada")
    for phone in [a, b] { try await phone.engine.syncNow() }
    #expect(try b.store.unsentEdits().count == 1)
    try b.set(choice, "ada")
    #expect(try b.store.unsentEdits().isEmpty)
    let key = try b.key("person", "ada")
    #expect(try b.store.write { try $0.edit(key, ["name": "later"]) }.summary.unsent.isEmpty)
    #expect(try await b.engine.syncNow().unsent == 0)
  }
}

@Test func `what is local by choice gives no warning`() async throws {
  let remote = InMemoryTransport()
  let a = try Phone("a", remote, egress: EgressRules { $0.id == "eve" })
  // Never published, in a collection that never leaves, kept by configuration, and withdrawn.
  let created = try a.store.write {
    try $0.save(RecordDraft("person", id: "ada", fields: ["name": "Ada"]))
  }
  #expect(created.summary.unsent.isEmpty)
  let secret = try a.store.write {
    try $0.save(RecordDraft("secret", id: "s", fields: ["text": "x"]))
  }
  #expect(secret.summary.unsent.isEmpty)
  try await a.engine.syncNow()
  try a.set(.synced, "ada")
  try await a.engine.syncNow()
  try a.set(.local, "ada")
  try await a.engine.syncNow()
  let key = try a.key("person", "ada")
  #expect(try a.store.write { try $0.edit(key, ["name": "still"]) }.summary.unsent.isEmpty)
  let kept = try a.store.write {
    try $0.save(RecordDraft("person", id: "eve", fields: ["name": "Eve"]))
  }
  #expect(kept.summary.unsent.isEmpty)
  #expect(try a.store.unsentEdits().isEmpty)
  #expect(SyncState(try a.store.status(remotes: ["r0"])) == .upToDate)
}

@Test func `a share that was left on another device stays where edits of it were never sent`()
  async throws
{
  let party = try await Party()
  party.give(.writer)
  try await party.guestEngine.syncNow()
  try party.guest.edit("ada", ["name": "only here"])
  #expect(try party.guest.store.unsentChanges(in: party.zone, remotes: ["home"]) == 1)
  party.give(.left)
  let report = try await party.guestEngine.syncNow()
  #expect(report.notes.contains { $0.contains("was left or withdrawn") })
  #expect(report.unsent == 1)
  #expect(try party.guest.person("ada")?["name"] == "only here")
  #expect(try await party.guestEngine.syncNow().notes.isEmpty)
  // To leave it on this device, too, is another word.
  let refused = #expect(throws: SyncError.self) { try party.guest.store.leave(party.zone) }
  #expect(refused?.code == .storeUnsent)
  #expect(try party.guest.person("ada")?["name"] == "only here")
  try party.guest.store.leave(party.zone, discardingUnsent: true)
  #expect(try party.guest.person("ada") == nil)
  #expect(try await party.guestEngine.syncNow().unsent == 0)
  #expect(try party.guest.person("ada") == nil)
}

@Test func `an edit of a domain that had a remote and has none now says so`() async throws {
  let remote = InMemoryTransport()
  let storage = InMemoryStorage()
  let a = try Phone("a", remote, storage: storage)
  let fresh = try Phone("fresh", detachment: .noRemote)
  try fresh.add("ada", "Ada")
  try fresh.set(.synced, "ada")
  let quiet = try fresh.key("person", "ada")
  #expect(try fresh.store.write { try $0.edit(quiet, ["name": "x"]) }.summary.unsent.isEmpty)

  try a.add("ada", "Ada")
  try a.set(.synced, "ada")
  try a.add("eve", "Eve")
  try await a.engine.syncNow()
  for reason in [UnsentEdits.Reason.noRemote, .disabled] {
    let later = try Phone("a", storage: storage, detachment: reason)
    let key = try later.key("person", "ada")
    let summary = try later.store.write { try $0.edit(key, ["name": .string("\(reason)")]) }.summary
    #expect(summary.unsent.map(\.reason) == [reason])
    #expect(summary.unsent.first?.warning.contains("stays here until") == true)
    // Local by choice.
    let local = try later.key("person", "eve")
    #expect(try later.store.write { try $0.edit(local, ["name": "y"]) }.summary.unsent.isEmpty)
  }
}
