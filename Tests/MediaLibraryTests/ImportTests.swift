import SyncKitFormats
import SyncKit
import SyncKitTesting
import Testing

@testable import MediaLibrary

/// The archive that Letterboxd exports.
struct LetterboxdImportTests {
  static let files: [String: String] = [
    "watched.csv": """
    Date,Name,Year,Letterboxd URI
    2024-01-02,The Matrix,1999,https://boxd.it/2a1m
    2024-01-03,Amélie,2001,https://boxd.it/2b2c
    """,
    "ratings.csv": """
    Date,Name,Year,Letterboxd URI,Rating
    2024-01-02,The Matrix,1999,https://boxd.it/2a1m,4.5
    """,
    "diary.csv": """
    Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date
    2024-01-03,The Matrix,1999,https://boxd.it/entry1,4.5,,cinema,2024-01-01
    2024-06-03,The Matrix,1999,https://boxd.it/entry2,5,Yes,"home, laura",2024-06-01
    """,
    "reviews.csv": """
    Date,Name,Year,Letterboxd URI,Rating,Rewatch,Review,Tags,Watched Date
    2024-06-03,The Matrix,1999,https://boxd.it/entry2,5,Yes,"Better than ""ever"".

    Twice.","home, laura",2024-06-01
    """,
    "watchlist.csv": """
    Date,Name,Year,Letterboxd URI
    2024-02-02,Dune,2021,https://boxd.it/3c3c
    """,
    "likes/films.csv": """
    Date,Name,Year,Letterboxd URI
    2024-01-02,The Matrix,1999,https://boxd.it/2a1m
    """,
    "lists/best-of.csv": """
    Letterboxd list export v7
    Date,Name,Tags,URL,Description
    2024-03-01,Best of,,https://boxd.it/list,"All time,

    so far"

    Position,Name,Year,URL,Description
    1,Alien,1979,https://boxd.it/a,In space
    2,The Matrix,1999,https://boxd.it/2a1m,
    """,
    "deleted/lists/old.csv": "nothing",
    "profile.csv": "Date Joined,Username,Email Address\n2020-01-01,x,secret@example.org\n",
  ]

  static func export(_ files: [String: String] = files) -> ExportFiles {
    ExportFiles(paths: files.keys.sorted()) { Array((files[$0] ?? "").utf8) }
  }

  @Test func `films, diary, reviews, likes, watchlist and lists become one library`() throws {
    let imported = try MediaImport.read(Self.export(), .init())
    #expect(imported.source == "letterboxd" && imported.faults.isEmpty)
    #expect(imported.lists.map(\.name) == ["Letterboxd", "Watchlist", "Best of"])
    let device = try FilmLover("laptop")
    let (summary, plan) = try device.take(imported)
    #expect(summary.added == plan.drafts.count && plan.doubts.isEmpty)
    let library = try device.library
    let main = try #require(library.list(matching: "Letterboxd"))
    let matrix = try #require(library.items(matching: "The Matrix", in: main.key).first)
    #expect(matrix["rating"].number == 4.5 && matrix["scale"].int == 5)
    #expect(matrix["watched"].bool == true && matrix["likedStatus"].int == 1)
    let watches = library.watches(of: matrix.key)
    #expect(watches.map { $0["date"].string } == ["2024-01-01", "2024-06-01"])
    #expect(watches.map { $0["rewatch"].bool } == [false, true])
    #expect(watches[1]["review"].text == "Better than \"ever\".\n\nTwice.")
    #expect(Set(watches[1]["tags"].texts) == ["home", "laura"])
    #expect(watches[1]["rating"].number == 5)
    #expect(library.items(matching: "amelie").count == 1)
    let best = try #require(library.list(matching: "Best of"))
    #expect(library.items(of: best.key).map { $0["title"].string } == ["Alien", "The Matrix"])
    #expect(best["about"].string == "All time,\n\nso far")
    #expect(library.items(of: best.key)[0]["comment"].text == "In space")
  }

  @Test func `the same archive again changes nothing, not even on another device`() async throws {
    let remote = InMemoryTransport()
    let (laptop, phone) = (
      try FilmLover("laptop", meeting: remote), try FilmLover("phone", meeting: remote)
    )
    let imported = try MediaImport.read(Self.export(), .init())
    let first = try laptop.take(imported).summary
    let again = try laptop.take(imported).summary
    #expect(again.added == 0 && again.changed == 0 && again.batch == nil)
    #expect(again.unchanged == first.added)
    // The other device imports before it has seen anything.
    try phone.take(imported)
    try await sync(laptop, phone, laptop)
    for device in [laptop, phone] {
      #expect(try device.library.lists.count == 3)
      #expect(try device.library.items.count == 5)
    }
    #expect(try agree(laptop, phone))
  }

  @Test func `later edits stay, and one undo takes everything back`() throws {
    let device = try FilmLover("laptop")
    let imported = try MediaImport.read(Self.export(), .init())
    let batch = try #require(try device.take(imported).summary.batch)
    let matrix = try #require(try device.library.items(matching: "The Matrix").first)
    _ = try device.store.write { try $0.rate(matrix.key, Rating(2, of: 10), at: 1_735_000_000_000) }
    try device.take(imported)
    #expect(try device.store.record(matrix.key)?["rating"].number == 2)
    _ = try device.store.undo(batch)
    #expect(try device.library.items.map(\.key) == [matrix.key])
  }

  @Test func `faults name the file, the row and the column`() throws {
    var files = Self.files
    files["ratings.csv"] = """
      Date,Name,Year,Letterboxd URI,Rating
      2024-01-02,The Matrix,1999,https://boxd.it/2a1m,seven
      2024-01-02,,1999,https://boxd.it/2a1m,4
      2024-01-02,Alien,19x,https://boxd.it/2a1m,4
      """
    let faults = try MediaImport.read(Self.export(files), .init()).faults
    #expect(faults.map(\.row) == [2, 3, 4])
    #expect(faults.map(\.column) == ["Rating", "Name", "Year"])
    #expect(faults.allSatisfy { $0.message.hasPrefix("ratings.csv: ") })
  }

  @Test(arguments: ["", "x", "Letterboxd list export v7\n", "Letterboxd list export v7\na\n\nb\n"])
  func `a file that is not a list is refused by its name`(text: String) {
    var files = Self.files
    files["lists/best-of.csv"] = text
    let error = #expect(throws: SyncError.self) {
      try MediaImport.read(Self.export(files), .init())
    }
    #expect(error?.code == .inputInvalid && error?.message.contains("lists/best-of.csv") == true)
  }

  @Test func `the library goes out and in again as a table of its own`() throws {
    let device = try FilmLover("laptop")
    try device.take(try MediaImport.read(Self.export(), .init()))
    let library = try device.library
    let main = try #require(library.list(matching: "Letterboxd"))
    let tables = LetterboxdExport.tables(library.items(of: main.key), library)
    #expect(
      tables.map { String(decoding: $0, as: UTF8.self) } == [
        """
        LetterboxdURI,tmdbID,imdbID,Title,Year,Directors,Rating,Rating10,WatchedDate,Rewatch,Tags,Review
        https://boxd.it/2a1m,,,The Matrix,1999,,4.5,9,2024-01-01,false,cinema,
        https://boxd.it/2a1m,,,The Matrix,1999,,5,10,2024-06-01,true,"home, laura","Better than ""ever"".

        Twice."
        https://boxd.it/2b2c,,,Amélie,2001,,,,,,,

        """
      ])
    let other = try FilmLover("other")
    try other.take(try #require(try MediaImport.read(tables[0], .init())))
    let matrix = try #require(try other.library.items(matching: "The Matrix").first)
    #expect(try other.library.watches(of: matrix.key).count == 2)
  }

  @Test func `an export is cut into tables below the limit, and no row is lost`() throws {
    let device = try FilmLover("laptop")
    let list = try device.list("Many")
    for number in 0..<120 { try device.item("Film \(number)", in: list) }
    let library = try device.library
    let tables = LetterboxdExport.tables(library.items, library, limit: 1_000)
    #expect(tables.count > 2 && tables.allSatisfy { $0.count <= 1_000 })
    let rows = tables.map { $0.count { $0 == 0x0A } - 1 }
    #expect(rows.reduce(0, +) == 120)
  }
}

/// The archive that Trakt exports.
struct TraktImportTests {
  static let files: [String: String] = [
    "user/watched-history-2.json": """
    [{"id": 9007199254740993, "watched_at": "2024-06-01T20:00:00.000Z", "action": "watch",
      "type": "movie", "movie": {"title": "The Matrix", "year": 1999,
      "ids": {"trakt": 481, "slug": "x", "imdb": "tt0133093", "tmdb": 603}}}]
    """,
    "user/watched-history-1.json": """
    [{"id": 1, "watched_at": "2024-01-01T20:00:00.000Z", "type": "movie",
      "movie": {"title": "The Matrix", "year": 1999, "ids": {"trakt": 481, "tmdb": 603}}},
     {"id": 2, "watched_at": "2024-01-02T20:00:00.000Z", "type": "episode",
      "episode": {"season": 1, "number": 1, "title": "Pilot", "ids": {"trakt": 7, "tmdb": 62085}},
      "show": {"title": "Breaking Bad", "year": 2008,
      "ids": {"trakt": 481, "imdb": null, "tmdb": 1396, "tvdb": 81189}}},
     {"id": 3, "watched_at": "2024-01-02T21:00:00.000Z", "type": "episode",
      "episode": {"season": 0, "number": 1, "title": "", "ids": {"trakt": 8}},
      "show": {"title": "Breaking Bad", "year": 2008, "ids": {"trakt": 481}}}]
    """,
    "ratings-movies.json": """
    [{"rated_at": "2024-01-01T21:00:00.000Z", "rating": 9, "type": "movie",
      "movie": {"title": "The Matrix", "year": 1999, "ids": {"trakt": 481}}}]
    """,
    "ratings-episodes.json": """
    [{"rated_at": "2024-01-02T21:00:00.000Z", "rating": 8, "type": "episode",
      "episode": {"season": 1, "number": 1, "ids": {"trakt": 7}},
      "show": {"title": "Breaking Bad", "year": 2008, "ids": {"trakt": 481}}}]
    """,
    "lists-watchlist.json": """
    [{"listed_at": "2024-02-01T00:00:00.000Z", "rank": 1, "type": "movie", "notes": "with Laura",
      "movie": {"title": "Dune", "year": 2021, "ids": {"trakt": 3}}}]
    """,
    "lists-lists.json":
      #"[{"name": "Best of", "description": "", "ids": {"trakt": 5, "slug": "b"}}]"#,
    "lists-list-5-b.json": """
    [{"listed_at": "2024-02-01T00:00:00.000Z", "type": "show",
      "show": {"title": "The Wire", "year": 2002, "ids": {"trakt": 9}}}]
    """,
    "user-profile.json": #"{"email": "secret@example.org"}"#,
  ]

  @Test
  func `history, ratings and lists become one library; a film and a series may share a number`()
    throws
  {
    let imported = try MediaImport.read(LetterboxdImportTests.export(Self.files), .init())
    #expect(imported.source == "trakt")
    let device = try FilmLover("laptop")
    try device.take(imported)
    let library = try device.library
    #expect(library.lists.map { $0["name"].string } == ["Trakt", "Watchlist", "Best of"])
    let matrix = try #require(library.items(matching: "The Matrix").first)
    #expect(matrix["rating"].number == 9 && matrix["scale"].int == 10)
    let watches = library.watches(of: matrix.key)
    #expect(watches.map { $0["rewatch"].bool } == [false, true])
    let series = try #require(library.items(matching: "Breaking Bad").first)
    #expect(series["mediaType"].string == "tv" && series["tvdbId"].int == 81_189)
    let episodes = library.episodes(of: series.key)
    #expect(episodes.map { $0["season"].int } == [0, 1])
    #expect(episodes[1]["name"].string == "Pilot" && episodes[1]["rating"].number == 8)
    #expect(library.items(matching: "Dune").first?["comment"].text == "with Laura")
    let again = try device.take(imported).summary
    #expect(again.added == 0 && again.changed == 0)
  }

  @Test(arguments: [
    #"[{"watched_at": "yesterday", "type": "movie"}]"#,
    #"[{"watched_at": "2024-01-01T20:00:00Z", "type": "movie", "movie": {}}]"#,
    #"[{"watched_at": "2024-01-01T20:00:00Z", "type": "episode", "show": {"title": "X"}}]"#, "[7]",
    #"[{"watched_at": "2024-01-01T20:00:00Z", "type": "episode", "show": {"title": "X"}, "episode": {"season": -1, "number": 99999999999}}]"#,
  ])
  func `a broken element is a fault with its place`(text: String) throws {
    let files = LetterboxdImportTests.export(["watched-history.json": text])
    let faults = try MediaImport.read(files, .init()).faults
    #expect(faults.map(\.row) == [1])
    #expect(faults[0].message.hasPrefix("watched-history.json: "))
  }

  @Test(arguments: ["", "{", "{}", "7", "null"])
  func `a file that is not an array is refused`(text: String) {
    let files = LetterboxdImportTests.export(["watched-history.json": text])
    #expect(throws: SyncError.self) { try MediaImport.read(files, .init()) }
  }
}

/// Tables of IMDb and others.
struct TableImportTests {
  private func read(
    _ text: String, _ change: (inout MediaImport.Options) -> Void = { _ in }
  ) throws -> ImportedLibrary {
    var options = MediaImport.Options()
    change(&options)
    return try #require(try MediaImport.read(Array(text.utf8), options))
  }

  @Test func `ratings of IMDb in the new form`() throws {
    let imported = try read(
      """
      Const,Your Rating,Date Rated,Title,Original Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres,Num Votes,Release Date,Directors
      tt0133093,9,2020-05-06,The Matrix,The Matrix,https://x,Movie,8.7,136,1999,"Action, Sci-Fi",1,1999-03-31,"Lana, Lilly"
      tt0903747,10,2020-05-07,Breaking Bad,Breaking Bad,https://x,TV Series,9.5,49,2008,Drama,1,2008-01-20,
      tt2301451,10,2020-05-08,Breaking Bad: Ozymandias,,https://x,TV Episode,10,47,2013,Drama,1,2013-09-15,
      """)
    #expect(imported.faults.isEmpty && imported.warnings.count == 1)
    let titles = imported.lists[0].titles
    #expect(titles.map(\.identity.type) == [.movie, .tv])
    #expect(titles[0].rating?.rating == Rating(9, of: 10))
    #expect(titles[0].rating?.at == Day("2020-05-06")?.milliseconds)
    #expect(titles[0].fields["genres"]?.texts == ["Action", "Sci-Fi"])
    #expect(titles[0].fields["originalTitle"] == nil)
  }

  @Test func `ratings of IMDb in the old form, in latin-1`() throws {
    var bytes = Array(
      """
      "position","const","created","modified","description","Title","Title type","Directors","You rated","IMDb Rating","Runtime (mins)","Year","Genres","Num. Votes","Release Date (month/day/year)","URL"
      "1","tt0211915","Sat Mar  2 00:00:00 2013","","","Am?lie","Feature Film","J","8","8.3","122","2001","comedy","1","2001-04-25","x"
      """.utf8)
    let mark = try #require(bytes.lastIndex(of: UInt8(ascii: "?")))
    bytes[mark] = 0xE9
    let imported = try #require(try MediaImport.read(bytes, .init()))
    let title = try #require(imported.lists[0].titles.first)
    #expect(title.title == "Amélie")
    #expect(title.rating?.at == Day("2013-03-02")?.milliseconds)
  }

  @Test func `faults of a table name row and column, and the others are read on`() throws {
    let imported = try read(
      """
      Const,Your Rating,Date Rated,Title,Title Type,Year
      tt01,9,2020-05-06,A,movie,1999
      tt0133093,12,2020-05-06,B,movie,1999
      tt0133094,9,someday,C,movie,1999
      tt0133095,9,2020-05-06,,movie,1999
      tt0133096,9,2020-05-06,E,movie
      tt0133097,9,2020-05-06,F,movie,1999
      """)
    #expect(imported.faults.map(\.row) == [2, 3, 4, 5])
    #expect(imported.faults.map(\.column) == ["Const", "your rating", "date rated", "title"])
    #expect(imported.lists[0].titles.map(\.title) == ["E", "F"])
  }

  @Test func `any table by its columns, or by a map`() throws {
    let plain = try read("Film,Year,Seen\nDune,2021,yes\n").lists
    #expect(plain.map(\.name) == ["Imported"] && plain[0].titles[0].isWatched)
    let mapped = try read("My film,My score,Seen on,Which\nDune,4,2024-01-05,Space\n") { options in
      options.map = [
        "title": "My film", "rating": "My score", "watchedDate": "seen on", "list": "Which",
      ]
      options.scale = 5
    }
    #expect(mapped.lists.map(\.name) == ["Space"])
    let dune = try #require(mapped.lists[0].titles.first)
    #expect(
      dune.rating?.rating == Rating(4, of: 5) && dune.watches.map(\.day) == [Day("2024-01-05")])
  }

  @Test func `a table whose titles cannot be found names the columns and the remedy`() {
    let error = #expect(throws: SyncError.self) { try read("a,b\n1,2\n") }
    #expect(error?.code == .inputInvalid && error?.hint?.contains("--map title=") == true)
    let wrong = #expect(throws: SyncError.self) {
      try read("a,b\n1,2\n") { $0.map = ["title": "c"] }
    }
    #expect(wrong?.message.contains("'c'") == true)
    let field = #expect(throws: SyncError.self) {
      try read("a,b\n1,2\n") { $0.map = ["colour": "a"] }
    }
    #expect(field?.code == .usage)
  }

  @Test(arguments: 0..<300)
  func `bytes of any kind never stop the program`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var bytes = Array(
      "Const,Your Rating,Date Rated,Title,Title Type,Year\ntt0133093,9,2020-05-06,A,movie,1999\n"
        .utf8)
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
        in: 0...255, using: &random)
    }
    for format in [nil, MediaImport.Format.csv, .imdb, .app] {
      var options = MediaImport.Options()
      options.format = format
      if let imported = try? MediaImport.read(bytes, options) {
        #expect(imported.lists.count <= 2)
      }
    }
  }
}

/// Doubtful titles.
struct MatchTests {
  @Test func `ids decide, then title and year; a year off by one is a doubt`() {
    let known = [
      TitleIdentity(.movie, title: "The Matrix", year: 1999, tmdb: 603),
      TitleIdentity(.movie, title: "Amélie", year: 2001),
      TitleIdentity(.movie, title: "Solaris", year: 1972),
      TitleIdentity(.movie, title: "Solaris", year: 2002),
    ]
    let index = TitleIndex(known)
    func find(_ title: String, _ year: Int64?, _ tmdb: Int64? = nil) -> TitleIndex.Answer {
      index.find(TitleIdentity(.movie, title: title, year: year, tmdb: tmdb))
    }
    #expect(find("Matrix", nil, 603) == .same(0))
    #expect(find("the matrix", 1999) == .same(0))
    #expect(find("The Matrix", 1999, 604) == .none)
    #expect(find("AMELIE", 2001) == .same(1))
    #expect(find("Amelie", 2002) == .doubtful([1]))
    #expect(find("Amelie", 2010) == .none)
    #expect(find("Solaris", nil) == .doubtful([2, 3]))
    #expect(find("", 1999) == .none)
    #expect(index.find(TitleIdentity(.tv, title: "Matrix", tmdb: 603)) == .none)
  }

  @Test func `doubts are shown, and equal titles become one with all that belongs to them`() throws
  {
    let device = try FilmLover("laptop")
    let list = try device.list("Weekend")
    let first = try device.item("Amélie", in: list, ["year": 2001, "tmdbId": 194])
    let second = try device.item("Amelie", in: list, ["year": 2002, "rating": 8])
    let before = try device.library
    try device.store.write {
      try $0.watch(second, on: #require(Day("2024-01-01")), in: before)
      _ = try $0.note("mine", on: second, isPrivate: true)
    }
    let review = MatchReview(try device.library)
    #expect(review.pairs.map { [$0.first.key, $0.second.key] } == [[first, second]])
    #expect(review.unidentified.map(\.key) == [second])
    let library = try device.library
    try device.store.write {
      try $0.unite(
        review.pairs[0].second, into: review.pairs[0].first, in: library, device: "d")
    }
    let after = try device.library
    #expect(after.items.map(\.key) == [first])
    #expect(after.items[0]["rating"].number == 8 && after.items[0]["tmdbId"].int == 194)
    #expect(after.watches(of: first).map { $0["date"].string } == ["2024-01-01"])
    #expect(after.privateNotes(of: first).count == 1)
  }

  @Test(arguments: [
    ("WALL·E", "wall e"), ("Amélie", "amelie"), ("L'Avventura", "lavventura"),
    ("Fast & Furious", "fast and furious"), ("Łódź", "lodz"), ("  a -- b ", "a b"),
    ("千と千尋の神隠し", "千と千尋の神隠し"), ("ИДИ И СМОТРИ", "иди и смотри"), ("İstanbul", "istanbul"),
    ("e\u{301}", "e"), ("8½", "8½"), ("!!!", ""), ("Straße", "strasse"),
  ])
  func `titles are compared without case, accents and signs`(title: String, key: String) {
    #expect(TitleKey(title).text == key)
    #expect(TitleKey(TitleKey(title).text).text == key)
  }

  @Test func `titles in plain letters fold as those with marks do`() {
    for first in UInt8(0)..<128 {
      for second in [0x20, 0x26, 0x27, 0x41, 0x7A, 0x39, first] as [UInt8] {
        let title = String(decoding: [0x62, first, second, 0x43], as: UTF8.self)
        // The mark is left out, and takes the way that is not for plain letters alone.
        #expect(TitleKey(title).text == TitleKey(title + "\u{301}").text, "\(title)")
      }
    }
  }
}
