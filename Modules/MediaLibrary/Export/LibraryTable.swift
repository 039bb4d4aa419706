import SyncKitFormats
public import SyncKit

/// Writes lists as one table, a row per item, which the import of tables reads back.
public enum LibraryTable {
  /// The columns in their order.
  public static let columns = [
    "list", "title", "year", "mediaType", "tmdbId", "imdbId", "rating", "scale", "watched",
    "watchedDate", "directors", "genres", "tags", "comment",
  ]

  /// The table, with CRLF as RFC 4180 asks.
  public static func csv(_ lists: [Record], _ library: LibraryView) -> [UInt8] {
    var writer = CSVWriter()
    writer.write(columns)
    for list in lists {
      for item in library.items(of: list.key) {
        let day =
          library.watches(of: item.key).last { $0[.season].isNull }?[.date].string
          ?? item[.watchedDate].instant.map { Day(milliseconds: $0).description }
        func number(_ name: FieldName) -> String { item[name].int.map { "\($0)" } ?? "" }
        writer.write([
          list[.name].string ?? "", item[.title].string ?? "", number(.year),
          item[.mediaType].string ?? "", number(.tmdbId), item[.imdbId].string ?? "",
          item[.rating].number.map { Rating.text($0) } ?? "", number(.scale),
          item[.watched].bool.map { $0 ? "true" : "false" } ?? "", day ?? "",
          item[.directors].texts.joined(separator: ", "),
          item[.genres].texts.joined(separator: ", "), item[.tags].texts.joined(separator: ", "),
          item[.comment].text ?? "",
        ])
      }
    }
    return writer.takeOutput()
  }
}
