import SyncKitFormats
import SyncKit

/// Reads the backup that the app MediaWatch writes: lists, titles, episodes and notes.
///
/// A title appears once, and lists name their titles by TMDB number; each list gets its own
/// item with all that belongs to the title. Titles in no list go to one called
/// `MediaWatch`. Notes that are `ownerOnly`, as they are unless stated, become private notes. Times are
/// RFC 3339 or seconds since 2001.
struct AppBackup {
  private let document: JSONObject
  private var result = ImportedLibrary("app")

  /// Reads the JSON.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when it is not JSON, or not a backup.
  init(_ bytes: [UInt8]) throws {
    let json: JSON
    do throws(JSONError) { json = try JSON(parsing: bytes) } catch {
      throw SyncError(.inputInvalid, "not valid JSON: \(error)")
    }
    guard let object = json.object, object["lists"]?.array != nil, object["titles"]?.array != nil
    else {
      throw SyncError(
        .inputInvalid, "this is not a backup of the app: 'lists' and 'titles' are missing")
    }
    document = object
  }

  static func recognizes(_ bytes: [UInt8]) -> Bool { (try? AppBackup(bytes)) != nil }

  /// The library in the file.
  func library() -> ImportedLibrary {
    var copy = self
    copy.readAll()
    return copy.result
  }

  /// The titles of the file, and the names that refer to them: their own id or their TMDB number.
  private struct Titles {
    var all: [ImportedTitle] = []
    /// A film and a series can have the same number; names are looked up with their type.
    private var places: [String: [Int]] = [:]
    private var episodes: [Int64: (title: Int, episode: EpisodeNumber)] = [:]

    mutating func add(_ title: ImportedTitle, names: Set<String>) {
      for name in names { places[name, default: []].append(all.count) }
      all.append(title)
    }

    func place(_ name: String, of type: MediaID.MediaType? = nil) -> Int? {
      places[name]?.first { type == nil || all[$0].identity.type == type }
    }

    mutating func addEpisode(_ number: EpisodeNumber, of title: Int, tmdb: Int64?) {
      if let tmdb, episodes[tmdb] == nil { episodes[tmdb] = (title, number) }
    }

    func episode(_ tmdb: Int64) -> (title: Int, episode: EpisodeNumber)? { episodes[tmdb] }
  }

  private mutating func readAll() {
    var titles = Titles()
    for (index, json) in (document["titles"]?.array ?? []).enumerated() {
      result.rows += 1
      if let title = title(json, row: index + 1) { titles.add(title, names: Self.names(json)) }
    }
    addEpisodes(to: &titles)
    addNotes(to: &titles)
    var isListed = Set<Int>()
    for (index, json) in (document["lists"]?.array ?? []).enumerated() {
      result.rows += 1
      guard var list = list(json, row: index + 1) else { continue }
      for name in json["titleIds"]?.array ?? [] {
        guard let place = Self.name(name).flatMap({ titles.place($0) }) else {
          fault("lists", index + 1, "titleIds", "there is no title \(name.text())")
          continue
        }
        isListed.insert(place)
        list.titles.append(titles.all[place])
      }
      result.lists.append(list)
    }
    let others = titles.all.indices.filter { !isListed.contains($0) }.map { titles.all[$0] }
    if !others.isEmpty {
      let index = result.list(named: MediaImport.Format.app.list)
      result.lists[index].titles += others
    }
  }

  // MARK: Lists and titles

  private mutating func list(_ json: JSON, row: Int) -> ImportedList? {
    guard let name = json["name"]?.string?.trimmed, !name.isEmpty else {
      fault("lists", row, "name", "a list needs a name")
      return nil
    }
    var list = ImportedList(name: name)
    list.id = json["id"]?.string.map { $0.lowercased() }.flatMap { $0.isEmpty ? nil : $0 }
    list.created = time(json["dateCreated"])
    if let text = json["colorHex"]?.string { list.fields[.colour] = .string(text) }
    if let text = json["icon"]?.string { list.fields[.icon] = .string(text) }
    for (key, field) in [("isDefault", FieldName.isDefault), ("isShared", .isShared)] {
      if let flag = json[key]?.bool { list.fields[field] = .bool(flag) }
    }
    return list
  }

  private mutating func title(_ json: JSON, row: Int) -> ImportedTitle? {
    guard let name = json["title"]?.string?.trimmed, !name.isEmpty else {
      fault("titles", row, "title", "a title needs a name")
      return nil
    }
    guard let type = MediaID.MediaType(rawValue: json["mediaType"]?.string ?? "movie") else {
      fault("titles", row, "mediaType", "it must be movie or tv")
      return nil
    }
    let imdb = json["imdbId"]?.string.flatMap { IMDbID.isOne($0) ? $0 : nil }
    var title = ImportedTitle(
      name,
      TitleIdentity(
        type, title: name,
        year: json["year"]?.int.flatMap { (1800...2999).contains($0) ? $0 : nil },
        tmdb: json["tmdbId"]?.int.flatMap { $0 > 0 ? $0 : nil }, imdb: imdb),
      row: row)
    title.fields = AppFields.item.values(of: json, time: time)
    if let id = json["id"]?.string { title.fields[.appId] = .string(id) }
    title.added = time(json["dateAdded"]) ?? time(json["createdAt"])
    title.isWatched = json["watched"]?.bool ?? false
    if title.isWatched, let moment = time(json["watchedDate"]) {
      var watch = ImportedWatch(Day(milliseconds: moment))
      watch.at = moment
      title.watches = [watch]
    } else if let watched = json["watched"]?.bool {
      title.fields[.watched] = .bool(watched)
    }
    if let value = (json["userRating"] ?? json["rating"])?.double, value > 0 {
      guard let rating = Rating(value, of: 10) else {
        fault("titles", row, "userRating", "it is not a rating from 0 to 10")
        return nil
      }
      title.rating = ImportedRating(rating: rating, at: nil)
    }
    return title
  }

  // MARK: Episodes and notes

  private mutating func addEpisodes(to titles: inout Titles) {
    for (index, json) in (document["episodes"]?.array ?? []).enumerated() {
      result.rows += 1
      let show = json["showTmdbId"].flatMap(Self.name)
      guard let place = show.flatMap({ titles.place($0, of: .tv) }) else {
        fault("episodes", index + 1, "showTmdbId", "there is no series with that number")
        continue
      }
      guard let season = json["seasonNumber"]?.int, (0...100_000).contains(season),
        let number = json["episodeNumber"]?.int, (0...100_000).contains(number)
      else {
        fault("episodes", index + 1, "episodeNumber", "an episode needs a season and a number")
        continue
      }
      let moment = time(json["watchedDate"])
      let isWatched = json["watched"]?.bool ?? false
      let fields = AppFields.episode.values(of: json, time: time)
      let name = EpisodeNumber(season: season, number: number)
      titles.all[place].episode(name) { episode in
        episode.fields = fields
        if let id = json["id"]?.string { episode.fields[.appId] = .string(id) }
        episode.isWatched = isWatched
      }
      if isWatched, let moment {
        var watch = ImportedWatch(Day(milliseconds: moment))
        watch.at = moment
        watch.episode = name
        titles.all[place].watches.append(watch)
      }
      titles.addEpisode(name, of: place, tmdb: json["tmdbId"]?.int)
    }
  }

  private mutating func addNotes(to titles: inout Titles) {
    for (index, json) in (document["notes"]?.array ?? []).enumerated() {
      result.rows += 1
      guard let text = json["text"]?.string, !text.isEmpty else {
        fault("notes", index + 1, "text", "a note needs text")
        continue
      }
      var note = ImportedNote(text)
      note.isPrivate = json["ownerOnly"]?.bool ?? true
      note.created = time(json["dateCreated"]) ?? time(json["createdAt"])
      if let found = json["episodeTmdbId"]?.int.flatMap({ titles.episode($0) }) {
        titles.all[found.title].episode(found.episode) { $0.notes.append(note) }
      } else if let place = json["titleTmdbId"].flatMap(Self.name).flatMap({ titles.place($0) }) {
        titles.all[place].notes.append(note)
      } else {
        fault("notes", index + 1, "titleTmdbId", "there is no title with that number")
      }
    }
  }

  // MARK: Values

  /// The names by which lists and notes refer to a title: its own id and its TMDB number.
  private static func names(_ json: JSON) -> Set<String> {
    Set([json["id"], json["tmdbId"]].compactMap { $0.flatMap(name) })
  }

  private static func name(_ json: JSON) -> String? {
    json.string.map { $0.lowercased() } ?? json.int.map { "\($0)" }
  }

  /// Milliseconds since 1970 of a time, which is RFC 3339 or seconds since 2001.
  private func time(_ json: JSON?) -> Int64? { AppFields.time(json) }

  private mutating func fault(_ part: String, _ row: Int, _ column: String, _ message: String) {
    result.faults.append(
      ImportedRecords.Fault(row: row, column: column, message: "\(part): \(message)"))
  }
}
