import FileTransport
import SyncKitFormats
import MediaLibrary
import ReadableDocuments
import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

/// A folder with a media library in one file, the devices that meet there, and an app that knows
/// only the readable part.
final class SharedDocument: Sendable {
  static let path = "MediaShowsSync/MediaShowsData.json"
  let remote: RemoteFolder
  let clock = VirtualClock()

  init() throws { remote = try RemoteFolder() }
  deinit { remote.remove() }

  func device(_ name: String, adopting: Bool = false) throws -> MediaDevice {
    try MediaDevice(name, at: remote.path, clock: clock)
  }

  var bytes: [UInt8] { get throws { try remote.read(Self.path) } }
  var json: JSON { get throws { try JSON(parsing: bytes) } }
  /// The names in the document's folder.
  var names: [String] { remote.files(in: "MediaShowsSync").map { String($0.dropFirst(15)) } }

  func write(_ root: JSONObject, as name: String = path) throws {
    try remote.write(name, JSON.object(root).serialized(pretty: true))
  }

  /// A person edits the file by hand: everything else stays as it is.
  func hand(_ edit: (inout JSONObject) throws -> Void) throws {
    let json = try json
    var root = try #require(json.object)
    try edit(&root)
    try write(root)
  }

  /// An app that knows only version 1 writes the file: what it does not know is gone.
  func app(
    as name: String = path, from old: JSON? = nil, _ edit: (inout JSONObject) throws -> Void
  )
    throws
  {
    clock.advance(by: 5_000)
    let json = try old ?? json
    var root = try #require(json.object)
    root["cloudsync"] = nil
    try edit(&root)
    root["deviceId"] = "APP"
    root["lastSyncedAt"] = .string(now)
    try write(root, as: name)
  }

  /// The app adds an item to every list of what it has read.
  func add(_ title: String, _ tmdb: Int64, to name: String, from old: JSON) throws {
    try app(as: name, from: old) { root in
      let time = JSON.string(now)
      root.each("lists") { list in
        list.append(
          [
            "id": "AAAAAAAA-0000-4000-8000-000000000002", "tmdbId": .int(tmdb),
            "mediaType": "movie", "title": .string(title), "createdAt": time, "updatedAt": time,
            "order": 1,
          ], to: "items")
      }
    }
  }

  /// The time as the app writes it.
  var now: String { String(Timestamp.format(milliseconds: clock.now).prefix(19)) + "Z" }
}

extension JSONObject {
  /// Edits each list, or the items of a list, that `body` wants to edit.
  mutating func each(_ key: String, _ body: (inout JSONObject) throws -> Void) rethrows {
    guard case .array(let elements) = self[key] else { return }
    self[key] = .array(
      try elements.map { element in
        guard case .object(var object) = element else { return element }
        try body(&object)
        return .object(object)
      })
  }

  mutating func items(_ body: (inout JSONObject) throws -> Void) rethrows {
    try each("lists") { try $0.each("items", body) }
  }

  mutating func item(_ title: String, _ body: (inout JSONObject) throws -> Void) rethrows {
    try items { if $0["title"]?.string == title { try body(&$0) } }
  }

  mutating func append(_ element: JSON, to key: String) {
    self[key] = .array((self[key]?.array ?? []) + [element])
  }
}

/// A device with a media library of its own.
final class MediaDevice: Sendable {
  let store: SyncStore
  let engine: SyncEngine
  let path: String

  init(_ name: String, at path: String, clock: VirtualClock) throws {
    self.path = path
    let seed = name.utf8.reduce(UInt64(11)) { $0 &* 31 &+ UInt64($1) }
    let environment = SyncEnvironment.seeded(SeededRandom(seed: seed), clock: clock)
    let store = try SyncStore(
      MediaLibraryDomain(), storage: InMemoryStorage(), coding: DeflateSegmentCoding(),
      device: Device(id: "device-\(name)", name: name),
      environment: SyncEnvironment(
        now: {
          clock.advance(by: 1_000)
          return environment.now()
        }, random: environment.random))
    self.store = store
    engine = SyncEngine(
      store: store,
      remotes: [Remote("folder", location: "file:\(path)", transport: Self.transport(path, store))])
  }

  static func transport(_ path: String, _ store: SyncStore) -> DocumentTransport {
    DocumentTransport(
      path: path, domain: store.domain, document: MediaDocument(),
      base: { try store.heldSegments(on: "folder") })
  }

  @discardableResult func sync(_ options: SyncOptions = SyncOptions()) async throws -> SyncReport {
    try await engine.syncNow(options)
  }

  @discardableResult func list(_ name: String) throws -> RecordKey {
    try store.write {
      try $0.save(
        RecordDraft("list", id: RecordID("list-\(name)"), fields: ["name": .string(name)])
      ).key
    }.result
  }

  @discardableResult
  func item(
    _ title: String, _ tmdb: Int64, in list: RecordKey, _ more: [FieldName: Value] = [:]
  ) throws
    -> RecordKey
  {
    var fields: [FieldName: Value] = [
      "title": .string(title), "tmdbId": .int(tmdb), "mediaType": "movie",
    ]
    fields.merge(more) { $1 }
    return try store.write {
      try $0.save(RecordDraft("item", parent: list, fields: fields)).key
    }.result
  }

  @discardableResult
  func edit(_ key: RecordKey, _ fields: [FieldName: Value]) throws -> WriteOutcome {
    try store.write { try $0.edit(key, fields) }.result
  }

  func delete(_ key: RecordKey) throws { try store.write { try $0.delete(key) } }

  func item(_ title: String) throws -> Record? {
    try store.records("item").first { $0["title"] == .string(title) }
  }

  var titles: [String] {
    get throws { try store.records("item").compactMap { $0["title"].string }.sorted() }
  }
  /// What must be equal on devices that have seen the same.
  var digests: [ContentHash] {
    get throws { try store.verify().filter { $0.zone != .local }.map(\.digest) }
  }
}

/// Syncs until every device has everything, and checks that none writes any more then.
func settle(_ document: SharedDocument, _ devices: MediaDevice...) async throws {
  for _ in 0..<2 { for device in devices { try await device.sync() } }
  let before = try document.bytes
  for device in devices {
    let report = try await device.sync()
    #expect(report.pushed == 0 && report.pulled == 0 && report.notes == [])
  }
  #expect(try document.bytes == before)
  let first = try #require(devices.first)
  for device in devices.dropFirst() { #expect(try device.digests == first.digests) }
}
