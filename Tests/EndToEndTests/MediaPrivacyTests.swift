import SyncKitFormats
import Testing

/// Private notes: whatever happens, no one else learns that they exist.
struct MediaPrivacyTests {
  private static let canary = "canary-7f3a9-nobody-may-read-this"

  /// Every file below a folder with its bytes.
  private static func bytes(in folder: String) throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for name in Files.names(in: folder) {
      let path = "\(folder)/\(name)"
      let inner = Files.names(in: path)
      if inner.isEmpty {
        found[path] = try Files.read(path)
      } else {
        found.merge(try bytes(in: path)) { $1 }
      }
    }
    return found
  }

  private static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard let first = wanted.first, bytes.count >= wanted.count else { return false }
    return bytes.indices.dropLast(wanted.count - 1).contains { index in
      bytes[index] == first && bytes[index..<index + wanted.count].elementsEqual(wanted)
    }
  }

  @Test func `a private note changes not one byte of the remote`() async throws {
    let devices = try await TwoDevices()
    let (laptop, phone) = (devices.first, devices.second)
    _ = try await laptop.json("media", "lists", "--add", "Weekend")
    _ = try await laptop.json("media", "add", "The Matrix", "--tmdb", "603")
    try await devices.sync()
    try await devices.sync()
    let before = try Self.bytes(in: devices.shared)
    _ = try await laptop.json("media", "note", "The Matrix", "--private", "--text", Self.canary)
    try await devices.sync()
    #expect(try Self.bytes(in: devices.shared) == before)
    let notes = try await laptop.json("media", "note", "The Matrix")
    #expect(notes["notes"]?[0]?["private"]?.bool == true)
    let id = try #require(notes["notes"]?[0]?["id"]?.string)
    // Public work goes on, also together with private work.
    _ = try await laptop.json("media", "note", "The Matrix", "--text", "for everybody")
    _ = try await laptop.json("media", "set", "privateNote/\(id)", "text=\(Self.canary) again")
    try await devices.sync()
    #expect(try await phone.json("media", "note", "The Matrix")["notes"]?.array?.count == 1)
    let status = try await phone.json("status", "media")
    #expect(status["domains"]?[0]?["pending"]?.int == 0)
    for (path, bytes) in try Self.bytes(in: devices.shared).merging(
      Self.bytes(in: phone.home), uniquingKeysWith: { $1 })
    {
      #expect(!Self.contains(bytes, Self.canary), "\(path)")
      #expect(!Self.contains(bytes, id), "\(path)")
      #expect(!Self.contains(bytes, "privateNote/"), "\(path)")
    }
  }

  @Test func `notes for the owner alone in an app's backup stay on the device`() async throws {
    let devices = try await TwoDevices()
    let backup = """
      {"version": "1.12", "exportDate": "2026-11-01T08:00:00Z",
       "lists": [{"id": "9B0E3B5C-4E0B-4F5D-8F55-1B1B5C1B5C1B", "name": "Weekend", "titleIds": [603]}],
       "titles": [{"id": "t", "tmdbId": 603, "mediaType": "movie", "title": "The Matrix"}],
       "episodes": [],
       "notes": [{"id": "n1", "text": "\(Self.canary)", "ownerOnly": true, "titleTmdbId": 603},
                 {"id": "n2", "text": "for everybody", "ownerOnly": false, "titleTmdbId": 603},
                 {"id": "n3", "text": "\(Self.canary) too", "titleTmdbId": 603}],
       "preferences": {}}
      """
    let imported = try await devices.first.json("media", "import", "-", input: backup)
    #expect(imported.counts == [5, 0, 0, 0])
    try await devices.sync()
    #expect(try await devices.first.json("media", "note", "matrix")["notes"]?.array?.count == 3)
    #expect(try await devices.second.json("media", "note", "matrix")["notes"]?.array?.count == 1)
    for (path, bytes) in try Self.bytes(in: devices.shared).merging(
      Self.bytes(in: devices.second.home), uniquingKeysWith: { $1 })
    {
      #expect(!Self.contains(bytes, "canary"), "\(path)")
    }
  }

  @Test func `pages to show leave private notes out unless asked for`() async throws {
    let device = try TestDevice()
    _ = try await device.json("media", "lists", "--add", "Weekend")
    _ = try await device.json("media", "add", "The Matrix")
    _ = try await device.json("media", "note", "matrix", "--private", "--text", Self.canary)
    for format in ["json", "csv", "markdown", "letterboxd"] {
      let page = try await device.run("media", "export", "-", "--format", format)
      #expect(page.status == 0 && !page.output.contains(Self.canary), "\(format)")
    }
    let whole = try await device.run("media", "export", "-", "--format", "json", "--private")
    #expect(whole.output.contains(Self.canary))
  }
}
