public import SyncKit

/// The content of another service's file, before it is compared with the library.
public struct ImportedLibrary: Sendable {
  /// The service, as in ``MediaImport/Format``.
  public var source: String
  /// The place of the list for titles that are in no other one; nil without such a list.
  var main: Int?
  /// The list of what is to be watched, if the service has one; a title of it and of the main list is
  /// one item.
  var watchlistName: String?
  /// The lists in the order of their appearance.
  public var lists: [ImportedList] = []
  /// The values that could not be read, with their places.
  public var faults: [ImportedRecords.Fault] = []
  /// Sentences about data left out on purpose.
  public var warnings: [String] = []
  /// Sentences about how the file was read.
  public var notes: [String] = []
  /// The rows that have no place in a list, by kind.
  public private(set) var passedOver: [ImportedRecords.PassedOver] = []
  /// The number of rows read.
  public var rows = 0
  /// What became of the rows, for a dry run.
  var tally = ImportTally()
  /// What becomes of each kind of row, a sentence each.
  public var outcomes: [String] { tally.sentences }

  init(_ source: String) { self.source = source }

  /// Counts a row that has no place in a list.
  mutating func passOver(_ kind: String, row: Int?) {
    if let place = passedOver.firstIndex(where: { $0.kind == kind }) {
      passedOver[place].count += 1
    } else {
      passedOver.append(ImportedRecords.PassedOver(kind: kind, count: 1, first: row))
    }
  }

  /// Removes the main list when it is empty and there are others.
  mutating func dropEmptyMain() {
    guard let place = main, lists[place].titles.isEmpty, lists.count > 1 else { return }
    lists.remove(at: place)
    main = nil
  }

  /// The place of a list, made if it is new.
  mutating func list(named name: String) -> Int {
    if let index = lists.firstIndex(where: { $0.name == name }) { return index }
    lists.append(ImportedList(name: name))
    return lists.count - 1
  }
}

/// A list in a file.
public struct ImportedList: Sendable {
  /// Its name.
  public var name: String
  /// Its id in the app's own files, kept as the record's.
  public var id: String?
  /// Fields besides the name.
  public var fields: [FieldName: Value] = [:]
  /// Its creation time in the file.
  public var created: Int64?
  /// Its titles, in order.
  public var titles: [ImportedTitle] = []

  init(name: String) { self.name = name }
}

/// A film or series in a file, with all its data.
public struct ImportedTitle: Sendable {
  /// Its place: the line, and in an archive the file.
  public var row: Int?
  /// The file within an archive; nil outside of one.
  public var file: String?
  /// What the services call it.
  public var identity: TitleIdentity
  /// The title for display.
  public var title: String
  /// Fields besides title, year and ids.
  public var fields: [FieldName: Value] = [:]
  /// The rating of the title as a whole; nil for none.
  public var rating: ImportedRating?
  /// The time when it was added to the list.
  public var added: Int64?
  /// Whether it was watched, perhaps on an unknown day.
  public var isWatched = false
  /// When it was watched.
  public var watches: [ImportedWatch] = []
  /// What is known of its episodes.
  public var episodes: [ImportedEpisode] = []
  /// What the person has written about it.
  public var notes: [ImportedNote] = []

  init(_ title: String, _ identity: TitleIdentity, row: Int?, file: String? = nil) {
    self.title = title
    self.identity = identity
    self.row = row
    self.file = file
  }
}

extension ImportedTitle {
  /// Takes over the values of another row of the same title.
  ///
  /// Of two ratings the later one counts, of two of one time the last one.
  mutating func take(_ other: ImportedTitle) {
    identity.learn(other.identity)
    fields.merge(other.fields) { first, _ in first }
    if let new = other.rating, (rating?.at ?? .min) <= new.at ?? .max { rating = new }
    if let day = other.added { added = min(added ?? day, day) }
    isWatched = isWatched || other.isWatched
    watches += other.watches
    for note in other.notes where !notes.contains(note) { notes.append(note) }
    for episode in other.episodes { self.episode(episode.number) { $0.take(episode) } }
  }

  /// Takes over all but the place in the list and what is said about it there.
  mutating func takeHistory(of other: ImportedTitle) {
    let added = added
    take(other)
    self.added = added ?? self.added
  }
}

extension ImportedEpisode {
  /// Takes over the values of another row of the same episode.
  mutating func take(_ other: ImportedEpisode) {
    fields.merge(other.fields) { first, _ in first }
    if let new = other.rating, (rating?.at ?? .min) <= new.at ?? .max { rating = new }
    isWatched = isWatched || other.isWatched
    for note in other.notes where !notes.contains(note) { notes.append(note) }
  }
}

/// A rating with its date.
public struct ImportedRating: Hashable, Sendable {
  /// The rating.
  public var rating: Rating
  /// When it was given, in milliseconds since 1970; nil when the file does not say.
  public var at: Int64?
}

/// A watch event on a day.
public struct ImportedWatch: Hashable, Sendable {
  /// The day on which it was watched.
  public var day: Day
  /// The instant, in milliseconds since 1970; nil when only the day is known.
  public var at: Int64?
  /// The episode; nil for the title as a whole.
  public var episode: EpisodeNumber?
  /// The name of an episode whose number is unknown.
  public var episodeName: String?
  /// What identifies the entry at its service; nil when nothing does.
  var entry: String?
  /// Whether it had been watched before.
  public var isRewatch: Bool?
  /// The rating that was given with it; nil for none.
  public var rating: Rating?
  /// What the person wrote about it; nil for nothing.
  public var review: String?
  /// The tags that were given with it.
  public var tags: [String] = []

  init(_ day: Day) { self.day = day }
}

/// An episode of a series.
public struct ImportedEpisode: Sendable {
  /// Its season and number.
  public var number: EpisodeNumber
  /// What else is known of it, by field.
  public var fields: [FieldName: Value] = [:]
  /// Its rating; nil for none.
  public var rating: ImportedRating?
  /// Whether it was watched.
  public var isWatched = false
  /// What the person has written about it.
  public var notes: [ImportedNote] = []

  init(_ number: EpisodeNumber) { self.number = number }
}

/// A note; a private one never leaves the device.
public struct ImportedNote: Hashable, Sendable {
  /// What was written.
  public var text: String
  /// Whether it was marked as private.
  public var isPrivate = false
  /// Its id in the app's own files.
  public var id: String?
  /// When it was written, in milliseconds since 1970; nil when the file does not say.
  public var created: Int64?

  init(_ text: String) { self.text = text }
}

/// How many rows of each kind became what.
struct ImportTally: Hashable, Sendable {
  private var counts: [Line: Int] = [:]

  private struct Line: Hashable {
    var kind: String
    var outcome: String
  }

  /// Counts a row.
  mutating func count(_ kind: String, as outcome: String, _ number: Int = 1) {
    counts[Line(kind: kind, outcome: outcome), default: 0] += number
  }

  /// One sentence for each kind, the most frequent first.
  var sentences: [String] {
    counts.sorted {
      ($1.value, $0.key.kind, $0.key.outcome) < ($0.value, $1.key.kind, $1.key.outcome)
    }
    .map { "\($0.value) × \($0.key.kind): \($0.key.outcome)" }
  }
}
