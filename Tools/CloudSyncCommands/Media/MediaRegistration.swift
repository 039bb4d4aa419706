import ArgumentParser
import CommandFoundation
import MediaLibrary
import SyncKit
import SyncKitFormats

/// The media domain on the command line.
enum MediaRegistration: DomainRegistration {
  static let domain: any SyncDomain = MediaLibraryDomain()
  static let abstract = "Films and series: lists, what was watched, ratings and notes."
  static let commands = DomainCommands(verbs: [
    MediaList.self, MediaShow.self, MediaRemove.self, MediaAdd.self, MediaImportCommand.self,
    MediaExport.self, MediaStats.self, MediaLists.self,
    MediaWatched.self, MediaRate.self, MediaNote.self, MediaMove.self, MediaMatch.self,
    MediaNext.self, MediaSummary.self, MediaYear.self, MediaMigrate.self, MediaDetails.self,
    MediaConvertLayout.self,
  ])

  static let records = DomainRecords(
    display: RecordDisplay(
      example: DomainExample(
        id: "list/weekend", fields: "name=Weekend",
        add: #"add "The Matrix" --year 1999 --list Weekend"#),
      columns: { columns(of: $0) },
      steadyFields: [
        "item": ["title", "year", "mediaType", "watched", "rating", "scale"], "list": ["name"],
      ]),
    input: RecordInput(group: { groupFields($0, from: $1) }, recognize: { recognize($0) }),
    sharing: RecordSharing(noun: "list", example: "Weekend"))

  static func groupFields(_ group: FieldName, from text: String) -> [FieldName: Value]? {
    switch group {
    case "score":
      guard let rating = Rating(text) else { return nil }
      return ["rating": .double(rating.value), "scale": .int(rating.scale)]
    case "viewing":
      switch text {
      case "true": return ["watched": true]
      case "false": return ["watched": false]
      default: return nil
      }
    default: return nil
    }
  }

  /// Exports of other services, by the names of their files or columns.
  static func recognize(_ sample: FileSample) -> RecognizedFile? {
    let names = sample.entryNames
    if names.contains(where: { name in
      ["watched-", "ratings-", "lists-", "history-"].contains { name.hasPrefix($0) }
        && name.hasSuffix(".json")
    }) {
      return RecognizedFile("a Trakt archive")
    }
    let letterboxd: Set = ["watched.csv", "ratings.csv", "diary.csv", "watchlist.csv"]
    if names.intersection(letterboxd).count >= 2 { return RecognizedFile("a Letterboxd archive") }
    if sample.header.contains("letterboxd uri") { return RecognizedFile("a table of Letterboxd") }
    if sample.header.contains("const"), sample.header.contains("title") {
      return RecognizedFile("a table of IMDb")
    }
    if let service = MediaImport.service(ofColumns: sample.header) {
      return RecognizedFile("a table of \(service.list)")
    }
    if sample.text.contains("<myanimelist>") { return RecognizedFile("a list of MyAnimeList") }
    let keys = sample.outline.keys
    return keys.contains("lists") && keys.contains("titles")
      ? RecognizedFile("a backup of MediaWatch") : nil
  }

  static func columns(of collection: RecordType) -> [RecordColumn]? {
    switch collection.name {
    case "list":
      return [
        .id(), .field("name"), .scope,
      ]
    case "item":
      return [
        .id(), .field("title"), .field("year", type: .int), .field("mediaType", "type"),
        RecordColumn("watched") { record in
          ReportTable.Cell(record["watched"].bool == true ? "yes" : "")
        },
        RecordColumn("rating", numeric: true) { record in
          ReportTable.Cell(
            Rating(record).map { "\($0)" } ?? "",
            style: record.conflicts.contains("score") ? .warning : .plain)
        },
      ]
    case "watch":
      return [
        .id(), .field("date"),
        RecordColumn("episode") { record in
          guard let season = record["season"].int, let number = record["number"].int else {
            return ""
          }
          return ReportTable.Cell("\(EpisodeNumber(season: season, number: number))")
        },
        .field("rewatch", type: .bool),
      ]
    case "privateNote": return [.id(), .field("about"), .field("text")]
    case "note": return [.id(), .field("text")]
    default: return nil
    }
  }

  static var tables: PlugInTables {
    PlugInTables(
      keys: [
        ConfigKey(
          "tmdb",
          .map(
            ConfigMap(keys: [
              ConfigKey("key", .secret(orText: false), "Your own key"),
              ConfigKey("url", .url, "Its address", fallback: "https://api.themoviedb.org/3"),
            ])), "The Movie Database, for details in the domain media")
      ],
      errors: [
        (.tmdbLimit, "The Movie Database asks for fewer requests")
      ],
      documents: [
        (
          "cloudsync.media.convert-layout/1",
          "layout, dryRun, remotes: name, converted, segments, backup"
        ),
        ("cloudsync.media.lists/1", "lists: id, name, scope, items, watched, about"),
        ("cloudsync.media.notes/1", "record, notes: id, text, private, created"),
        (
          "cloudsync.media.match/1",
          "pairs: first, second, reason; unidentified: id, title, year, list"
        ),
        (
          "cloudsync.media.next/1",
          "next: item, title, year, mediaType, season, number, episode, reason"
        ),
        ("cloudsync.media.summary/1", "next, lists, media (films, series, filmsWatched and so on)"),
        (
          "cloudsync.media.year/1",
          "year, films, episodes, rewatches, minutes, meanRating, months, ratings, genres, events"
        ),
        ("cloudsync.media.page/1", "file, bytes"),
        ("cloudsync.media.details/1", "item, source, fields"),
        ("cloudsync.media.candidates/1", "item, candidates: tmdbId, title, year"),
        ("cloudsync.media.migration/1", "state, at, batches, backup, synced"),
      ],
      files: [
        ("letterboxd", "The archive of Letterboxd and its tables, and what its import takes"),
        (
          "trakt, imdb, tmdb, simkl, tvtime, netflix, primevideo, yamtrack, myanimelist, movielens,"
            + " seriesguide, app", "Exports of these services and of MediaWatch; import only"
        ),
        ("markdown", "A page of lists to show; export only"),
      ])
  }
}
