public import SyncKit

/// What a file of another service says, before it is compared with what is there.
public struct ImportedLibrary: Sendable {
  /// Where it is from: `letterboxd`, `trakt`, `imdb`, `csv`, `app`.
  public var source: String
  /// The lists in the order in which they are to appear.
  public var lists: [ImportedList] = []
  /// What could not be read, with its place.
  public var faults: [ImportedRecords.Fault] = []
  /// What was left out on purpose, as sentences.
  public var warnings: [String] = []
  /// How many rows were read.
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
  /// What it is called.
  public var name: String
  /// Its id in the app's own files, kept as the record's.
  public var id: String?
  /// Fields beside the name.
  public var fields: [Name: Value] = [:]
  /// When the file says that it was made.
  public var created: Int64?
  /// What is in it, in its order.
  public var titles: [ImportedTitle] = []

  init(name: String) { self.name = name }
}

/// A film or series in a file, with all that the file says about it.
public struct ImportedTitle: Sendable {
  /// Where it stands: the line, and in an archive the file.
  public var row: Int?
  public var file: String?
  public var identity: TitleIdentity
  /// The title as it is shown.
  public var title: String
  /// Fields beside title, year and ids.
  public var fields: [Name: Value] = [:]
  public var rating: ImportedRating?
  /// When it was put into the list.
  public var added: Int64?
  /// Whether it was watched, though perhaps nobody knows when.
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

/// A rating, and when it was given.
public struct ImportedRating: Hashable, Sendable {
  public var rating: Rating
  public var at: Int64?
}

/// That something was watched on a day.
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
