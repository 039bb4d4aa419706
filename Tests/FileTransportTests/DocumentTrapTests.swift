import FileTransport
import SyncKitFormats
import MediaLibrary
import SyncKit
import SyncKitTesting
import Testing

/// What has gone wrong with such files before, one test each.
@Suite struct DocumentTraps {
  let document: SharedDocument
  let first: MediaDevice
  let second: MediaDevice
  let list: RecordKey
  let heat: RecordKey

  init() async throws {
    document = try SharedDocument()
    first = try document.device("first")
    second = try document.device("second")
    list = try first.list("Weekend")
    heat = try first.item("Heat", 949, in: list)
    try first.item("Ronin", 8195, in: list)
    try await settle(document, first, second)
  }

  @Test(arguments: ["number", "fraction", "plain"])
  func `M1 dates as seconds since 2001, with and without a fraction are all read`(
    form: String
  )
    async throws
  {
    try document.app { root in
      let time = Timestamp.parse(document.now) ?? 0
      let value: JSON =
        switch form {
        case "number": .double(Double(time) / 1000 - 978_307_200)
        case "fraction": .string(Timestamp.format(milliseconds: time + 123))
        default: .string(document.now)
        }
      root.item("Heat") {
        $0["watched"] = true
        $0["watchedDate"] = value
        $0["updatedAt"] = value
      }
    }
    try await settle(document, first, second)
    let watched = try #require(try second.item("Heat"))
    #expect(watched["watched"] == true && watched["watchedDate"].instant != nil)
    #expect(document.names == ["MediaShowsData.json"])
    // What we write a strict reader takes.
    let text = String(decoding: try document.bytes, as: UTF8.self)
    #expect(text.contains("\"updatedAt\": \"20") && !text.contains(".000Z"))
  }

  @Test func `M2 edits of different items of one list by an app and a device both survive`()
    async throws
  {
    let old = try document.json
    try first.edit(heat, ["isFavorite": true])
    try await first.sync()
    // The app has read before and writes behind.
    try document.app(as: "MediaShowsSync/MediaShowsData 2.json", from: old) { root in
      root.item("Ronin") {
        $0["userRating"] = 9
        $0["updatedAt"] = .string(document.now)
      }
    }
    try await settle(document, first, second)
    #expect(try second.item("Heat")?["isFavorite"] == true)
    #expect(try second.item("Ronin")?["rating"] == 9.0)
    #expect(document.names == ["MediaShowsData.json"])
  }

  @Test func `M3 an edit within a list is applied though the number of lists is the same`()
    async throws
  {
    try document.app { root in
      root.item("Heat") {
        $0["title"] = "Heat (1995)"
        $0["updatedAt"] = .string(document.now)
      }
    }
    try await settle(document, first, second)
    #expect(try first.titles == ["Heat (1995)", "Ronin"])
  }

  @Test func `M4 what the file does not carry outlives the file`() async throws {
    try first.store.write { transaction in
      try transaction.edit(self.list, ["colour": "red", "about": "for rain"])
      try transaction.save(
        RecordDraft(
          "privateNote", fields: ["text": "a gift", "about": .string("item/\(self.heat.id)")]))
      try transaction.save(
        RecordDraft("watch", parent: self.heat, fields: ["date": "2026-01-02"]))
    }
    try await settle(document, first, second)
    let text = String(decoding: try document.bytes, as: UTF8.self)
    #expect(!text.contains("a gift") && !text.contains("privateNote") && !text.contains("red"))
    try document.app { root in
      root.item("Heat") {
        $0["watched"] = true
        $0["updatedAt"] = .string(document.now)
      }
    }
    try await settle(document, first, second)
    #expect(try first.store.records("privateNote").count == 1)
    #expect(try second.store.records("privateNote").isEmpty)
    #expect(try second.store.records("watch").count == 1)
    #expect(try first.store.record(list)?["colour"] == "red")
    #expect(try second.store.record(list)?["about"] == "for rain")
    #expect(try first.item("Heat")?.key == heat)
  }

  @Test func `M6 a newer edit by an app brings back what was deleted before`() async throws {
    let old = try document.json
    try first.delete(heat)
    try await settle(document, first, second)
    try document.app(from: old) { root in
      root.item("Heat") {
        $0["overview"] = "seen again"
        $0["updatedAt"] = .string(document.now)
      }
    }
    try await settle(document, first, second)
    #expect(try second.item("Heat")?["overview"] == "seen again")
  }

  @Test func `M8 a tombstone of something unknown is kept, so that no device resurrects it`()
    async throws
  {
    let third = try document.device("third")
    try await third.sync()
    let gone = "0F0F0F0F-1111-4222-8333-444444444444"
    try document.app { root in
      root.each("lists") {
        $0.append(
          [
            "id": .string(gone), "title": "Gone", "mediaType": "movie", "tmdbId": 77,
            "createdAt": "2024-01-01T00:00:00Z", "updatedAt": .string(document.now),
            "deletedAt": .string(document.now),
          ], to: "items")
      }
    }
    try await settle(document, first, second)
    let tombstone = try first.store.records("item", includingDeleted: true)
      .first { $0["title"] == "Gone" }
    #expect(tombstone?.isDeleted == true)
    let text = String(decoding: try document.bytes, as: UTF8.self)
    #expect(text.contains(gone))
    // A third party that still has it alive and old does not bring it back.
    try document.app { root in
      root.item("Gone") {
        $0["deletedAt"] = nil
        $0["deleted"] = false
        $0["updatedAt"] = "2024-06-01T00:00:00Z"
      }
    }
    try await settle(document, first, second)
    #expect(try first.titles == ["Heat", "Ronin"])
  }

  @Test func `M9 duplicate ids do not trap and lose nothing, and the order is stable`()
    async throws
  {
    try document.app { root in
      root.each("lists") { list in
        let items = list["items"]?.array ?? []
        guard var copy = items.first(where: { $0["title"] == "Heat" })?.object else { return }
        copy["customField1"] = "the one"
        copy["updatedAt"] = .string(document.now)
        var other = copy
        other["customField1"] = "the other"
        list["items"] = .array(items.filter { $0["title"] != "Heat" } + [.object(copy)])
        list.append(.object(other), to: "items")
      }
    }
    try await settle(document, first, second)
    let item = try #require(try first.store.record(heat))
    #expect(item.conflicts == ["customField1"])
    let values = try first.store.conflicts().flatMap(\.candidates).map(\.value)
    #expect(Set(values) == ["the one", "the other"])
    let titles = try document.json["lists"]?[0]?["items"]?.array?.compactMap { $0["title"]?.string }
    #expect(titles?.sorted() == ["Heat", "Ronin"])
  }

  @Test func `M9 duplicate keys do not lose the file`() async throws {
    let text = String(decoding: try document.bytes, as: UTF8.self)
    let twice = text.replacing("\"title\": \"Heat\"", with: "\"title\": \"A\", \"title\": \"B\"")
    try document.remote.write(SharedDocument.path, Array(twice.utf8))
    let report = try await first.sync()
    #expect(report.notes.contains { $0.contains("damaged") })
    try first.edit(heat, ["isFavorite": true])
    try await first.sync()
    let aside = document.names.filter { $0.contains(".damaged-") }
    #expect(aside.count == 1)
    #expect(try document.remote.read("MediaShowsSync/\(aside[0])") == Array(twice.utf8))
    try await settle(document, first, second)
    #expect(try second.item("Heat")?["isFavorite"] == true)
  }

  @Test func `M12 deleted without a time is a deletion at the time of the last edit`()
    async throws
  {
    try document.app { root in
      root.item("Heat") {
        $0["deleted"] = true
        $0["deletedAt"] = nil
        $0["updatedAt"] = .string(document.now)
      }
    }
    try await settle(document, first, second)
    #expect(try second.titles == ["Ronin"])
    #expect(try document.json["lists"]?[0]?["items"]?.array?.count == 2)
  }

  @Test func `M13 unknown members survive at every level`() async throws {
    try document.app { root in
      root["theme"] = ["dark": true]
      root.each("lists") {
        $0["emoji"] = "🎬"
        $0["updatedAt"] = .string(document.now)
      }
      root.item("Heat") {
        $0["director"] = "Mann"
        $0["seasons"] = [["n": 1]]
        $0["updatedAt"] = .string(document.now)
        $0.append(
          [
            "id": "11111111-2222-4333-8444-555555555555", "text": "see again", "mood": 7,
            "createdAt": .string(document.now), "updatedAt": .string(document.now),
          ], to: "notes")
      }
    }
    try await settle(document, first, second)
    try second.edit(heat, ["isFavorite": true])
    try await settle(document, first, second)
    let root = try document.json
    #expect(root["theme"]?["dark"] == true)
    #expect(root["lists"]?[0]?["emoji"] == "🎬")
    let item = root["lists"]?[0]?["items"]?.array?.first { $0["title"]?.string == "Heat" }
    #expect(item?["director"] == "Mann" && item?["seasons"]?[0]?["n"] == 1)
    #expect(item?["isFavorite"] == true)
    #expect(item?["notes"]?[0]?["mood"] == 7)
    #expect(try first.store.records("note").first?["text"] == "see again")
  }

  @Test func `M13 a file of a higher version is refused and not touched`() async throws {
    try document.hand { $0["version"] = 2 }
    let before = try document.bytes
    try first.edit(heat, ["isFavorite": true])
    let error = await #expect(throws: SyncError.self) { try await first.sync() }
    #expect(error?.code == .formatNewer && error?.code.exit == 76)
    #expect(try document.bytes == before)
    #expect(document.names == ["MediaShowsData.json"])
  }
}
