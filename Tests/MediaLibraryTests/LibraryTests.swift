import SyncKitFormats
import SyncKit
import SyncKitTesting
import Testing

@testable import MediaLibrary

/// What was watched, and what is next.
struct WatchingTests {
  private func day(_ text: String) throws -> Day { try #require(Day(text)) }

  @Test func `a second day is a rewatch, the same day again is the same event`() throws {
    let device = try FilmLover("laptop")
    let list = try device.list("Weekend")
    let matrix = try device.item("The Matrix", in: list)
    for (date, isRewatch) in [("2024-01-02", false), ("2024-01-02", false), ("2024-03-04", true)] {
      let library = try device.library
      let event = try device.store.write {
        try $0.watch(matrix, on: day(date), in: library)
      }.result
      #expect(event.isRewatch == isRewatch)
    }
    let library = try device.library
    #expect(library.watches(of: matrix).count == 2)
    #expect(library.items[0]["watchedDate"].instant == (try day("2024-03-04")).milliseconds)
    try device.store.write { try $0.unwatch(matrix, on: day("2024-03-04"), in: library) }
    let after = try device.library
    #expect(after.items[0]["watched"].bool == true)
    #expect(after.items[0]["watchedDate"].instant == (try day("2024-01-02")).milliseconds)
    try device.store.write { try $0.unwatch(matrix, in: after) }
    #expect(try device.library.items[0]["watched"].bool == false)
    #expect(try device.library.items[0]["watchedDate"].isNull)
  }

  @Test func `one day on two devices is one event, two days are two`() async throws {
    let remote = InMemoryTransport()
    let (laptop, phone) = (
      try FilmLover("laptop", meeting: remote), try FilmLover("phone", meeting: remote)
    )
    let list = try laptop.list("Weekend")
    let matrix = try laptop.item("The Matrix", in: list)
    try await sync(laptop, phone)
    for (device, dates) in [(laptop, ["2024-01-02"]), (phone, ["2024-01-02", "2024-01-03"])] {
      for date in dates {
        let library = try device.library
        try device.store.write { try $0.watch(matrix, on: day(date), in: library) }
      }
    }
    try await sync(laptop, phone, laptop)
    for device in [laptop, phone] {
      let events = try device.library.watches(of: matrix)
      #expect(events.map { $0["date"].string } == ["2024-01-02", "2024-01-03"])
    }
    #expect(try agree(laptop, phone))
  }

  @Test func `the next episode follows the last one watched, and waits until it is out`() throws {
    let device = try FilmLover("laptop")
    let list = try device.list("Weekend")
    let series = try device.item("Breaking Bad", in: list, ["mediaType": "tv", "tmdbId": 1396])
    let film = try device.item("Dune", in: list, ["releaseDate": "2021-10-22"])
    try device.item("Someday", in: list, ["releaseDate": "2999-01-01"])
    try device.item("Perhaps", in: list, ["watchStatus": 3])
    func next() throws -> [String] {
      try NextUp(device.library, today: day("2024-06-01")).proposals.map {
        ($0.item["title"].string ?? "") + ($0.episode.map { " \($0)" } ?? "")
      }
    }
    #expect(try next() == ["Breaking Bad S01E01", "Dune"])
    for (number, date) in [(1, "2008-01-20"), (2, "2008-01-27"), (3, "2999-01-01")] {
      try device.store.write {
        try $0.save(
          RecordDraft(
            "episode", parent: series,
            fields: [
              "season": 1, "number": .int(Int64(number)), "airDate": .string(date),
            ]))
      }
    }
    var library = try device.library
    try device.store.write {
      try $0.watch(
        series, on: day("2024-01-02"), episode: EpisodeNumber(season: 1, number: 1), in: library)
    }
    #expect(try next() == ["Breaking Bad S01E02", "Dune"])
    library = try device.library
    try device.store.write {
      try $0.watch(
        series, on: day("2024-01-03"), episode: EpisodeNumber(season: 1, number: 2), in: library)
      try $0.watch(film, on: day("2024-01-03"), in: library)
    }
    #expect(try next() == [])
    #expect(try device.store.record(series)?["currentEpisode"].int == 2)
  }

  @Test func `a rating keeps its scale, and cannot lie beyond it`() throws {
    let device = try FilmLover("laptop")
    let list = try device.list("Weekend")
    let matrix = try device.item("The Matrix", in: list)
    _ = try device.store.write { try $0.rate(matrix, Rating(4.5, of: 5), at: 7) }
    let item = try #require(try device.store.record(matrix))
    #expect(item["rating"].number == 4.5 && item["scale"].int == 5)
    #expect(Rating(item)?.ofTen == 9)
    #expect(throws: SyncError.self) {
      try device.store.write { try $0.edit(matrix, ["rating": 6]) }
    }
    #expect(throws: SyncError.self) {
      try device.store.write { try $0.edit(matrix, ["scale": 4]) }
    }
    _ = try device.store.write { try $0.rate(matrix, nil, at: 8) }
    #expect(try device.store.record(matrix)?["scale"].isNull == true)
    #expect(Rating("4.5/5") == Rating(4.5, of: 5) && Rating("8")?.scale == 10)
    for text in ["", "x", "11", "-1", "5/4", "1/0", "nan", "1/2/3", "1e400"] {
      #expect(Rating(text) == nil, "\(text)")
    }
  }

  @Test(arguments: [
    ("S01E02", "S01E02"), ("s1e2", "S01E02"), ("1x02", "S01E02"), ("S00E100", "S00E100"),
    ("S1", nil), ("", nil), ("SxE", nil), ("S1E999999", nil), ("1x2x3", nil),
  ])
  func `episodes are named as people name them`(text: String, name: String?) {
    #expect(EpisodeNumber(text)?.description == name)
  }
}

/// Lists of the same name.
struct FoldingTests {
  @Test func `folding on both devices at once ends in one list with everything`() async throws {
    let remote = InMemoryTransport()
    let (laptop, phone) = (
      try FilmLover("laptop", meeting: remote), try FilmLover("phone", meeting: remote)
    )
    let old = try laptop.list("Weekend")
    let matrix = try laptop.item("The Matrix", in: old, ["tmdbId": 603])
    phone.advance(by: 60_000)
    let new = try phone.list("Weekend")
    let twin = try phone.item("The Matrix", in: new, ["tmdbId": 603, "rating": 9])
    let library = try phone.library
    try phone.store.write {
      try $0.watch(twin, on: #require(Day("2024-01-02")), in: library)
      _ = try $0.note("hm", on: twin)
      _ = try $0.note("mine", on: twin, isPrivate: true)
    }
    try phone.item("Amélie", in: new, ["year": 2001])
    try await sync(laptop, phone, laptop)
    for device in [laptop, phone] {
      let library = try device.library
      let folding = ListFolding(library)
      #expect(folding.folds.map(\.kept.key) == [old])
      try device.store.write {
        try $0.fold(folding, in: library, device: device.store.device.id)
      }
    }
    try await sync(laptop, phone, laptop, phone)
    for device in [laptop, phone] {
      let library = try device.library
      #expect(library.lists.map(\.key) == [old])
      #expect(Set(try device.titles(of: old)) == ["The Matrix", "Amélie"])
      let item = try #require(library.items.first { $0.key == matrix })
      #expect(item["rating"].number == 9 && item["watched"].bool == true)
      #expect(library.watches(of: matrix).count == 1)
      #expect(library.notes(of: matrix).map { $0["text"].string } == ["hm"])
    }
    #expect(try phone.library.privateNotes(of: matrix).count == 1)
    #expect(try laptop.library.privateNotes(of: matrix).isEmpty)
    #expect(try agree(laptop, phone))
  }

  @Test func `a local list is not folded into a synced one`() throws {
    let device = try FilmLover("laptop")
    let secret = try device.list("Weekend")
    _ = try device.store.setScope(.local, of: secret)
    try device.list("Weekend")
    #expect(ListFolding(try device.library).folds.isEmpty)
  }

  @Test func `without lists of the same name there is nothing to fold`() throws {
    let device = try FilmLover("laptop")
    for name in ["Weekend", "weekend", "Later"] { try device.list(name) }
    #expect(ListFolding(try device.library).folds.isEmpty)
  }
}

/// Statistics of the lists.
struct StatisticsTests {
  @Test func `a film in two lists counts once, and a year has what was watched in it`() throws {
    let device = try FilmLover("laptop")
    try device.take(try MediaImport.read(LetterboxdImportTests.export(), .init()))
    let all = MediaStatistics(try device.library)
    // The Matrix is in two lists.
    #expect(all.films == 4 && all.series == 0 && all.watchedFilms == 2)
    #expect(all.events.count == 2 && all.rewatches == 1)
    #expect(all.meanRating == 9)
    let year = MediaStatistics(try device.library, year: 2024)
    #expect(year.months == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0])
    #expect(year.histogram == [0, 0, 0, 0, 0, 0, 0, 0, 1, 0])
    #expect(MediaStatistics(try device.library, year: 2023).events.isEmpty)
  }

  @Test func `nothing is nothing`() throws {
    let none = MediaStatistics(try FilmLover("laptop").library)
    #expect(none.films == 0 && none.events.isEmpty && none.meanRating == nil && none.minutes == 0)
  }
}

/// Lists as files.
struct ExportTests {
  private func device() throws -> FilmLover {
    let device = try FilmLover("laptop")
    let list = try device.list("Week|end", id: "w")
    let matrix = try device.item(
      "The <Matrix>", in: list,
      ["year": 1999, "tmdbId": 603, "rating": 4.5, "scale": 5, "genres": .list(["Action"])])
    let library = try device.library
    try device.store.write {
      try $0.watch(matrix, on: #require(Day("2024-01-02")), in: library)
      try $0.save(RecordDraft("note", id: "n", parent: matrix, fields: ["text": "a\nb"]))
      _ = try $0.note("mine", on: matrix, isPrivate: true)
    }
    return device
  }

  @Test func `Markdown is a table a list, with what could be markup made plain`() throws {
    let library = try device().library
    let page = String(decoding: MarkdownExport.page(library.lists, library), as: UTF8.self)
    #expect(
      page == """
        # Week\\|end

        | # | Title | Year | Rating | Watched |
        |---:|---|---|---|---|
        | 1 | The &lt;Matrix&gt; | 1999 | 4.5/5 | 2024-01-02 |

        **The &lt;Matrix&gt;**

        > a
        > b

        """)
  }

  @Test func `JSON has each item with all that belongs to it, private notes only if asked for`()
    throws
  {
    let library = try device().library
    let json = try JSON(parsing: LibraryDocument.json(library.lists, library))
    #expect(json["schema"]?.string == "cloudsync.media.library/1")
    let item = json["lists"]?[0]?["items"]?[0]
    #expect(item?["title"]?.string == "The <Matrix>" && item?["rating"]?.double == 4.5)
    #expect(item?["watches"]?[0]?["date"]?.string == "2024-01-02")
    #expect(item?["notes"]?[0]?["text"]?.string == "a\nb" && item?["privateNotes"] == nil)
    let whole = try JSON(
      parsing: LibraryDocument.json(library.lists, library, withPrivateNotes: true))
    #expect(whole["lists"]?[0]?["items"]?[0]?["privateNotes"]?.array?.count == 1)
    let none = try FilmLover("other").library
    #expect(try JSON(parsing: LibraryDocument.json([], none))["lists"]?.array?.isEmpty == true)
  }

  @Test func `CSV goes out and in again and loses nothing that it has columns for`() throws {
    let library = try device().library
    let table = LibraryTable.csv(library.lists, library)
    #expect(
      String(decoding: table, as: UTF8.self)
        == "list,title,year,mediaType,tmdbId,imdbId,rating,scale,watched,watchedDate,directors,"
        + "genres,tags,comment\r\nWeek|end,The <Matrix>,1999,movie,603,,4.5,5,true,2024-01-02,,"
        + "Action,,\r\n")
    let other = try FilmLover("other")
    try other.take(try #require(try MediaImport.read(table, .init())))
    #expect(LibraryTable.csv(try other.library.lists, try other.library) == table)
  }
}

/// The backup of the app.
struct AppBackupTests {
  static func text(watched: String) -> String {
    """
    {"version": "1.12", "exportDate": "2025-11-23T20:00:00Z",
     "lists": [{"id": "9B0E3B5C-4E0B-4F5D-8F55-1B1B5C1B5C1B", "name": "Weekend", "icon": "film",
       "colorHex": "#FF0000", "isDefault": true, "isShared": false, "sortOrder": 0,
       "dateCreated": "2022-01-01T00:00:00Z", "titleIds": [603, "t2"]}],
     "titles": [
       {"id": "t1", "tmdbId": 603, "mediaType": "movie", "title": "The Matrix", "year": 1999,
        "watched": true, "watchedDate": \(watched), "userRating": 9, "mikeRating": 7.5,
        "watchStatus": 4, "likedStatus": 1, "genres": ["Action"], "posterPath": "/p.jpg"},
       {"id": "t2", "tmdbId": 603, "mediaType": "tv", "title": "Some Series", "watched": false},
       {"id": "t3", "tmdbId": 1, "mediaType": "movie", "title": "In no list"}],
     "episodes": [{"id": "e1", "tmdbId": 62085, "showTmdbId": 603, "seasonNumber": 1,
       "episodeNumber": 1, "name": "Pilot", "watched": true, "watchedDate": \(watched)}],
     "notes": [{"id": "n1", "text": "mine", "titleTmdbId": 603},
       {"id": "n2", "text": "of the episode", "ownerOnly": false, "episodeTmdbId": 62085}],
     "preferences": {"imageQuality": "w500"}}
    """
  }

  @Test(arguments: [#""2024-01-01T20:00:00Z""#, #""2024-01-01T20:00:00.000Z""#, "725832000"])
  func `trap M1: times are read whichever way the app has written them`(watched: String) throws {
    let device = try FilmLover("laptop")
    let bytes = Array(Self.text(watched: watched).utf8)
    try device.take(try #require(try MediaImport.read(bytes, .init())))
    let library = try device.library
    let matrix = try #require(library.items(matching: "The Matrix").first)
    #expect(matrix["watchedDate"].instant == Timestamp.parse("2024-01-01T20:00:00Z"))
    #expect(library.watches(of: matrix.key).map { $0["date"].string } == ["2024-01-01"])
  }

  @Test func `everything in it arrives, notes for the owner alone as private ones`() throws {
    let device = try FilmLover("laptop")
    let bytes = Array(Self.text(watched: "null").utf8)
    let imported = try #require(try MediaImport.read(bytes, .init()))
    try device.take(imported)
    let library = try device.library
    #expect(library.lists.map { $0["name"].string } == ["Weekend", "MediaWatch"])
    #expect(library.lists[0]["colour"].string == "#FF0000")
    #expect(library.lists[0]["isDefault"].bool == true)
    #expect(library.lists[0].created == Timestamp.parse("2022-01-01T00:00:00Z"))
    let (film, series) = (library.items[0], library.items[1])
    #expect(film["rating"].number == 9 && film["mikeRating"].number == 7.5)
    #expect(film["watchStatus"].int == 4 && film["appId"].string == "t1")
    #expect(series["mediaType"].string == "tv" && series["watched"].bool == false)
    #expect(library.privateNotes(of: film.key).map { $0["text"].string } == ["mine"])
    let episode = try #require(library.episodes(of: series.key).first)
    #expect(episode["watched"].bool == true && episode["appId"].string == "e1")
    #expect(library.notes(of: episode.key).count == 1)
    let again = try device.take(imported).summary
    #expect(again.added == 0 && again.changed == 0)
  }

  @Test func `trap M9: names that come twice stop nothing`() throws {
    let bytes = Array(
      """
      {"lists": [{"id": "a", "name": "X", "titleIds": [1, 1]}, {"id": "a", "name": "X",
        "titleIds": [1]}],
       "titles": [{"id": "t", "tmdbId": 1, "title": "A"}, {"id": "t", "tmdbId": 1, "title": "A"}],
       "notes": []}
      """.utf8)
    let device = try FilmLover("laptop")
    try device.take(try #require(try MediaImport.read(bytes, .init())))
    #expect(try device.library.lists.first.map { try device.titles(of: $0.key) } == ["A"])
  }

  @Test(arguments: ["{", "[]", #"{"lists": 1, "titles": []}"#, #"{"lists": []}"#, ""])
  func `a file that is not a backup is refused`(text: String) {
    var options = MediaImport.Options()
    options.format = .app
    #expect(throws: SyncError.self) { try MediaImport.read(Array(text.utf8), options) }
  }

  @Test func `faults name part, row and field`() throws {
    let bytes = Array(
      """
      {"lists": [{"name": "", "titleIds": []}, {"name": "L", "titleIds": [7]}],
       "titles": [{"title": ""}, {"title": "A", "mediaType": "game"}],
       "episodes": [{"showTmdbId": 7}], "notes": [{"text": ""}, {"text": "x", "titleTmdbId": 9}]}
      """.utf8)
    let faults = try #require(try MediaImport.read(bytes, .init())).faults
    #expect(
      faults.map { "\($0.message.prefix { $0 != ":" }) \($0.row ?? 0) \($0.column ?? "")" } == [
        "titles 1 title", "titles 2 mediaType", "episodes 1 showTmdbId", "notes 1 text",
        "notes 2 titleTmdbId", "lists 1 name", "lists 2 titleIds",
      ])
  }
}
