import SyncCrypto
public import SyncKit

/// Ids that follow from the content, so that two devices make one record of the same thing.
///
/// They are readable: `movie-603-` and a short hash of the list, `…-s01e02`, `…-2026-11-21`.
public enum MediaID {
  /// Whether an item is a film or a series; TMDB numbers them separately.
  public enum MediaType: String, Sendable, CaseIterable {
    case movie, tv
  }

  /// The id of an item in a list, by its TMDB number, else its IMDb id; nil without either.
  public static func item(
    in list: Name, type: MediaType, tmdb: Int64?, imdb: String? = nil
  ) -> Name? {
    if let tmdb { return Name("\(type.rawValue)-\(tmdb)-\(tag(list.text))") }
    guard let imdb, !imdb.isEmpty else { return nil }
    return Name("\(type.rawValue)-\(imdb)-\(tag(list.text))")
  }

  /// The id of an item that a file identifies by title and year only.
  ///
  /// For imports, so that the same file makes the same records again, on any device.
  public static func item(
    in list: Name, type: MediaType, title: String, year: Int64?
  ) -> Name {
    let name = "\(TitleKey(title).text)\u{0}\(year.map(String.init) ?? "")"
    return Name("\(type.rawValue)-\(tag(name))-\(tag(list.text))")
  }

  /// The id of the event that an item, or an episode of it, was watched on a day.
  public static func watch(
    of item: Name, on date: String, episode: (season: Int64, number: Int64)? = nil
  ) -> Name {
    let base = episode.map { Self.episode(of: item, season: $0.season, number: $0.number) } ?? item
    return Name("\(base)-\(date)")
  }

  /// The id of an episode.
  public static func episode(of item: Name, season: Int64, number: Int64) -> Name {
    Name("\(item)-s\(twoDigits(season))e\(twoDigits(number))")
  }

  /// The id of a list that an import makes, by its service and its name there.
  public static func list(from source: String, named name: String) -> Name {
    Name("\(source)-\(tag(name))")
  }

  /// 50 bits of a text's hash in base32.
  static func tag(_ text: String) -> String {
    String(Base32.encode(SHA256.hash(Array(text.utf8)).prefix(7)).prefix(10))
  }

  private static func twoDigits(_ number: Int64) -> String {
    (0...9).contains(number) ? "0\(number)" : "\(number)"
  }
}
