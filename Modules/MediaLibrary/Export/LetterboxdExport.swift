import SyncKitFormats
public import SyncKit

/// Writes tables for Letterboxd's import: one row for each time a film was watched, films only.
///
/// Letterboxd takes at most a megabyte per table, so large libraries need several. Ratings are in
/// halves of five stars, and also on a scale of ten.
public enum LetterboxdExport {
  /// The columns in their order.
  public static let columns = [
    "LetterboxdURI", "tmdbID", "imdbID", "Title", "Year", "Directors", "Rating", "Rating10",
    "WatchedDate", "Rewatch", "Tags", "Review",
  ]

  /// The tables, none larger than the limit.
  ///
  /// - Parameters:
  ///   - items: Films and series; series are left out.
  ///   - library: Their library.
  ///   - limit: The size of a table in bytes; Letterboxd takes a megabyte.
  /// - Returns: At least one table, each with the header.
  public static func tables(
    _ items: [Record], _ library: LibraryView, limit: Int = 1_000_000
  ) -> [[UInt8]] {
    let header = row(columns)
    var tables: [[UInt8]] = []
    var table = header
    for item in items where item[.mediaType].string != MediaID.MediaType.tv.rawValue {
      for row in rows(of: item, library) {
        if table.count + row.count > limit, table.count > header.count {
          tables.append(table)
          table = header
        }
        table += row
      }
    }
    return tables + [table]
  }

  private static func rows(of item: Record, _ library: LibraryView) -> [[UInt8]] {
    let watches = library.watches(of: item.key).filter { $0[.season].isNull }
    guard !watches.isEmpty else {
      let day = item[.watchedDate].instant.map { Day(milliseconds: $0).description }
      return [cells(item, rating: Rating(item), day: day)]
    }
    return watches.map { watch in
      cells(
        item, rating: Rating(watch) ?? Rating(item), day: watch[.date].string,
        isRewatch: watch[.rewatch].bool, tags: watch[.tags], review: watch[.review].text)
    }
  }

  private static func cells(
    _ item: Record, rating: Rating?, day: String?, isRewatch: Bool? = nil, tags: Value = .null,
    review: String? = nil
  ) -> [UInt8] {
    let ten = rating.map { $0.ofTen.rounded() }.map { max($0, 1) }
    return row([
      item[.letterboxdUri].string ?? "", item[.tmdbId].int.map { "\($0)" } ?? "",
      item[.imdbId].string ?? "", item[.title].string ?? "", item[.year].int.map { "\($0)" } ?? "",
      item[.directors].texts.joined(separator: ", "),
      rating.map { Rating.text(max(($0.ofTen).rounded() / 2, 0.5)) } ?? "",
      ten.map { Rating.text($0) } ?? "", day ?? "",
      isRewatch.map { $0 ? "true" : "false" } ?? "",
      (tags.isNull ? item[.tags] : tags).texts.joined(separator: ", "), review ?? "",
    ])
  }

  private static func row(_ cells: [String]) -> [UInt8] {
    var writer = CSVWriter(lineEnding: .lf)
    writer.write(cells)
    return writer.takeOutput()
  }
}

extension Value {
  /// The texts of a list; a single text is a list of one.
  var texts: [String] {
    switch self {
    case .list(let values): values.compactMap(\.string)
    case .string(let text): [text]
    default: []
    }
  }

  /// A text; of concurrent ones the newest.
  var text: String? { texts.first }
}
