import FileTransport
import SyncKitFormats
import MediaLibrary
import SyncKit
import SyncKitTesting
import Testing

/// Devices, an app, a hand and a cloud drive at once; a seed repeats the whole run.
@Suite struct DocumentChaos {
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `whatever happens to the file, all devices agree in the end and nothing is lost`(
    seed: UInt64
  ) async throws {
    var run = try ChaoticRun(seed: seed)
    for _ in 0..<30 { try await run.step() }
    try await run.finish()
  }
}

private struct ChaoticRun {
  let document: SharedDocument
  let devices: [MediaDevice]
  var random: SeededRandom
  var titles: Set<String> = []
  var lists: [RecordKey] = []
  /// Earlier contents of the file, as an app or a provider may still have them.
  var past: [[UInt8]] = []

  init(seed: UInt64) throws {
    document = try SharedDocument()
    devices = try ["a", "b", "c"].map { [document] in try document.device("\(seed)\($0)") }
    random = SeededRandom(seed: seed)
    lists = try devices.map { try $0.list("all") }
  }

  mutating func step() async throws {
    let device = Int.random(in: 0..<devices.count, using: &random)
    document.clock.advance(by: 60_000)
    switch Int.random(in: 0..<12, using: &random) {
    case 0...2:
      let title = "d\(titles.count)"
      try devices[device].item(title, Int64(1_000 + titles.count), in: lists[device])
      titles.insert(title)
    case 3:
      guard let item = try devices[device].store.records("item").first else { return }
      try devices[device].edit(item.key, ["customField1": .string("\(titles.count)")])
    case 4: try app(from: try? document.json)
    case 5:
      guard let old = past.randomElement(using: &random) else { return }
      // An app that was away writes a copy of what it knew, with something new.
      try app(
        from: try JSON(parsing: old),
        as: "MediaShowsSync/MediaShowsData (\(past.count * 100 + titles.count)).json")
    case 6:
      guard let old = past.randomElement(using: &random) else { return }
      try document.remote.write("MediaShowsSync/MediaShowsData 2.json", old)
    case 7:
      guard let old = past.randomElement(using: &random) else { return }
      try document.remote.write(SharedDocument.path, old)
    case 8:
      guard let bytes = try? document.bytes, bytes.count > 10 else { return }
      try document.remote.write(SharedDocument.path, Array(bytes.prefix(bytes.count / 2)))
    case 9:
      guard (try? document.json) != nil else { return }
      try document.hand { $0.items { $0["customField2"] = "hand" } }
    default:
      try await devices[device].sync()
      past.append(try document.bytes)
    }
  }

  /// The app adds something to what it has read, and writes it without the mail.
  private mutating func app(from old: JSON?, as name: String = SharedDocument.path) throws {
    guard let old, old["lists"]?[0] != nil else { return }
    let title = "app\(titles.count)"
    let number = titles.count
    try document.app(as: name, from: old) { root in
      var isFirst = true
      root.each("lists") { list in
        guard isFirst else { return }
        isFirst = false
        list.append(
          [
            "id": .string("AAAAAAAA-0000-4000-8000-0000000\(10_000 + number)"),
            "title": .string(title), "mediaType": "movie", "tmdbId": .int(Int64(5_000 + number)),
            "createdAt": .string(document.now), "updatedAt": .string(document.now),
          ], to: "items")
      }
    }
    // What stays in the folder until a device comes is not lost; another writer may still replace it.
    if name != SharedDocument.path { titles.insert(title) }
  }

  mutating func finish() async throws {
    for _ in 0..<2 { for device in devices { try await device.sync() } }
    let bytes = try document.bytes
    for device in devices { try await device.sync() }
    #expect(try document.bytes == bytes)
    let first = try devices[0].digests
    for device in devices.dropFirst() { #expect(try device.digests == first) }
    let shown = Set(try devices[0].titles)
    #expect(titles.isSubset(of: shown), "lost: \(titles.subtracting(shown).sorted())")
    // Nothing but the file and what was torn is left over.
    #expect(
      document.names.allSatisfy { $0 == "MediaShowsData.json" || $0.contains(".damaged-") })
  }
}
