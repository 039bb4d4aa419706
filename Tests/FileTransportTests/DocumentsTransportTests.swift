import MediaLibrary
import ReadableDocuments
import SegmentFormat
import SyncKit
import SyncKitFormats
import SyncKitTesting
import Testing

@testable import FileTransport

/// One readable file for each list.
@Suite struct DocumentsTransportKeepsTheContract {
  @Test(arguments: TransportContract.checks)
  func check(_ check: ContractCheck<TransportContract>) async throws {
    try await TransportContract.check(check) {
      DocumentsTransport(path: $0.path, domain: Contract(), document: Contract())
    }
  }
}

@Suite struct AFileForEachList {
  /// A device of the fixture whose lists are files of their own.
  private func engine(of device: MediaDevice, at path: String) -> SyncEngine {
    let store = device.store
    return SyncEngine(
      store: store,
      remotes: [
        Remote(
          "lists", location: "file:\(path)",
          transport: DocumentsTransport(
            path: path, domain: store.domain, document: MediaDocument(),
            base: { try store.heldSegments(on: "lists") }))
      ])
  }

  private func json(_ remote: RemoteFolder) throws -> [String: JSON] {
    var found: [String: JSON] = [:]
    for name in remote.files() where name.hasSuffix(".json") {
      found[name] = try JSON(parsing: try remote.read(name))
    }
    return found
  }

  private func names(_ json: JSON) -> [String] {
    (json["lists"]?.array ?? []).compactMap { $0["name"]?.string }
  }

  /// The file of a list; what is in no list has a file of its own too.
  private func file(of list: String, _ remote: RemoteFolder) throws -> String {
    try #require(try json(remote).first { names($0.value) == [list] }?.key)
  }

  @Test func `each list is in one file, with its films, and an edit writes that file alone`()
    async throws
  {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    let clock = VirtualClock()
    let first = try MediaDevice("first", at: remote.path, clock: clock)
    let second = try MediaDevice("second", at: remote.path, clock: clock)
    let (here, there) = (engine(of: first, at: remote.path), engine(of: second, at: remote.path))
    let weekend = try first.list("Weekend")
    let winter = try first.list("Winter")
    try first.item("Heat", 949, in: weekend)
    try first.item("Fargo", 275, in: winter)
    _ = try await here.syncNow()
    let before = try json(remote)
    #expect(before.keys.allSatisfy { $0.hasPrefix("MediaShowsSync/Lists/") })
    #expect(before.values.flatMap { names($0) }.sorted() == ["Weekend", "Winter"])
    #expect(before.values.allSatisfy { names($0).count < 2 })
    _ = try await there.syncNow()
    let titles = try second.store.records("item").map { $0["title"].string ?? "" }
    #expect(titles.sorted() == ["Fargo", "Heat"])

    let bytes = try Dictionary(
      uniqueKeysWithValues: before.keys.map { ($0, try remote.read($0)) })
    let edited = try file(of: "Weekend", remote)
    try second.item("Alien", 348, in: weekend)
    _ = try await there.syncNow()
    #expect(try bytes.filter { try remote.read($0.key) != $0.value }.map(\.key) == [edited])
    _ = try await here.syncNow()
    #expect(try first.store.records("item").count == 3)
  }

  @Test func `what an app changes in the file of a list is an edit`() async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    let first = try MediaDevice("first", at: remote.path, clock: VirtualClock())
    let here = engine(of: first, at: remote.path)
    let weekend = try first.list("Weekend")
    try first.item("Heat", 949, in: weekend)
    _ = try await here.syncNow()
    let name = try file(of: "Weekend", remote)
    let text = String(decoding: try remote.read(name), as: UTF8.self)
    try remote.write(
      name,
      Array(
        text.replacing("\"title\": \"Heat\"", with: "\"title\": \"Heat (1995)\"").utf8))
    _ = try await here.syncNow()
    #expect(try first.store.records("item").map { $0["title"].string } == ["Heat (1995)"])
  }

  @Test func `a list that an app adds to the file of another one gets a file of its own`()
    async throws
  {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    let first = try MediaDevice("first", at: remote.path, clock: VirtualClock())
    let here = engine(of: first, at: remote.path)
    try first.item("Heat", 949, in: try first.list("Weekend"))
    _ = try await here.syncNow()
    let name = try file(of: "Weekend", remote)
    var root = try #require(try JSON(parsing: remote.read(name)).object)
    root.append(
      [
        "id": "BBBBBBBB-0000-4000-8000-000000000001", "name": "Winter",
        "createdAt": "2026-01-02T03:04:05Z", "updatedAt": "2026-01-02T03:04:05Z", "items": [],
      ], to: "lists")
    try remote.write(name, JSON.object(root).serialized(pretty: true))
    _ = try await here.syncNow()
    _ = try await here.syncNow()
    #expect(try first.store.records("list").count == 2)
    let files = try json(remote)
    #expect(files.values.flatMap { names($0) }.sorted() == ["Weekend", "Winter"])
    #expect(files.values.allSatisfy { names($0).count < 2 })
  }

  @Test(arguments: ["segments", "document"])
  func `a remote is converted to files for each list and back, and nothing is lost`(
    other: String
  ) async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    let first = try MediaDevice("first", at: remote.path, clock: VirtualClock())
    let here = engine(of: first, at: remote.path)
    let weekend = try first.list("Weekend")
    try first.item("Heat", 949, in: weekend)
    _ = try await here.syncNow()
    let identity = RemoteIdentity(
      vault: try first.store.vault(), isKnown: true, newVault: "", mayWrite: false)
    let conversion = LayoutConversion(
      path: remote.path, domain: first.store.domain, document: MediaDocument())
    let gone = try await conversion.run(to: other, identity)
    #expect(gone.isConverted && gone.backup != nil && gone.segments > 0)
    #expect(try await conversion.run(to: other, identity).isConverted == false)
    let back = try await conversion.run(to: "lists", identity)
    #expect(back.isConverted && back.segments == gone.segments)
    let second = try MediaDevice("second", at: remote.path, clock: VirtualClock())
    _ = try await engine(of: second, at: remote.path).syncNow()
    #expect(try second.store.records("item").map { $0["title"].string } == ["Heat"])
  }

  @Test func `a copy that a provider made of one file is taken in and goes`() async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    let first = try MediaDevice("first", at: remote.path, clock: VirtualClock())
    let here = engine(of: first, at: remote.path)
    let weekend = try first.list("Weekend")
    _ = try await here.syncNow()
    let name = try file(of: "Weekend", remote)
    let count = try json(remote).count
    let old = try remote.read(name)
    try first.item("Heat", 949, in: weekend)
    _ = try await here.syncNow()
    let copy = name.replacing(".json", with: " (1).json")
    try remote.write(copy, try remote.read(name))
    try remote.write(name, old)
    let second = try MediaDevice("second", at: remote.path, clock: VirtualClock())
    _ = try await engine(of: second, at: remote.path).syncNow()
    #expect(try second.store.records("item").count == 1)
    #expect(try json(remote).count == count)
  }
}
