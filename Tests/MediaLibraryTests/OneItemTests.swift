import SyncKitFormats
import SyncKit
import Testing

@testable import MediaLibrary

/// What is one thing becomes one record, and what is two becomes two.
struct OneItemTests {
  private func read(_ files: [String: String]) throws -> ImportedLibrary {
    try MediaImport.read(LetterboxdImportTests.export(files), .init())
  }

  private static let history = """
    [{"id": 5, "watched_at": "2026-01-02T20:00:00.000Z", "type": "episode",
      "show": {"title": "Nine Lamps", "year": 2018, "ids": {"trakt": 2, "tmdb": 601}},
      "episode": {"season": 2, "number": 3, "title": "The Stair", "ids": {"trakt": 3}}}]
    """
  private static let watchlist = """
    [{"listed_at": "2026-01-01T00:00:00.000Z", "type": "show", "notes": "with Kim",
      "show": {"title": "Nine Lamps", "year": 2018, "ids": {"trakt": 2, "tmdb": 601}}},
     {"listed_at": "2026-01-01T00:00:00.000Z", "type": "movie",
      "movie": {"title": "Paper Harbour", "year": 2019, "ids": {"trakt": 1, "tmdb": 501}}}]
    """

  @Test func `a series in the watchlist and in the history is one item, with all that is known`()
    throws
  {
    let device = try FilmLover("laptop")
    let imported = try read([
      "watched-history.json": Self.history, "lists-watchlist.json": Self.watchlist,
    ])
    try device.take(imported)
    let library = try device.library
    let found = library.items.filter { $0["title"].string == "Nine Lamps" }
    #expect(found.count == 1)
    #expect(found[0]["comment"].text == "with Kim")
    #expect(library.watches(of: found[0].key).count == 1)
    let next = NextUp(library, today: try #require(Day("2026-02-01"))).proposals
    #expect(next.map { $0.item["title"].string } == ["Nine Lamps", "Paper Harbour"])
    #expect(next[0].episode == EpisodeNumber(season: 2, number: 4))
    let again = try device.take(imported).summary
    #expect(again.added == 0 && again.changed == 0)
  }

  @Test func `what was to be watched and has been watched since stays one item`() throws {
    let device = try FilmLover("laptop")
    try device.take(try read(["lists-watchlist.json": Self.watchlist]))
    try device.take(try read(["watched-history.json": Self.history]))
    #expect(try device.library.items.count { $0["title"].string == "Nine Lamps" } == 1)
  }

  @Test func `what was watched and is to be watched again stays one item, and the import says so`()
    throws
  {
    let device = try FilmLover("laptop")
    try device.take(try read(["watched-history.json": Self.history]))
    let plan = try device.take(
      try read(["watched-history.json": Self.history, "lists-watchlist.json": Self.watchlist])
    ).plan
    #expect(try device.library.items.count { $0["title"].string == "Nine Lamps" } == 1)
    #expect(plan.warnings.contains { $0.contains("stays in the list 'Trakt'") })
  }

  @Test func `a history does not move into a list that others may read`() throws {
    let device = try FilmLover("laptop")
    try device.take(try read(["watched-history.json": Self.history]))
    let main = try #require(try device.library.lists.first)
    _ = try device.store.setScope(.local, of: main.key)
    try device.take(
      try read(["watched-history.json": Self.history, "lists-watchlist.json": Self.watchlist]))
    let library = try device.library
    let wanted = try #require(library.list(matching: "Watchlist"))
    let series = try #require(library.items(matching: "Nine Lamps", in: wanted.key).first)
    #expect(library.watches(of: series.key).isEmpty)
    let watched = try #require(library.items(matching: "Nine Lamps", in: main.key).first)
    #expect(library.watches(of: watched.key).count == 1)
  }

  private static let undertows = [
    "watched.csv": """
    Date,Name,Year,Letterboxd URI
    2026-01-10,Undertow,2024,https://boxd.it/bb22
    2026-01-20,Undertow,2024,https://boxd.it/bb21
    """,
    "ratings.csv": """
    Date,Name,Year,Letterboxd URI,Rating
    2026-01-20,Undertow,2024,https://boxd.it/bb21,4.5
    2026-01-10,Undertow,2024,https://boxd.it/bb22,2
    """,
  ]

  @Test func `two films of one name and year are two, each with its own rating`() throws {
    let device = try FilmLover("laptop")
    try device.take(try read(Self.undertows))
    let items = try device.library.items
    let ratings = Dictionary(
      uniqueKeysWithValues: items.map { ($0["letterboxdUri"].string ?? "", $0["rating"].number) })
    #expect(ratings == ["https://boxd.it/bb21": 4.5, "https://boxd.it/bb22": 2])
    #expect(MatchReview(try device.library).pairs.isEmpty)
  }

  @Test func `two films of one name have the same ids, whichever comes first in a file`() throws {
    func ids(_ order: [String]) throws -> [String: RecordID] {
      let device = try FilmLover("laptop")
      let rows = order.map { "2026-01-10,Undertow,2024,https://boxd.it/\($0)" }
      try device.take(
        try read(["watched.csv": "Date,Name,Year,Letterboxd URI\n\(rows.joined(separator: "\n"))"]))
      return Dictionary(
        uniqueKeysWithValues: try device.library.items.map {
          ($0["letterboxdUri"].string ?? "", $0.key.id)
        })
    }
    let forward = try ids(["bb21", "bb22"])
    #expect(forward.count == 2)
    #expect(forward == (try ids(["bb22", "bb21"])))
  }

  private func diary(_ rows: String) -> [String: String] {
    ["diary.csv": "Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date\n\(rows)"]
  }

  @Test func `two entries of one day are two events with what each says`() throws {
    let device = try FilmLover("laptop")
    let imported = try read(
      diary(
        """
        2026-02-02,Paper Harbour,2019,https://boxd.it/e1,4,,matinee,2026-02-01
        2026-02-02,Paper Harbour,2019,https://boxd.it/e2,2.5,Yes,evening,2026-02-01
        """))
    try device.take(imported)
    let library = try device.library
    let film = try #require(library.items.first)
    let watches = library.watches(of: film.key)
    #expect(watches.map { $0["rating"].number } == [4, 2.5])
    #expect(watches.map { $0["rewatch"].bool } == [false, true])
    #expect(watches.map { $0["tags"].texts } == [["matinee"], ["evening"]])
    #expect(MediaStatistics(library).events.count == 2)
    let again = try device.take(imported).summary
    #expect(again.added == 0 && again.changed == 0)
  }

  @Test func `of two entries the one that is known already is not added again`() throws {
    let device = try FilmLover("laptop")
    try device.take(
      try read(diary("2026-02-02,Paper Harbour,2019,https://boxd.it/e2,2.5,Yes,,2026-02-01")))
    try device.take(
      try read(
        diary(
          """
          2026-02-02,Paper Harbour,2019,https://boxd.it/e1,4,,,2026-02-01
          2026-02-02,Paper Harbour,2019,https://boxd.it/e2,2.5,Yes,,2026-02-01
          """)))
    let library = try device.library
    let film = try #require(library.items.first)
    #expect(Set(library.watches(of: film.key).map { $0["rating"].number }) == [4, 2.5])
    #expect(library.watches(of: film.key).count == 2)
  }

  @Test func `two entries of one day stay two when lists are folded`() throws {
    let device = try FilmLover("laptop")
    try device.take(
      try read(
        diary(
          """
          2026-02-02,Paper Harbour,2019,https://boxd.it/e1,4,,,2026-02-01
          2026-02-02,Paper Harbour,2019,https://boxd.it/e2,2.5,Yes,,2026-02-01
          """)))
    let target = try device.list("Letterboxd", id: "other")
    device.advance(by: 1_000)
    let library = try device.library
    let folding = ListFolding(library)
    #expect(folding.folds.count == 1)
    try device.store.write { try $0.fold(folding, in: library, device: "d") }
    let after = try device.library
    #expect(after.lists.count == 1)
    let film = try #require(after.items.first)
    #expect(after.watches(of: film.key).count == 2)
    _ = target
  }

  @Test func `a table out of an archive and the archive make one library`() throws {
    let device = try FilmLover("laptop")
    let ratings = try #require(LetterboxdImportTests.files["ratings.csv"])
    var options = MediaImport.Options()
    options.fileName = "ratings.csv"
    try device.take(try #require(try MediaImport.read(Array(ratings.utf8), options)))
    try device.take(try read(LetterboxdImportTests.files))
    let library = try device.library
    #expect(
      library.lists.map { $0["name"].string }.sorted { $0 ?? "" < $1 ?? "" }
        == ["Best of", "Letterboxd", "Watchlist"])
    let main = try #require(library.list(matching: "Letterboxd"))
    let matrix = library.items(matching: "The Matrix", in: main.key)
    #expect(matrix.count == 1)
    #expect(matrix.first.flatMap { Rating($0) } == Rating(4.5, of: 5))
    #expect(MediaStatistics(library).meanRating == 9)
  }

  @Test func `a file with nothing for a list makes no list`() throws {
    let device = try FilmLover("laptop")
    let books = "Book Id,Title,Author,ISBN,My Rating\n1,Leaves,A. Writer,0,5\n"
    let imported = try #require(try MediaImport.read(Array(books.utf8), .init()))
    #expect(imported.passedOver.map(\.count) == [1])
    try device.take(imported)
    #expect(try device.library.lists.isEmpty)
  }

  @Test func `a day that is unknown is none`() throws {
    let device = try FilmLover("laptop")
    try device.take(
      try read([
        "watched-history.json": """
        [{"watched_at": "1970-01-01T00:00:00.000Z", "type": "movie",
          "movie": {"title": "Paper Harbour", "year": 2019, "ids": {"trakt": 1}}},
         {"watched_at": null, "type": "movie",
          "movie": {"title": "Quiet Hours", "year": 1998, "ids": {"trakt": 2}}}]
        """
      ]))
    let library = try device.library
    #expect(library.items.allSatisfy { $0["watched"].bool == true && $0["watchedDate"].isNull })
    #expect(MediaStatistics(library).events.isEmpty)
  }
}
