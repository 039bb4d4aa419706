import SyncKitFormats
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Two devices, an app and a person over one file, with the real program.
struct MediaDocumentTests {
  @Test func `two devices, an app that knows version 1, and a hand agree over one file`()
    async throws
  {
    let place = try DocumentReplacement()
    // An app was here before any device.
    try place.app { root in
      root["lists"] = [
        [
          "id": "AAAAAAAA-0000-4000-8000-000000000001", "name": "Weekend",
          "createdAt": "2025-11-01T12:00:00Z", "updatedAt": "2025-11-20T14:30:00Z",
          "deleted": false,
          "items": [
            place.item("Heat", 949, at: "2025-11-20T14:31:00Z"),
            place.item("Ronin", 8195, at: "2025-11-20T14:32:00Z"),
          ],
        ]
      ]
    }
    try await place.sync()
    #expect(try await place.second.titles() == ["Heat", "Ronin"])

    // A device edits; the app then adds and deletes in the file that it reads.
    let heat = try #require(try await place.first.ids()["Heat"])
    try await place.first.succeed("media", "set", "item/\(heat)", "overview=LA")
    try await place.sync()
    try place.app { root in
      root.onEachItem {
        if $0["title"] == "Ronin" {
          $0["deletedAt"] = "2099-01-01T00:00:00Z"
          $0["updatedAt"] = "2099-01-01T00:00:00Z"
        }
      }
      root.add(place.item("Thief", 11524, at: "2099-01-01T00:00:00Z"))
    }
    try await place.sync()
    for device in [place.first, place.second] {
      #expect(try await device.titles() == ["Heat", "Thief"])
    }

    // A person edits beside the mail.
    try place.hand { root in
      root.onEachItem { if $0["title"] == "Heat" { $0["title"] = "Heat (1995)" } }
    }
    try await place.sync()
    #expect(try await place.second.titles() == ["Heat (1995)", "Thief"])

    // Quiet.
    let bytes = try Files.read(place.file)
    for device in [place.first, place.second] {
      let outcome = try await device.run("sync", "--json")
      #expect(outcome.status == 0 && outcome.error.isEmpty)
      #expect(outcome.document["jobs"]?[0]?["pushed"] == 0)
      #expect(outcome.document["jobs"]?[0]?["pulled"] == 0)
    }
    #expect(try Files.read(place.file) == bytes)
    #expect(try await place.first.state() == place.second.state())
  }

  @Test func `two conflict copies are taken in, and then there is one file`() async throws {
    let place = try DocumentReplacement()
    try place.app { root in
      root["lists"] = [
        [
          "id": "AAAAAAAA-0000-4000-8000-000000000001", "name": "Weekend",
          "createdAt": "2025-11-01T12:00:00Z", "updatedAt": "2025-11-20T14:30:00Z",
          "items": [place.item("Heat", 949, at: "2025-11-20T14:31:00Z")],
        ]
      ]
    }
    try await place.sync()
    let before = try Files.read(place.file)
    let id = try #require(try await place.first.ids()["Heat"])
    for (device, edit, copy) in [
      (place.first, "overview=LA", "MediaShowsData 2.json"),
      (place.second, "customField1=blue", "MediaShowsData (conflicted copy).json"),
    ] {
      try Files.write(before, to: place.file)
      try await device.succeed("media", "set", "item/\(id)", edit)
      try await device.succeed("sync")
      try Files.write(Files.read(place.file), to: "\(place.folder)/\(copy)")
    }
    try Files.write(before, to: place.file)
    try await place.sync()
    #expect(Files.names(in: place.folder) == ["MediaShowsData.json"])
    let item = try await place.first.json("media", "show", "item/\(id)")
    #expect(item["fields"]?["overview"] == "LA" && item["fields"]?["customField1"] == "blue")
    #expect(try await place.first.state() == place.second.state())
  }

  @Test func `a file of version 2 is refused and left as it is`() async throws {
    let place = try DocumentReplacement()
    let newer = Array(#"{"version": 2, "lists": [], "what": "is new"}"#.utf8)
    try Files.write(newer, to: place.file)
    let outcome = try await place.first.run("sync", "--json")
    #expect(outcome.status == 76)
    #expect(outcome.failure["code"] == "format.newer")
    #expect(try Files.read(place.file) == newer)
  }

  @Test func `a folder is converted there and back, and other devices learn how`()
    async throws
  {
    let devices = try await TwoDevices()
    try await devices.sync()
    let converted = try await devices.first.json("media", "convert-layout", "document")
    expectKeys(converted, "cloudsync.media.convert-layout/1", "layout", "dryRun", "remotes")
    #expect(converted["remotes"]?[0]?["converted"] == true)
    #expect(Files.names(in: devices.shared).contains("backup-media-segments-1"))
    let told = try await devices.second.run("sync", "--domain", "media", "--json")
    #expect(told.status == 78)
    #expect(told.failure["hint"]?.string?.contains("layout: document") == true)
    try await devices.second.succeed("config", "set", "domains.media.layout", "document")
    try await devices.sync()
    #expect(Files.names(in: "\(devices.shared)/MediaShowsSync") == ["MediaShowsData.json"])
    let again = try await devices.first.json("media", "convert-layout", "document")
    #expect(again["remotes"]?[0]?["converted"] == false)
    for device in [devices.first, devices.second] {
      let outcome = try await device.run("media", "convert-layout", "segments")
      #expect(outcome.status == 0)
    }
    try await devices.sync()
    #expect(try await devices.first.state() == devices.second.state())
  }

  @Test func `a domain without a readable form says so`() async throws {
    let place = try DocumentReplacement(domain: "airports")
    let outcome = try await place.first.run("sync", "--json")
    #expect(outcome.status == 78)
    #expect(outcome.failure["code"] == "remote.layout")
    #expect(outcome.failure["hint"]?.string?.contains("segments") == true)
  }
}

/// Two devices whose configuration keeps a domain in one file.
private struct DocumentReplacement {
  let first: TestDevice
  let second: TestDevice
  let folder: String
  private let base: TestDevice

  var file: String { "\(folder)/MediaShowsData.json" }

  init(domain: String = "media") throws {
    base = try TestDevice()
    first = try TestDevice(in: base.home, name: "first")
    second = try TestDevice(in: base.home, name: "second")
    folder = base.path("shared/MediaShowsSync")
    for path in [base.path("shared"), folder] { mkdir(path, 0o700) }
    for device in [first, second] {
      for path in [".config", ".config/cloudsync"] { mkdir(device.path(path), 0o700) }
      let text = """
        version: 1
        remotes: { folder: { type: file, path: "\(base.path("shared"))", encrypted: false } }
        domains: { \(domain): { remote: folder, layout: document } }
        """
      try Files.write(Array(text.utf8), to: device.path(".config/cloudsync/config.yaml"))
    }
  }

  func sync() async throws {
    for device in [first, second, first] { try await device.succeed("sync") }
  }

  func item(_ title: String, _ number: Int64, at time: String) -> JSON {
    [
      "id": .string("BBBBBBBB-0000-4000-8000-0000000\(10_000 + number)"), "tmdbId": .int(number),
      "mediaType": "movie", "title": .string(title), "createdAt": "2025-11-01T12:00:00Z",
      "updatedAt": .string(time), "deleted": false,
    ]
  }

  /// Writes the file as an app that drops what it does not know.
  func app(_ edit: (inout JSONObject) -> Void) throws {
    try change {
      $0["cloudsync"] = nil
      edit(&$0)
    }
  }

  /// Writes the file as a person with a text editor.
  func hand(_ edit: (inout JSONObject) -> Void) throws { try change(edit) }

  private func change(_ edit: (inout JSONObject) -> Void) throws {
    var root: JSONObject = ["version": 1]
    if Files.names(in: folder).contains("MediaShowsData.json") {
      let json = try JSON(parsing: Files.read(file))
      root = try #require(json.object)
    }
    edit(&root)
    try Files.write(JSON.object(root).serialized(pretty: true), to: file)
  }
}

extension JSONObject {
  fileprivate mutating func onEachItem(_ body: (inout JSONObject) -> Void) {
    self["lists"] = .array(
      (self["lists"]?.array ?? []).map { list in
        guard case .object(var list) = list else { return list }
        list["items"] = .array(
          (list["items"]?.array ?? []).map { item in
            guard case .object(var item) = item else { return item }
            body(&item)
            return .object(item)
          })
        return .object(list)
      })
  }

  fileprivate mutating func add(_ item: JSON) {
    guard case .object(var list) = self["lists"]?[0] else { return }
    list["items"] = .array((list["items"]?.array ?? []) + [item])
    self["lists"] = .array([.object(list)])
  }
}

extension TestDevice {
  fileprivate func succeed(_ arguments: String...) async throws {
    let outcome = try await run(arguments)
    try #require(outcome.status == 0, "\(arguments): \(outcome.error)")
  }

  fileprivate func ids() async throws -> [String: String] {
    var ids: [String: String] = [:]
    for record in try await json("media", "list", "--collection", "item")["records"]?.array ?? [] {
      ids[record["fields"]?["title"]?.string ?? ""] = record["id"]?.string
    }
    return ids
  }

  fileprivate func titles() async throws -> [String] { try await ids().keys.sorted() }

  /// The digests of all zones; equal texts are equal states.
  fileprivate func state() async throws -> String {
    try await json("verify")["zones"]?.array?.map { zone in
      "\(zone["domain"]?.string ?? "")/\(zone["zone"]?.string ?? ""): "
        + (zone["digest"]?.string ?? "")
    }.joined(separator: "\n") ?? ""
  }
}
