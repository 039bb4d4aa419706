import SyncKitFormats
import Testing

/// Files of other services and apps, with the real program.
struct MediaImportTests {
  private static let ratings = """
    Const,Your Rating,Date Rated,Title,Title Type,Year
    tt0133093,9,2020-05-06,The Matrix,movie,1999
    tt0078748,8,2020-05-07,Alien,movie,1979

    """

  @Test func `a table is shown before it is taken, taken once, and taken back by one undo`()
    async throws
  {
    let device = try TestDevice()
    let plan = try await device.json("media", "import", "-", "--dry-run", input: Self.ratings)
    #expect(plan.counts == [3, 0, 0, 0])
    #expect(plan["plan"]?.array?.isEmpty == false)
    #expect(try await device.json("media", "lists")["lists"]?.array?.isEmpty == true)
    let first = try await device.json("media", "import", "-", input: Self.ratings)
    #expect(first.counts == [3, 0, 0, 0])
    let again = try await device.json("media", "import", "-", input: Self.ratings)
    #expect(again.counts == [0, 0, 0, 3])
    #expect(again["batch"] == .null)
    let batch = try #require(first["batch"]?.string)
    #expect(try await device.json("undo", batch).counts == [0, 0, 3, 0])
    #expect(try await device.json("media", "lists")["lists"]?.array?.isEmpty == true)
  }

  @Test func `bad rows are reported with row, column and remedy, and nothing is written`()
    async throws
  {
    let device = try TestDevice()
    let outcome = try await device.run(
      "media", "import", "-", "--json",
      input: Self.ratings + "tt1,9,2020-05-06,X,movie,1999\ntt0000001,99,2020-05-06,Y,movie,1999\n")
    expectFailure(outcome, 65, "input.invalid")
    let errors = outcome.document["errors"]?.array ?? []
    #expect(errors.map { $0["row"]?.int } == [4, 5])
    #expect(errors.map { $0["column"]?.string } == ["Const", "your rating"])
    #expect(outcome.failure["hint"]?.string?.contains("--skip-bad") == true)
    #expect(try await device.json("media", "lists")["lists"]?.array?.isEmpty == true)
    let unmapped = try await device.run("media", "import", "-", "--json", input: "a,b\n1,2\n")
    expectFailure(unmapped, 65, "input.invalid")
    #expect(unmapped.failure["hint"]?.string?.contains("--map title=COLUMN") == true)
    for text in ["PK\u{3}\u{4}broken", "{", "", "\u{0}\u{1}"] {
      let outcome = try await device.run("media", "import", "-", "--json", input: text)
      expectFailure(outcome, 65, "input.invalid")
    }
  }

  @Test func `everything goes out as records and in again on another machine`() async throws {
    let (first, second) = (try TestDevice(), try TestDevice())
    _ = try await first.json("media", "import", "-", input: Self.ratings)
    _ = try await first.json("media", "watched", "Alien", "--on", "2024-01-02")
    _ = try await first.json("media", "note", "Alien", "--private", "--text", "mine")
    let file = first.path("all.records")
    _ = try await first.json("media", "export", file)
    let taken = try await second.json("media", "import", file)
    #expect(taken.counts == [5, 0, 0, 0])
    #expect(try await second.json("media", "note", "Alien")["notes"]?[0]?["text"]?.string == "mine")
    #expect(try await second.json("media", "import", file).counts == [0, 0, 0, 5])
  }

  @Test func `a migration is shown, made once and taken back, and media can be kept here`()
    async throws
  {
    let devices = try await TwoDevices()
    let (laptop, phone) = (devices.first, devices.second)
    let backup = """
      {"version": "1.12", "lists": [{"id": "L1", "name": "Weekend", "titleIds": [603]}],
       "titles": [{"tmdbId": 603, "mediaType": "movie", "title": "The Matrix", "watched": true}],
       "episodes": [], "notes": [{"text": "mine", "titleTmdbId": 603}]}
      """
    try Files.write(Array(backup.utf8), to: laptop.path("backup.json"))
    _ = try await laptop.json("media", "lists", "--add", "Before")
    let pending = try await laptop.json("media", "migrate", "--status")
    expectKeys(pending, "cloudsync.media.migration/1", "at", "batches", "backup", "synced")
    #expect(pending["state"]?.string == "pending")
    let migrated = try await laptop.json("media", "migrate", laptop.path("backup.json"))
    #expect(migrated.counts == [3, 0, 0, 0])
    let again = try await laptop.json("media", "migrate", laptop.path("backup.json"))
    #expect(again.counts == [0, 0, 0, 3])
    let done = try await laptop.json("media", "migrate", "--status")
    #expect(done["state"]?.string == "done")
    let saved = try #require(done["backup"]?.string)
    #expect(try Files.text(saved).contains("Before") && Files.mode(saved) == 0o600)
    try await devices.sync()
    #expect(try await phone.json("media", "note", "matrix")["notes"]?.array?.isEmpty == true)
    _ = try await laptop.json("media", "migrate", "--back")
    #expect(try await laptop.json("media", "migrate", "--status")["state"]?.string == "takenBack")
    try await devices.sync()
    for device in [laptop, phone] {
      let lists = try await device.json("media", "lists")["lists"]?.array ?? []
      #expect(lists.map { $0["name"]?.string } == ["Before"])
    }
    expectFailure(
      try await laptop.run("media", "migrate", "--back", "--json"), 66, "record.not-found")
    _ = try await laptop.json("media", "migrate", "--disable")
    _ = try await laptop.json("media", "lists", "--add", "Only here")
    try await devices.sync()
    #expect(try await phone.json("media", "lists")["lists"]?.array?.count == 1)
    _ = try await laptop.json("media", "migrate", "--enable")
    try await devices.sync()
    #expect(try await phone.json("media", "lists")["lists"]?.array?.count == 2)
  }

  @Test func `a year is shown in a terminal, as a picture and as a page`() async throws {
    let device = try TestDevice()
    _ = try await device.json("media", "lists", "--add", "Weekend")
    _ = try await device.json("media", "add", "The <Matrix>", "runtime=136")
    _ = try await device.json("media", "watched", "matrix", "--on", "2024-01-02")
    _ = try await device.json("media", "rate", "matrix", "9")
    let year = try await device.json("media", "year", "2024")
    expectKeys(year, "cloudsync.media.year/1", "months", "ratings", "genres", "events")
    #expect(year["films"]?.int == 1 && year["minutes"]?.int == 136)
    let text = try await device.run("media", "year", "2024").output
    #expect(text.contains("films: 1") && text.contains("Jan"))
    let svg = try await device.run("media", "year", "2024", "--svg", "-").output
    #expect(svg.hasPrefix("<svg"))
    let page = try await device.run("media", "year", "2024", "--html", "-").output
    #expect(page.hasPrefix("<!DOCTYPE html>") || page.hasPrefix("<!doctype html>"))
    #expect(page.contains("The &lt;Matrix&gt;") && !page.contains("The <Matrix>"))
    _ = try await device.json("media", "year", "2024", "--html", device.path("year.html"))
    #expect(try Files.text(device.path("year.html")) == page)
  }

  @Test func `the guide does what it says`() async throws {
    try await GuideRunner("media").check()
  }
}
