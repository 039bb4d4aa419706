import ArgumentParser
import CommandFoundation
import MediaLibrary
import SyncKit

/// The media domain on the command line.
enum MediaRegistration: DomainRegistration {
  static let domain: any SyncDomain = MediaLibraryDomain()
  static let abstract = "Films and series: lists, what was watched, ratings and notes."
  static let verbs: [any ParsableCommand.Type] = [
    MediaAdd.self, MediaImportCommand.self, MediaExport.self, MediaStats.self, MediaLists.self,
    MediaWatched.self, MediaRate.self, MediaNote.self, MediaMove.self, MediaMatch.self,
    MediaNext.self, MediaYear.self, MediaMigrate.self, MediaDetails.self, MediaConvertLayout.self,
  ]

  static let example = DomainExample(
    id: "list/weekend", fields: "name=Weekend",
    add: #"add "The Matrix" --year 1999 --list Weekend"#)
  static let countedFields: [Name] = []
  static let sharedNoun: String? = "list"
  static let shareExample = "Weekend"

  static func groupFields(_ group: Name, from text: String) -> [Name: Value]? {
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

  static func steadyFields(of collection: Name) -> [Name] {
    switch collection {
    case "item": ["title", "year", "mediaType", "watched", "rating", "scale"]
    case "list": ["name"]
    default: []
    }
  }
}
