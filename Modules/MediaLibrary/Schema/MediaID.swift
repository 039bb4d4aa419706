import SyncCrypto
public import SyncKit

/// Ids that follow from the content, so that two devices make one record of the same thing.
///
/// They are readable: `movie-603-` and a short hash of the list, `…-s01e02`, `…-2026-11-21`.
public enum MediaID {
  /// Whether an item is a film or a series; TMDB numbers them separately.
  public enum MediaType: String, Sendable, CaseIterable {
    /// A film.
    case movie
    /// A series.
    case tv
  }

  /// The id of an item in a list, by its TMDB number, else its IMDb id; nil without either.
  public static func item(
    in list: RecordID, type: MediaType, tmdb: Int64?, imdb: String? = nil
  ) -> RecordID? {
    if let tmdb { return RecordID("\(type.rawValue)-\(tmdb)-\(tag(list.text))") }
    guard let imdb, !imdb.isEmpty else { return nil }
    return RecordID("\(type.rawValue)-\(imdb)-\(tag(list.text))")
  }

  /// The id of an item that a file identifies by title and year only.
  ///
  /// For imports, so that the same file makes the same records again, on any device.
  public static func item(
    in list: RecordID, type: MediaType, title: String, year: Int64?,
    distinguished distinction: String? = nil
  ) -> RecordID {
    var name = "\(TitleKey(title).text)\u{0}\(year.map(String.init) ?? "")"
    if let distinction { name += "\u{0}\(distinction)" }
    return RecordID("\(type.rawValue)-\(tag(name))-\(tag(list.text))")
  }

  /// The id of the event that an item, or an episode of it, was watched on a day.
  ///
  /// Further viewings on that day are the second, the third and so on: `…-2026-11-21-2`.
  public static func watch(
    of item: RecordID, on date: String, episode: (season: Int64, number: Int64)? = nil,
    viewing: Int = 1
  ) -> RecordID {
    let base = episode.map { Self.episode(of: item, season: $0.season, number: $0.number) } ?? item
    return RecordID("\(base)-\(date)" + (viewing > 1 ? "-\(viewing)" : ""))
  }

  /// Which viewing of its day an event is, by its id; 1 for an event with an id of another form.
  static func viewing(_ event: RecordID, of item: RecordID, on date: String) -> Int {
    let text = event.text
    guard text.hasPrefix(item.text), let dash = text.lastIndex(of: "-"),
      text[..<dash].hasSuffix("-\(date)"), let number = Int(text[text.index(after: dash)...])
    else { return 1 }
    return max(number, 1)
  }

  /// The id of an episode.
  public static func episode(of item: RecordID, season: Int64, number: Int64) -> RecordID {
    RecordID("\(item)-s\(twoDigits(season))e\(twoDigits(number))")
  }

  /// The id of a list that an import makes, by its service and its name there.
  public static func list(from source: String, named name: String) -> RecordID {
    RecordID("\(source)-\(tag(name))")
  }

  /// 50 bits of a text's hash in base32.
  static func tag(_ text: String) -> String {
    String(Base32.encode(SHA256.hash(Array(text.utf8)).prefix(7)).prefix(10))
  }

  private static func twoDigits(_ number: Int64) -> String {
    (0...9).contains(number) ? "0\(number)" : "\(number)"
  }
}
