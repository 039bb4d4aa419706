import FileTransport
import SyncKitFormats
import MediaLibrary
import SyncKit
import SyncKitTesting
import Testing

/// What apps and people write into the file.
@Suite struct ForeignEditsOfADocument {
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
    try await settle(document, first, second)
  }

  @Test func `an app adds a list with an item and an episode, and every device gets them`()
    async throws
  {
    try document.app { root in
      let time = JSON.string(document.now)
      root.append(
        [
          "id": "AAAAAAAA-0000-4000-8000-000000000001", "name": "Series", "createdAt": time,
          "updatedAt": time, "order": 2,
          "items": [
            [
              "id": "AAAAAAAA-0000-4000-8000-000000000002", "tmdbId": 1396, "mediaType": "tv",
              "title": "Breaking Bad", "year": 2008, "createdAt": "2020-02-03T04:05:06Z",
              "updatedAt": time, "order": 1, "watchStatus": 0, "notes": [],
              "episodes": [
                [
                  "id": "AAAAAAAA-0000-4000-8000-000000000003", "seasonNumber": 0,
                  "episodeNumber": 1, "name": "Pilot", "watched": true, "watchedDate": time,
                  "createdAt": time, "updatedAt": time,
                ]
              ],
            ]
          ],
        ], to: "lists")
    }
    try await settle(document, first, second)
    let item = try #require(try second.item("Breaking Bad"))
    #expect(item["watchStatus"] == 0 && item["year"] == 2008)
    #expect(item.created == Timestamp.parse("2020-02-03T04:05:06Z"))
    #expect(try second.store.records("episode").first?["season"] == 0)
    #expect(try second.store.records("episode").first?["watched"] == true)
    // Under the id that the app gave it.
    let text = String(decoding: try document.bytes, as: UTF8.self)
    #expect(text.contains("AAAAAAAA-0000-4000-8000-000000000002"))
    #expect(try first.store.conflicts().isEmpty)
  }

  @Test func `an app deletes, and what is missing is written back`() async throws {
    try first.item("Ronin", 8195, in: list)
    try first.item("Thief", 11524, in: list)
    try await settle(document, first, second)
    try document.app { root in
      root.item("Heat") {
        $0["deleted"] = true
        $0["deletedAt"] = .string(document.now)
      }
      root.each("lists") { list in
        list["items"] = .array(
          (list["items"]?.array ?? []).filter { $0["title"]?.string != "Ronin" })
      }
    }
    try await settle(document, first, second)
    #expect(try second.titles == ["Ronin", "Thief"])
    let written = try document.json["lists"]?[0]?["items"]?.array?.count
    #expect(written == 3)
  }

  @Test func `two devices that read the same foreign file make the same of it`() async throws {
    try document.app { root in
      root.item("Heat") {
        $0["overview"] = "Los Angeles"
        $0["updatedAt"] = .string(document.now)
      }
    }
    let foreign = try document.bytes
    try await first.sync()
    // The second one reads the same file before it sees what the first one made of it.
    let ours = try document.bytes
    try document.remote.write(SharedDocument.path, foreign)
    try await second.sync()
    #expect(try document.bytes == ours)
    try await settle(document, first, second)
    #expect(try first.store.conflicts().isEmpty)
  }

  @Test func `an item that an app has not touched loses to a later edit of ours`() async throws {
    let old = try document.json
    try first.edit(heat, ["overview": "ours"])
    try await first.sync()
    try document.app(from: old) { _ in }
    try await settle(document, first, second)
    #expect(try second.item("Heat")?["overview"] == "ours")
  }

  @Test func `a hand edit beside the mail counts whatever its time`() async throws {
    try document.hand { root in
      root.item("Heat") {
        $0["title"] = "HEAT"
        $0["rating"] = 9
      }
    }
    try await settle(document, first, second)
    let item = try #require(try second.store.record(heat))
    #expect(item["title"] == "HEAT" && item["rating"] == 9.0 && item["scale"] == 10)
    #expect(try document.json["lists"]?[0]?["items"]?[0]?["userRating"] == 9)
    #expect(try first.store.conflicts().isEmpty)
  }

  @Test func `a hand edit and a device's own of the same field are both kept`() async throws {
    try first.edit(heat, ["customField1": "mine"])
    try document.hand { root in root.item("Heat") { $0["customField1"] = "theirs" } }
    try await settle(document, first, second)
    let values = try second.store.conflicts().flatMap(\.candidates).map(\.value)
    #expect(Set(values) == ["mine", "theirs"])
  }

  @Test func `a hand takes an item back from deletion`() async throws {
    try first.delete(heat)
    try await settle(document, first, second)
    try document.hand { root in root.item("Heat") { $0["deleted"] = false } }
    try await settle(document, first, second)
    #expect(try second.titles == ["Heat"])
  }

  @Test func `a file that only an app has ever written is adopted whole`() async throws {
    let other = try SharedDocument()
    var root = try #require(try document.json.object)
    root["cloudsync"] = nil
    root["checksum"] = "0000"
    try other.write(root)
    let (third, fourth) = (try other.device("third"), try other.device("fourth"))
    try third.list("Mine")
    try await settle(other, third, fourth)
    #expect(try fourth.titles == ["Heat"])
    #expect(
      try fourth.store.records("list").compactMap { $0["name"].string }.sorted() == [
        "Mine", "Weekend",
      ])
    #expect(try other.json["checksum"] == nil)
    #expect(try third.store.conflicts().isEmpty)
  }

  @Test func `what cannot be read is reported and kept aside`() async throws {
    try document.hand { root in
      root.item("Heat") { $0["watchStatus"] = "often" }
      root.each("lists") { $0.append("not an item", to: "items") }
    }
    let before = try document.bytes
    let report = try await first.sync()
    #expect(
      report.notes.contains { $0.contains("watchStatus") || $0.contains("other than objects") })
    let aside = try #require(document.names.first { $0.contains(".damaged-") })
    #expect(try document.remote.read("MediaShowsSync/\(aside)") == before)
    try await settle(document, first, second)
    #expect(try first.store.record(heat)?["watchStatus"] == .null)
  }

  @Test func `a list that is made local leaves the file on every way`() async throws {
    try first.store.setScope(.local, of: list)
    try await first.sync()
    var text = String(decoding: try document.bytes, as: UTF8.self)
    #expect(!text.contains("Heat") && !text.contains("Weekend"))
    try await second.sync()
    try await first.sync()
    text = String(decoding: try document.bytes, as: UTF8.self)
    #expect(!text.contains("Heat"))
    #expect(try second.titles == [] && first.titles == ["Heat"])
  }
}

/// Files as cloud drives leave them.
@Suite struct DocumentsOnACloudDrive {
  let document: SharedDocument
  let first: MediaDevice
  let second: MediaDevice
  let list: RecordKey

  init() async throws {
    document = try SharedDocument()
    first = try document.device("first")
    second = try document.device("second")
    list = try first.list("Weekend")
    try await settle(document, first, second)
  }

  @Test(arguments: [
    "MediaShowsData 2.json", "MediaShowsData (1).json",
    "MediaShowsData (Ada conflicted copy 2026-01-01).json",
    "MediaShowsData.sync-conflict-20260101-010203-ABCDEFG.json", "mediashowsdata.JSON",
  ])
  func `a conflict copy is taken in once and then goes`(name: String) async throws {
    let before = try document.bytes
    try first.item("Heat", 949, in: list)
    try await first.sync()
    document.remote.run("mv '\(SharedDocument.path)' 'MediaShowsSync/\(name)'")
    try document.remote.write(SharedDocument.path, before)
    try second.item("Ronin", 8195, in: list)
    try await settle(document, second, first)
    #expect(try second.titles == ["Heat", "Ronin"])
    #expect(document.names == ["MediaShowsData.json"])
  }

  @Test func `what an app wrote in the moment in which a writer was cut off is taken in`()
    async throws
  {
    let before = try document.json
    try first.item("Heat", 949, in: list)
    try await first.sync()
    // The first device has put its file in the place of one that it has not looked at.
    try document.add(
      "Ronin", 8195, to: "MediaShowsSync/.MediaShowsData.kept-abcdefghijklm.json", from: before)
    try await settle(document, second, first)
    #expect(try second.titles == ["Heat", "Ronin"])
    #expect(document.names == ["MediaShowsData.json"])
  }

  @Test func `an app that is in the middle of writing the file loses nothing`() async throws {
    let before = try document.json
    try first.item("Heat", 949, in: list)
    try document.remote.write(SharedDocument.path, [])
    let app = Task {
      try await Task.sleep(for: .milliseconds(100))
      try document.add("Ronin", 8195, to: SharedDocument.path, from: before)
    }
    try await first.sync()
    try await app.value
    try await settle(document, first, second)
    #expect(try second.titles == ["Heat", "Ronin"])
    #expect(document.names == ["MediaShowsData.json"])
  }

  @Test func `two conflict copies and a lost main file are one library`() async throws {
    let before = try document.bytes
    for (device, title, number) in [(first, "Heat", Int64(949)), (second, "Ronin", 8195)] {
      try document.remote.write(SharedDocument.path, before)
      try device.item(title, number, in: list)
      try await device.sync()
      document.remote.run(
        "mv \(SharedDocument.path) 'MediaShowsSync/MediaShowsData \(number).json'")
    }
    let third = try document.device("third")
    try await third.sync()
    #expect(try third.titles == ["Heat", "Ronin"])
    #expect(document.names == ["MediaShowsData.json"])
    try await settle(document, first, second, third)
  }

  @Test func `a person's own files beside it are not taken for copies`() async throws {
    let before = try document.bytes
    for name in ["MediaShowsData-backup.json", "MediaShowsData old.json", "notes.json"] {
      try document.remote.write("MediaShowsSync/\(name)", before)
    }
    try first.item("Heat", 949, in: list)
    try await settle(document, first, second)
    #expect(document.names.count == 4)
  }

  @Test(arguments: [0, 1, 50, 99])
  func `a part of a file means not here yet, and is kept when we write`(percent: Int) async throws {
    try first.item("Heat", 949, in: list)
    try await settle(document, first, second)
    let half = Array(try document.bytes.prefix(document.bytes.count * percent / 100))
    try document.remote.write(SharedDocument.path, half)
    let report = try await second.sync()
    #expect(report.notes.contains { $0.contains("incomplete") })
    #expect(try second.titles == ["Heat"])
    let kept = document.names.filter { $0.contains(".damaged-") }
    #expect(kept.count == (half.isEmpty ? 0 : 1))
    try await settle(document, first, second)
  }

  @Test func `a file that is not downloaded is waited for and never written over`() async throws {
    document.remote.run(
      "cd MediaShowsSync && mv MediaShowsData.json .MediaShowsData.json.icloud")
    try first.item("Heat", 949, in: list)
    let error = await #expect(throws: SyncError.self) { try await first.sync() }
    #expect(error?.code == .remoteWaiting)
    #expect(document.names == [".MediaShowsData.json.icloud"])
    document.remote.run(
      "cd MediaShowsSync && mv .MediaShowsData.json.icloud MediaShowsData.json")
    try await settle(document, first, second)
    #expect(try second.titles == ["Heat"])
  }

  @Test func `a damaged copy and one of a newer version stay where they are`() async throws {
    try document.remote.write("MediaShowsSync/MediaShowsData 2.json", Array("{\"ver".utf8))
    var root = try #require(try document.json.object)
    root["version"] = 7
    try document.write(root, as: "MediaShowsSync/MediaShowsData 3.json")
    try first.item("Heat", 949, in: list)
    try await first.sync()
    #expect(document.names.count == 3)
  }

  @Test func `an emptied folder is refused, and a lost file is written again`() async throws {
    document.remote.run("rm -r MediaShowsSync")
    try await first.sync()
    #expect(document.names == ["MediaShowsData.json"])
    try document.remote.empty()
    let error = await #expect(throws: SyncError.self) { try await first.sync() }
    #expect(error?.code == .remoteMarker)
  }

  @Test func `a document that is carried to another folder keeps whose it is`() async throws {
    let other = try SharedDocument()
    try other.remote.write(SharedDocument.path, try document.bytes)
    let stranger = try other.device("stranger")
    let mine = try other.device("mine")
    try await stranger.sync()
    #expect(try stranger.store.vault() == first.store.vault())
    try await mine.sync()
    try await stranger.sync()
    #expect(try stranger.digests == mine.digests)
  }
}
