import Foundation
import SyncKitApp
import Testing

@Suite struct Backgrounds {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func save(_ store: SyncStore, _ id: RecordID) async throws {
    try await store.write { try $0.save(RecordDraft("book", id: id, fields: ["title": "Dune"])) }
  }

  @Test func `a refresh says whether something has come or gone`() async throws {
    let (desk, phone) = (try await scratch.store("desk"), try await scratch.store("phone"))
    let remote = Remote.folder("\(scratch.path)/shared")
    let sessions = [desk, phone].map { $0.sync(with: remote) }
    try await save(desk, "dune")
    #expect(await sessions[0].refresh() == .newData)
    #expect(await sessions[1].refresh() == .newData)
    #expect(await sessions[1].refresh() == .noData)
    try FileManager.default.removeItem(atPath: "\(scratch.path)/shared")
    #expect(await sessions[1].refresh() == .failed)
  }

  @Test func `a refresh without time ends at once and loses nothing`() async throws {
    let store = try await scratch.store("desk")
    try await save(store, "dune")
    let session = store.sync(with: .folder("\(scratch.path)/shared"))
    let ended = await session.refresh(within: .zero)
    #expect(ended != .noData)
    #expect(await session.refresh() == (ended == .newData ? .noData : .newData))
    #expect(try store.status(remotes: ["folder"]).pending == 0)
  }

  @Test func `another account is refused until a person wants both together`() async throws {
    let (mine, other) = (try await scratch.store("desk"), try await scratch.store("other"))
    try await save(mine, "dune")
    try await save(other, "emma")
    try await mine.sync(with: .folder("\(scratch.path)/mine")).syncNow()
    try await other.sync(with: .folder("\(scratch.path)/other")).syncNow()
    let session = mine.sync(with: .folder("\(scratch.path)/other", named: "account"))
    let error = await #expect(throws: SyncError.self) { try await session.syncNow() }
    #expect(error?.code == .remoteVault)
    #expect(try mine.record("book", "emma") == nil)
    try await session.adoptRemotes()
    try await session.syncNow()
    #expect(try mine.record("book", "emma") != nil)
  }
}
