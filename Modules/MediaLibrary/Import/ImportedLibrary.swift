public import SyncKit

/// The content of another service's file, before it is compared with the library.
public struct ImportedLibrary: Sendable {
  /// The service: `letterboxd`, `trakt`, `imdb`, `csv`, `app`.
  public var source: String
  /// The lists in the order of their appearance.
  public var lists: [ImportedList] = []
  /// The values that could not be read, with their places.
  public var faults: [ImportedRecords.Fault] = []
  /// Sentences about data left out on purpose.
  public var warnings: [String] = []
  /// The number of rows read.
  public var rows = 0

  init(_ source: String) { self.source = source }

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
  public var fields: [Name: Value] = [:]
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
  public var file: String?
  public var identity: TitleIdentity
  /// The title for display.
  public var title: String
  /// Fields besides title, year and ids.
  public var fields: [Name: Value] = [:]
  public var rating: ImportedRating?
  /// The time when it was added to the list.
  public var added: Int64?
  /// Whether it was watched, perhaps on an unknown day.
  public var isWatched = false
  public var watches: [ImportedWatch] = []
  public var episodes: [ImportedEpisode] = []
  public var notes: [ImportedNote] = []

  init(_ title: String, _ identity: TitleIdentity, row: Int?, file: String? = nil) {
    self.title = title
    self.identity = identity
    self.row = row
    self.file = file
  }
}

/// A rating with its date.
public struct ImportedRating: Hashable, Sendable {
  public var rating: Rating
  public var at: Int64?
}

/// A watch event on a day.
public struct ImportedWatch: Hashable, Sendable {
  public var day: Day
  public var at: Int64?
  public var episode: EpisodeNumber?
  public var isRewatch: Bool?
  public var rating: Rating?
  public var review: String?
  public var tags: [String] = []

  init(_ day: Day) { self.day = day }
}

/// An episode of a series.
public struct ImportedEpisode: Sendable {
  public var number: EpisodeNumber
  public var fields: [Name: Value] = [:]
  public var rating: ImportedRating?
  public var isWatched = false
  public var notes: [ImportedNote] = []

  init(_ number: EpisodeNumber) { self.number = number }
}

/// A note; a private one never leaves the device.
public struct ImportedNote: Hashable, Sendable {
  public var text: String
  public var isPrivate = false
  /// Its id in the app's own files.
  public var id: String?
  public var created: Int64?

  init(_ text: String) { self.text = text }
}
