import SyncKitFormats
import Testing

/// Two devices of one film lover, with the real program and a folder between them.
struct MediaStoryTests {
  @Test func `a list, its films, what was watched and rated arrive on the other device`()
    async throws
  {
    let devices = try await TwoDevices()
    let (laptop, phone) = (devices.first, devices.second)
    #expect(try await laptop.json("media", "lists", "--add", "Weekend").counts == [1, 0, 0, 0])
    _ = try await laptop.json("media", "add", "The Matrix", "--year", "1999", "--tmdb", "603")
    _ = try await laptop.json("media", "add", "Breaking Bad", "--tv", "--tmdb", "1396")
    _ = try await laptop.json("media", "watched", "matrix", "--on", "2026-11-20")
    _ = try await laptop.json("media", "rate", "The Matrix", "4.5/5")
    _ = try await laptop.json("media", "watched", "Breaking", "Bad", "--episode", "S01E01")
    _ = try await laptop.json("media", "note", "The Matrix", "--text", "Seen with Laura")
    try await devices.sync()
    let lists = try await phone.json("media", "lists")
    expectKeys(lists, "cloudsync.media.lists/1", "lists")
    #expect(lists["lists"]?[0]?["name"]?.string == "Weekend")
    #expect(lists["lists"]?[0]?["scope"]?.string == "synced")
    #expect(lists["lists"]?[0]?["items"]?.int == 2)
    let items = try await phone.json("media", "list", "--collection", "item")
    let matrix = try #require(
      items["records"]?.array?.first { $0["fields"]?["title"]?.string == "The Matrix" })
    #expect(matrix["fields"]?["rating"]?.double == 4.5)
    #expect(matrix["fields"]?["scale"]?.int == 5)
    #expect(matrix["fields"]?["watched"]?.bool == true)
    let next = try await phone.json("media", "next")
    expectKeys(next, "cloudsync.media.next/1", "next")
    #expect(next["next"]?[0]?["title"]?.string == "Breaking Bad")
    #expect(next["next"]?[0]?["number"]?.int == 2)
    let notes = try await phone.json("media", "note", "The Matrix")
    #expect(notes["notes"]?[0]?["text"]?.string == "Seen with Laura")
    let summary = try await phone.json("media", "summary")
    expectKeys(summary, "cloudsync.media.summary/1", "next", "lists", "media")
    #expect(summary["next"] == next["next"] && summary["lists"] == lists["lists"])
    #expect(try await phone.json("media", "stats")["media"] == summary["media"])
    let short = try await phone.json("media", "summary", "--limit", "0")
    #expect(short["next"]?.array?.isEmpty == true)
  }

  @Test func `both devices work offline on one film, and nothing of it is lost`() async throws {
    let devices = try await TwoDevices()
    let (laptop, phone) = (devices.first, devices.second)
    _ = try await laptop.json("media", "lists", "--add", "Weekend")
    _ = try await laptop.json("media", "add", "The Matrix", "--tmdb", "603")
    try await devices.sync()
    _ = try await laptop.json("media", "rate", "The Matrix", "9")
    _ = try await laptop.json("media", "watched", "The Matrix", "--on", "2026-11-19")
    _ = try await phone.json("media", "watched", "The Matrix", "--on", "2026-11-20", "--rewatch")
    _ = try await phone.json("media", "add", "Alien", "--tmdb", "348")
    try await devices.sync()
    for device in [laptop, phone] {
      let events = try await device.json("media", "list", "--collection", "watch")
      #expect(events["records"]?.array?.count == 2)
      let items = try await device.json("media", "list", "--collection", "item")
      #expect(items["records"]?.array?.count == 2)
      let matrix = items["records"]?.array?.first { $0["fields"]?["tmdbId"]?.int == 603 }
      #expect(matrix?["fields"]?["rating"]?.double == 9)
      #expect(matrix?["fields"]?["watched"]?.bool == true)
    }
  }

  @Test func `the same film added on both devices is one record`() async throws {
    let devices = try await TwoDevices()
    _ = try await devices.first.json("media", "lists", "--add", "Weekend")
    try await devices.sync()
    _ = try await devices.first.json("media", "add", "The Matrix", "--tmdb", "603")
    _ = try await devices.second.json("media", "add", "Matrix", "--tmdb", "603", "--year", "1999")
    try await devices.sync()
    for device in [devices.first, devices.second] {
      let items = try await device.json("media", "list", "--collection", "item")
      #expect(items["records"]?.array?.count == 1)
      #expect(items["records"]?[0]?["fields"]?["year"]?.int == 1999)
    }
  }

  @Test func `lists of the same name are folded on request, and one undo brings both back`()
    async throws
  {
    let devices = try await TwoDevices()
    let (laptop, phone) = (devices.first, devices.second)
    _ = try await laptop.json("media", "lists", "--add", "Weekend")
    _ = try await laptop.json("media", "add", "The Matrix", "--tmdb", "603")
    _ = try await phone.json("media", "lists", "--add", "Weekend")
    _ = try await phone.json("media", "add", "The Matrix", "--tmdb", "603")
    _ = try await phone.json("media", "rate", "The Matrix", "8")
    _ = try await phone.json("media", "add", "Alien", "--tmdb", "348")
    try await devices.sync()
    let oldest = try await laptop.json("media", "lists")["lists"]?.array?.map {
      $0["id"]?.string ?? ""
    }
    #expect(oldest?.count == 2)
    let plan = try await laptop.json("media", "lists", "--fold", "--dry-run")
    #expect(plan["plan"]?.array?.isEmpty == false)
    #expect(try await laptop.json("media", "lists")["lists"]?.array?.count == 2)
    let folded = try await laptop.json("media", "lists", "--fold")
    try await devices.sync()
    for device in [laptop, phone] {
      let lists = try await device.json("media", "lists")["lists"]?.array ?? []
      #expect(lists.count == 1)
      #expect(lists.first?["items"]?.int == 2)
      let items = try await device.json("media", "list", "--collection", "item")
      let matrix = items["records"]?.array?.first { $0["fields"]?["tmdbId"]?.int == 603 }
      #expect(matrix?["fields"]?["rating"]?.double == 8)
    }
    let batch = try #require(folded["batch"]?.string)
    _ = try await laptop.json("undo", batch)
    try await devices.sync()
    for device in [laptop, phone] {
      #expect(try await device.json("media", "lists")["lists"]?.array?.count == 2)
    }
  }

  @Test func `a local list is not on the remote, and none of its films is`()
    async throws
  {
    let devices = try await TwoDevices()
    _ = try await devices.first.json("media", "lists", "--add", "Presents", "--local")
    _ = try await devices.first.json("media", "lists", "--add", "Weekend")
    _ = try await devices.first.json("media", "add", "Secretariat", "--list", "Presents")
    try await devices.sync()
    let there = try await devices.second.json("media", "lists")["lists"]?.array ?? []
    #expect(there.map { $0["name"]?.string } == ["Weekend"])
    let here = try await devices.first.json("media", "lists")["lists"]?.array ?? []
    #expect(here.map { $0["scope"]?.string } == ["local", "synced"])
    let id = try #require(here[0]["id"]?.string)
    _ = try await devices.first.json("media", "scope", "list/\(id)", "synced")
    try await devices.sync()
    #expect(try await devices.second.json("media", "lists")["lists"]?.array?.count == 2)
    _ = try await devices.first.json("media", "scope", "list/\(id)", "local")
    try await devices.sync()
    #expect(try await devices.second.json("media", "lists")["lists"]?.array?.count == 1)
  }

  @Test func `an item that is moved is there on every device`() async throws {
    let devices = try await TwoDevices()
    _ = try await devices.first.json("media", "lists", "--add", "Weekend")
    for title in ["A", "B", "C"] { _ = try await devices.first.json("media", "add", title) }
    try await devices.sync()
    _ = try await devices.first.json("media", "move", "C", "--first")
    _ = try await devices.second.json("media", "move", "A", "--last")
    try await devices.sync()
    for device in [devices.first, devices.second] {
      let text = try await device.run("media", "export", "-", "--format", "csv").output
      let titles = text.split(whereSeparator: \.isNewline).dropFirst().map {
        String($0.split(separator: ",")[1])
      }
      #expect(titles == ["C", "B", "A"])
    }
  }

  @Test func `an unknown title or a bad rating says so, and nothing is written`() async throws {
    let device = try TestDevice()
    expectFailure(
      try await device.run("media", "rate", "Dune", "9", "--json"), 66, "record.not-found")
    expectFailure(try await device.run("media", "add", "Dune", "--json"), 64, "usage")
    _ = try await device.json("media", "lists", "--add", "Weekend")
    _ = try await device.json("media", "add", "Dune")
    expectFailure(
      try await device.run("media", "rate", "Dune", "11", "--json"), 65, "input.invalid")
    expectFailure(
      try await device.run("media", "watched", "Dune", "--on", "2999-01-01", "--json"), 65,
      "input.invalid")
    #expect(
      try await device.json("media", "list", "--collection", "watch")["records"]?.array?.isEmpty
        == true)
  }
}
