import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

@Test func `a new root stays here until it is published`() async throws {
  let remote = InMemoryTransport()
  let a = try Phone("a", remote)
  let b = try Phone("b", remote)
  try a.add("ada", "canary-ada")
  try a.entry("1", of: "ada", "canary-entry")
  try a.store.write {
    try $0.save(RecordDraft("secret", id: "s", fields: ["text": "canary-secret"]))
  }
  for phone in [a, b, a] { try await phone.engine.syncNow() }
  #expect(try b.person("ada") == nil)
  #expect(try await !leaked("canary", on: remote))
  #expect(try a.person("ada")?.scope == .local)
  #expect(try a.store.status(remotes: ["r0"]).pending == 0)
}

@Test func `publishing a root sends its present values and nothing from before`() async throws {
  let remote = InMemoryTransport()
  let a = try Phone("a", remote)
  let b = try Phone("b", remote)
  try a.add("ada", "former-name")
  try a.add("ada", "Ada")
  try a.entry("1", of: "ada", "kept")
  try a.entry("2", of: "ada", "removed-before")
  let removed = try a.key("entry", "2")
  try a.store.write { try $0.delete(removed) }
  let created = try a.person("ada")?.created
  try a.set(.synced, "ada")
  #expect(try a.person("ada")?.scope == .synced)
  for phone in [a, b, a] { try await phone.engine.syncNow() }
  #expect(try b.person("ada")?["name"] == "Ada")
  #expect(try b.person("ada")?.created == created)
  #expect(try b.entries == ["kept"])
  #expect(try await !leaked("former-name", on: remote))
  #expect(try await !leaked("removed-before", on: remote))
  // What was before is still in the history of the device where it happened.
  #expect(try a.store.history().contains { $0.entries.contains { $0.to == "former-name" } })
  #expect(try a.store.verify().map(\.digest) == b.store.verify().map(\.digest))
}

@Test func `withdrawing erases everywhere else and says which devices have not confirmed`()
  async throws
{
  let remote = InMemoryTransport()
  let a = try Phone("a", remote)
  let b = try Phone("b", remote)
  let c = try Phone("c", remote)
  try a.add("ada", "canary-ada")
  try a.entry("1", of: "ada", "canary-entry")
  try a.set(.synced, "ada")
  for phone in [a, b, c, b, a] { try await phone.engine.syncNow() }
  try a.edit("ada", ["color": "red"])
  try a.set(.local, "ada")

  #expect(try a.person("ada")?.scope == .local)
  #expect(try a.person("ada")?["color"] == "red")
  #expect(try a.entries == ["canary-entry"])
  #expect(try a.owed.map(\.remotes) == [["r0"]])
  #expect(try Set(a.owed[0].devices.map(\.id)) == ["device-b", "device-c"])

  try await a.engine.syncNow()
  #expect(try await !leaked("canary", on: remote))
  #expect(try a.owed[0].remotes.isEmpty)
  let report = try await b.engine.syncNow()
  #expect(report.notes.contains { $0.contains("made local") })
  #expect(try b.person("ada") == nil)
  #expect(try b.entries.isEmpty)
  #expect(try b.store.history().allSatisfy { $0.entries.isEmpty })
  try await a.engine.syncNow()
  #expect(try a.owed[0].devices.map(\.id) == ["device-c"])
  for phone in [c, a] { try await phone.engine.syncNow() }
  #expect(try a.owed.isEmpty)
  #expect(try a.entries == ["canary-entry"])
}

@Test func `letting out again works, and other devices do not keep deleting it`() async throws {
  let remote = InMemoryTransport()
  let a = try Phone("a", remote)
  let b = try Phone("b", remote)
  try a.add("ada", "Ada")
  for round in 1...3 {
    try a.set(.synced, "ada")
    try a.entry(RecordID("\(round)"), of: "ada", "round \(round)")
    for phone in [a, b, a, b] { try await phone.engine.syncNow() }
    #expect(try b.entries == (1...round).map { "round \($0)" })
    #expect(try b.person("ada")?.scope == .synced)
    try a.set(.local, "ada")
    for phone in [a, b, a, b] { try await phone.engine.syncNow() }
    #expect(try b.person("ada") == nil)
    #expect(try a.owed.isEmpty)
  }
}

@Test func `edits that had not been sent stay as a local record`() async throws {
  let remote = InMemoryTransport()
  let a = try Phone("a", remote)
  let b = try Phone("b", remote)
  try a.add("ada", "Ada")
  try a.entry("1", of: "ada", "shared")
  try a.set(.synced, "ada")
  for phone in [a, b] { try await phone.engine.syncNow() }
  try b.entry("2", of: "ada", "written offline")
  try a.set(.local, "ada")
  for phone in [a, b, a, b] { try await phone.engine.syncNow() }
  #expect(try b.entries == ["written offline"])
  #expect(try b.person("ada")?.scope == .local)
  #expect(try a.entries == ["shared"])
  #expect(try a.owed.isEmpty)

  // Both published again: the two copies are one record.
  try a.set(.synced, "ada")
  try b.set(.synced, "ada")
  for phone in [a, b, a, b] { try await phone.engine.syncNow() }
  #expect(try a.entries.sorted() == ["shared", "written offline"])
  #expect(try b.entries.sorted() == ["shared", "written offline"])
}

@Test func `a record that is local here ignores what others send and erase`() async throws {
  let remote = InMemoryTransport()
  let a = try Phone("a", remote)
  let copy = try Phone("copy", remote)
  for phone in [a, copy] { try phone.add("ada", "Ada of \(phone.name)") }
  try copy.set(.synced, "ada")
  for phone in [copy, a, copy, a] { try await phone.engine.syncNow() }
  #expect(try a.person("ada")?["name"] == "Ada of a")
  #expect(try a.person("ada")?.scope == .local)
  try copy.set(.local, "ada")
  for phone in [copy, a] { try await phone.engine.syncNow() }
  try copy.set(.synced, "ada")
  for phone in [copy, a, copy] { try await phone.engine.syncNow() }
  #expect(try a.person("ada")?["name"] == "Ada of a")
  // Only its owner can raise it; then the two meet.
  try a.set(.synced, "ada")
  for phone in [a, copy, a, copy] { try await phone.engine.syncNow() }
  #expect(try a.person("ada")?["name"] == copy.person("ada")?["name"])
  #expect(try a.store.records("person").count == 1)
}

@Test func `a record that is local here is still the one that is meant when others erase theirs`()
  async throws
{
  let remote = InMemoryTransport()
  let a = try Phone("a", remote)
  let b = try Phone("b", remote)
  try a.add("ada", "theirs")
  try a.set(.synced, "ada")
  try await a.engine.syncNow()
  let mine = try b.add("ada", "canary-mine")
  try a.set(.local, "ada")
  try await a.engine.syncNow()
  let report = try await b.engine.syncNow()
  // Nothing was made local here, so nothing is said and nothing moves.
  #expect(!report.notes.contains { $0.contains("made local") })
  #expect(try b.person("ada")?.key == mine)
  #expect(try b.store.unsentEdits().isEmpty)
  // Saved once more it is the same record, and no new one that would leave.
  try b.add("ada", "canary-mine, still")
  #expect(try b.store.records("person", id: "ada").filter { !$0.isDeleted }.count == 1)
  #expect(try b.person("ada")?["name"] == "canary-mine, still")
  #expect(try b.person("ada")?.scope == .local)
  let before = remote.count
  for phone in [b, a, b] { try await phone.engine.syncNow() }
  #expect(try await !leaked("canary", on: remote))
  #expect(remote.count == before)
}

@Test func `a device between two remotes carries an erasure on`() async throws {
  let near = InMemoryTransport()
  let far = InMemoryTransport()
  let a = try Phone("a", near)
  let box = try Phone("box", near, far)
  let b = try Phone("b", far)
  try await a.engine.syncNow()
  var options = SyncOptions()
  options.consent = .adopt
  try await box.engine.attach(options)
  try a.add("ada", "canary")
  try a.set(.synced, "ada")
  for phone in [a, box, b, box, a] { _ = await phone.engine.sync() }
  #expect(try b.person("ada") != nil)
  try a.set(.local, "ada")
  for phone in [a, box, b, box, a] { _ = await phone.engine.sync() }
  #expect(try b.person("ada") == nil)
  #expect(try await !leaked("canary", on: far))
  #expect(try await !leaked("canary", on: near))
  #expect(try a.owed.isEmpty)
}

@Test func `a change of scope cannot be undone, and older batches of the tree are listed`() throws {
  let a = try Phone("a")
  try a.add("ada", "Ada")
  let first = try #require(try a.store.history().first)
  try a.set(.synced, "ada")
  let move = try #require(try a.store.history().first { $0.id != first.id })
  #expect(throws: SyncError.self) { try a.store.undo(move.id) }
  #expect(try a.store.undo(first.id).skipped == ["person/ada"])
  #expect(try a.person("ada")?.isDeleted == false)
}

@Test func `undoing elsewhere what let a tree out leaves whole what was worked on`() async throws {
  let remote = InMemoryTransport()
  let a = try Phone("a", remote)
  let b = try Phone("b", remote)
  try a.add("ada", "Ada")
  for id in ["1", "2"] as [RecordID] { try a.entry(id, of: "ada", "first") }
  try a.set(.synced, "ada")
  for phone in [a, b] { try await phone.engine.syncNow() }
  let batch = try #require(b.store.history().first { $0.entries.contains { $0.to == "Ada" } })
  try b.entry("1", of: "ada", "later")
  let result = try b.store.undo(batch.id)
  #expect(result.summary.deleted == 1, "the entry that was never edited")
  for phone in [a, b, a, b] { try await phone.engine.syncNow() }
  for phone in [a, b] {
    #expect(try phone.person("ada")?["name"] == "Ada")
    #expect(try phone.entries == ["later"])
    #expect(try phone.store.record("entry", "1")?.parent?.id == "ada")
  }
  // Withdrawn meanwhile by a device that has not seen it: all of the tree that is kept hangs on its root.
  try b.entry("1", of: "ada", "latest")
  try a.set(.local, "ada")
  for phone in [a, b, a, b] { try await phone.engine.syncNow() }
  #expect(try b.person("ada")?.scope == .local)
  #expect(try b.entries == ["latest"])
}

@Test func `concurrent texts are both kept when a tree is withdrawn`() async throws {
  let remote = InMemoryTransport()
  let a = try Phone("a", remote)
  let b = try Phone("b", remote)
  try a.add("ada", "Ada")
  try a.set(.synced, "ada")
  for phone in [a, b] { try await phone.engine.syncNow() }
  for phone in [a, b] {
    try phone.edit("ada", ["note": .string("by \(phone.name)")])
  }
  for phone in [a, b, a] { try await phone.engine.syncNow() }
  try a.set(.local, "ada")
  let note = try #require(try a.person("ada")?["note"].string)
  #expect(note.contains("by a") && note.contains("by b"))
}

@Test func `a repaired store keeps local what was local`() async throws {
  let remote = InMemoryTransport()
  let storage = InMemoryStorage()
  let a = try Phone("a", remote, storage: storage)
  try a.add("ada", "canary-ada")
  try a.entry("1", of: "ada", "canary-entry")
  try a.edit("ada", ["color": "red"])
  let repaired = try Phone("repaired", remote)
  _ = try repaired.store.salvage(from: storage)
  #expect(try repaired.entries == ["canary-entry"])
  #expect(try repaired.person("ada")?.scope == .local)
  #expect(try repaired.person("ada")?["color"] == "red")
  try await repaired.engine.syncNow()
  #expect(try await !leaked("canary", on: remote))
  try repaired.set(.synced, "ada")
  let b = try Phone("b", remote)
  for phone in [repaired, b] { try await phone.engine.syncNow() }
  #expect(try b.entries == ["canary-entry"])
}

@Test func `a repaired store does not undo what moved a tree either`() throws {
  let storage = InMemoryStorage()
  let a = try Phone("a", storage: storage)
  try a.add("ada", "Ada")
  let first = try #require(try a.store.history().first)
  try a.set(.synced, "ada")
  let move = try #require(try a.store.history().first { $0.id != first.id })
  let repaired = try Phone("repaired")
  _ = try repaired.store.salvage(from: storage)
  let refused = #expect(throws: SyncError.self) { try repaired.store.undo(move.id) }
  #expect(refused?.code == .undoRefused)
  #expect(try repaired.person("ada")?.isDeleted == false)
}

@Test(arguments: [false, true])
func `an erased store is still the one its witness knows`(hasMetACopy: Bool) async throws {
  let remote = InMemoryTransport()
  let storage = InMemoryStorage()
  let witness = TestWitness()
  let a = try Phone("a", remote)
  let b = try Phone("b", remote, storage: storage, witness: witness)
  try a.add("ada", "Ada")
  try a.set(.synced, "ada")
  for phone in [a, b] { try await phone.engine.syncNow() }
  try b.entry("1", of: "ada", "by b")
  try await b.engine.syncNow()
  var options = SyncOptions()
  if hasMetACopy {
    let copy = try Phone("copy", remote, storage: InMemoryStorage(copying: storage))
    try copy.entry("2", of: "ada", "by the copy")
    try await copy.engine.syncNow()
    // It goes on under another id and seals nothing from here on.
    options.direction = .pullOnly
    #expect(try await b.engine.syncNow(options).forks > 0)
  }
  try await a.engine.syncNow()
  try a.set(.local, "ada")
  try await a.engine.syncNow()
  try await b.engine.syncNow(options)
  #expect(try b.person("ada") == nil)
  #expect(try !Phone("again", remote, storage: storage, witness: witness).store.isCopy)
}

@Test func `a quiet run after an erasure writes nothing`() async throws {
  let remote = InMemoryTransport()
  let a = try Phone("a", remote)
  let b = try Phone("b", remote)
  try a.add("ada", "Ada")
  try a.set(.synced, "ada")
  for phone in [a, b] { try await phone.engine.syncNow() }
  try a.set(.local, "ada")
  for phone in [a, b, a, b] { try await phone.engine.syncNow() }
  let before = try await remote.inventory(of: "people")
  for phone in [a, b] {
    let report = try await phone.engine.syncNow()
    #expect(report == SyncReport())
  }
  let after = try await remote.inventory(of: "people")
  #expect(before.segments.map(\.location) == after.segments.map(\.location))
  #expect(before.erased == after.erased)
}

@Test func `what is written before its root waits for consent too`() async throws {
  let remote = InMemoryTransport()
  let a = try Phone("a", remote)
  try a.store.write { transaction in
    try transaction.save(
      RecordDraft(
        "entry", id: "1", parent: .root("person", "ada"), fields: ["value": "canary-entry"]))
    try transaction.save(RecordDraft("person", id: "ada", fields: ["name": "canary-ada"]))
  }
  try await a.engine.syncNow()
  #expect(try await !leaked("canary", on: remote))
  #expect(try a.person("ada")?.scope == .local)
}

@Test func `an import that names the root as before finds it after it was withdrawn`() async throws
{
  let remote = InMemoryTransport()
  let a = try Phone("a", remote)
  let b = try Phone("b", remote)
  try a.add("ada", "Ada")
  try a.set(.synced, "ada")
  for phone in [a, b] { try await phone.engine.syncNow() }
  try a.set(.local, "ada")
  try a.store.write { transaction in
    try transaction.save(RecordDraft("person", id: "ada", fields: ["name": "Ada again"]))
    try transaction.save(
      RecordDraft("entry", id: "1", parent: .root("person", "ada"), fields: ["value": "late"]))
  }
  #expect(try a.store.records("person").map(\.key.id) == ["ada"])
  #expect(try a.entries == ["late"])
  try a.set(.synced, "ada")
  for phone in [a, b] { try await phone.engine.syncNow() }
  // On a device that only knows the later zone, too.
  try b.store.write { transaction in
    try transaction.save(
      RecordDraft("entry", id: "2", parent: .root("person", "ada"), fields: ["value": "by b"]))
  }
  for phone in [b, a] { try await phone.engine.syncNow() }
  #expect(try a.entries.sorted() == ["by b", "late"])
}

@Test func `an edit that was sent but never seen by the withdrawing device is kept`() async throws {
  let remote = InMemoryTransport()
  let a = try Phone("a", remote)
  let b = try Phone("b", remote)
  let c = try Phone("c", remote)
  try a.add("ada", "Ada")
  try a.set(.synced, "ada")
  for phone in [a, b, c] { try await phone.engine.syncNow() }
  try b.entry("1", of: "ada", "sent by b")
  try await b.engine.syncNow()
  try a.set(.local, "ada")
  for phone in [a, c, b, a, c, b] { try await phone.engine.syncNow() }
  #expect(try a.entries.isEmpty)
  #expect(try b.entries == ["sent by b"])
  #expect(try b.person("ada")?.scope == .local)
  #expect(try c.person("ada") == nil)
  #expect(try await !leaked("sent by b", on: remote))
}

@Test func `of two concurrent values the one that the withdrawing device never saw is kept`()
  async throws
{
  let remote = InMemoryTransport()
  let a = try Phone("a", remote)
  let b = try Phone("b", remote)
  try a.add("ada", "Ada")
  try a.set(.synced, "ada")
  for phone in [a, b] { try await phone.engine.syncNow() }
  try b.edit("ada", ["name": "Ada of b"])
  // Written later, so that this is the value that both would show.
  for name in ["Ada 1", "Ada 2", "Ada of a"] { try a.edit("ada", ["name": .string(name)]) }
  for phone in [a, b] { try await phone.engine.syncNow() }
  #expect(try b.person("ada")?["name"] == "Ada of a")
  try a.set(.local, "ada")
  for phone in [a, b, a, b] { try await phone.engine.syncNow() }
  #expect(try a.person("ada")?["name"] == "Ada of a")
  #expect(try b.person("ada")?["name"] == "Ada of b")
  #expect(try b.person("ada")?.scope == .local)
}

@Test func `an edit that the withdrawing device never saw is kept without its change, too`()
  async throws
{
  let remote = InMemoryTransport()
  let a = try Phone("a", remote)
  let b = try Phone("b", remote)
  try a.add("ada", "Ada")
  try a.set(.synced, "ada")
  for phone in [a, b] { try await phone.engine.syncNow() }
  try b.entry("1", of: "ada", "sent by b")
  var options = SyncOptions()
  options.keepHistory = .zero
  options.isCompaction = true
  for _ in 0..<2 { try await b.engine.syncNow(options) }
  #expect(try b.store.history().allSatisfy { $0.entries.isEmpty }, "the change is still there")
  try a.set(.local, "ada")
  for phone in [a, b, a, b] { try await phone.engine.syncNow() }
  #expect(try b.entries == ["sent by b"])
  #expect(try b.person("ada")?.scope == .local)
}

@Test func `a device that only the remote knows of has to confirm, too`() async throws {
  let remote = InMemoryTransport()
  let a = try Phone("a", remote)
  let b = try Phone("b", remote)
  try a.add("ada", "Ada")
  try a.set(.synced, "ada")
  for phone in [a, b] { try await phone.engine.syncNow() }
  // The owner has not heard of the other device when it takes the record back.
  try a.set(.local, "ada")
  #expect(try a.owed[0].devices.isEmpty)
  try await a.engine.syncNow()
  #expect(try a.owed[0].devices.count == 1)
  for phone in [b, a] { try await phone.engine.syncNow() }
  #expect(try a.owed.isEmpty)
}

@Test func `an edit from before a tree was withdrawn joins the tree that was published again`()
  async throws
{
  let folder = InMemoryBlobStore()
  let a = try Phone("a")
  let b = try Phone("b")
  let engines = [a, b].map {
    SyncEngine(
      store: $0.store,
      remotes: [Remote("r0", location: "folder", transport: BlobTransport(folder))])
  }
  try a.add("ada", "Ada")
  try a.entry("1", of: "ada", "first")
  try a.set(.synced, "ada")
  for engine in engines { try await engine.syncNow() }
  try b.entry("2", of: "ada", "written by b")
  try a.set(.local, "ada")
  try await engines[0].syncNow()
  try a.entry("1", of: "ada", "later")
  try a.set(.synced, "ada")
  try await engines[0].syncNow()

  // The provider brings the new tree before the word that the former one is gone.
  let markers = folder.files.filter { $0.key.contains("erased-") }
  #expect(!markers.isEmpty)
  for name in markers.keys { folder.files[name] = nil }
  try await engines[1].syncNow()
  folder.files.merge(markers) { $1 }
  for _ in 0..<3 { for engine in engines { try await engine.syncNow() } }
  for phone in [a, b] {
    #expect(try phone.person("ada")?.scope == .synced)
    #expect(try phone.entries == ["later", "written by b"])
  }
}
