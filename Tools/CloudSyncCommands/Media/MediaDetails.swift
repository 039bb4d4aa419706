import LocalMachine
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import MediaLibrary
import SyncKit

/// The command `cloudsync media details TITLE`.
struct MediaDetails: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "details", abstract: "Look up a title in The Movie Database.",
    discussion: examples(
      "cloudsync media details The Matrix", "cloudsync media details The Matrix --save",
      "cloudsync media details Breaking Bad --save --episodes",
      after: """
        You need your own key: 'cloudsync config set domains.media.tmdb.key {env: TMDB_KEY}'. \
        Answers are kept on this machine for a month and never sync. --save fills the empty fields \
        of the item, and --episodes adds the episodes of a series. A title without a TMDB number \
        is searched for by name. This product uses the TMDB API but is not endorsed or certified \
        by TMDB.
        """))

  @OptionGroup var title: MediaTitle
  @Flag(help: "Fill the empty fields of the item.") var save = false
  @Flag(help: "With --save: add the episodes of all seasons.") var episodes = false
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let media = try MediaSession(context, isRehearsal: change.dryRun)
    let item = try media.item(title.words, in: title.list)
    let client = try makeClient(media)
    let type = MediaID.MediaType(rawValue: item["mediaType"].string ?? "movie") ?? .movie
    guard let number = try await number(of: item, type, client, context) else { return }
    var details = try await client.details(type, number)
    if item["tmdbId"].isNull { details["tmdbId"] = .int(number) }
    guard save else { return show(item, details, context) }
    var found: [[FieldName: Value]] = []
    if episodes, type == .tv {
      let seasons = details["numberOfSeasons"]?.int ?? 0
      for season in 1...max(1, min(seasons, 200)) where seasons > 0 {
        found += try await client.season(season, of: number)
      }
    }
    let (fields, list) = (details, found)
    try context.write("cloudsync.media.details-save/1", isRehearsal: change.dryRun) {
      try media.write { transaction in
        try transaction.fill(item.key, fields, episodes: list, in: media.library)
        return [item.key]
      }
    }
  }

  private func makeClient(_ media: MediaSession) throws -> TMDBClient {
    let name = MediaRegistration.domain.name
    let tmdb = media.session.configuration[domain: name]?.values.map("tmdb")
    let variables = media.context.terminal.environment
    guard let key = try tmdb?.readSecret("key", variables: variables) else {
      throw SyncError(
        .configInvalid, "there is no key for TMDB",
        hint: "get your own at themoviedb.org and say where it is: "
          + "'cloudsync config set domains.media.tmdb.key {env: TMDB_KEY}'")
    }
    return TMDBClient(
      base: tmdb?.text("url") ?? TMDBClient.address, key: key,
      fetcher: HTTPFetcher(environment: media.context.terminal.environment),
      cache: TMDBFolder(
        folder: LocalFolder.path(media.session.directories.cache, "tmdb"), now: media.now))
  }

  /// The item's TMDB number; nil when a person has to choose among the titles shown.
  @MainActor private func number(
    of item: Record, _ type: MediaID.MediaType, _ client: TMDBClient, _ context: CommandContext
  ) async throws -> Int64? {
    if let known = item["tmdbId"].int { return known }
    if let imdb = item["imdbId"].string, let found = try await client.find(imdb: imdb),
      found.type == type
    {
      return found.number
    }
    let name = item["title"].string ?? ""
    let found = try await client.search(type, name, year: item["year"].int)
    if found.count == 1 { return found[0].number }
    guard !found.isEmpty else {
      throw SyncError(.notFound, "TMDB has no title '\(Sanitized.line(name))'")
    }
    context.print(
      Report(
        "cloudsync.media.candidates/1",
        [
          "item": .string(item.key.id.text),
          "candidates": .array(
            found.map { candidate in
              [
                "tmdbId": .int(candidate.number), "title": .string(candidate.title),
                "year": candidate.year.map { .int($0) } ?? .null,
              ]
            }),
        ],
        records: "candidates",
        table: ReportTable(
          [
            ReportTable.Column("tmdb", numeric: true), ReportTable.Column("title", flexible: true),
            ReportTable.Column("year", numeric: true),
          ],
          rows: found.map { candidate in
            [
              ReportTable.Cell(candidate.number), ReportTable.Cell(candidate.title),
              ReportTable.Cell(candidate.year.map { "\($0)" } ?? ""),
            ]
          })))
    context.note("say which one it is: 'cloudsync media match \(item.key.id) --tmdb NUMBER'")
    return nil
  }

  private func show(_ item: Record, _ details: [FieldName: Value], _ context: CommandContext) {
    let names = DomainSchema.media["item"]?.fieldNames ?? []
    let shown = names.compactMap { name in details[name].map { (name.text, $0) } }
    context.print(
      Report(
        "cloudsync.media.details/1",
        [
          "item": .string(item.key.id.text), "source": "TMDB",
          "fields": .object(JSONObject(shown.map { ($0.0, $0.1.json) })),
        ],
        table: ReportTable(
          [ReportTable.Column("field"), ReportTable.Column("value", flexible: true)],
          rows: shown.map { [ReportTable.Cell($0.0), ReportTable.Cell($0.1)] })))
    context.note("from TMDB; this product uses the TMDB API but is not endorsed by TMDB")
  }
}

/// TMDB's answers in a folder, one file each, kept for a month.
struct TMDBFolder: TMDBCache {
  let folder: String
  /// Milliseconds since 1970.
  let now: Int64

  private static let freshness: Int64 = 30 * 86_400_000

  func load(_ name: String) -> [UInt8]? {
    guard let bytes = try? LocalFile.read(path(name), limit: 1 << 24),
      let end = bytes.firstIndex(of: 0x0A),
      let time = Int64(String(decoding: bytes[..<end], as: UTF8.self)),
      (0...Self.freshness).contains(now &- time)
    else { return nil }
    return Array(bytes[(end + 1)...])
  }

  func save(_ answer: [UInt8], as name: String) {
    guard (try? LocalFolder.create(folder)) != nil else { return }
    try? LocalFile.replace(path(name), with: Array("\(now)\n".utf8) + answer)
  }

  private func path(_ name: String) -> String {
    LocalFolder.path(folder, "\(name).json")
  }
}
