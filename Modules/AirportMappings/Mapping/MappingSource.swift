import SyncKit

/// The source of a mapping's ICAO code, the best founded first.
public enum MappingSource: String, CaseIterable, Sendable {
  /// Checked by a person against a chart or the like.
  case verified
  /// Entered by a person.
  case manual
  /// Learned by an app.
  case learned
  /// Guessed from a pattern.
  case guessed

  /// Whether no person has stated the code.
  public var isAutomatic: Bool { self == .learned || self == .guessed }

  /// The source that a text names, whatever the case of its ASCII letters and spaces around it.
  public init?(typed text: String) {
    self.init(rawValue: AirportCode.trimmed(text).asciiLowercased)
  }

  /// The names, as a sentence.
  static let rule = "A source is one of verified, manual, learned and guessed."

  /// How well founded the code in a group `code` is; the lowest number is the best.
  ///
  /// A code whose airport was found at the right position counts as verified, whoever entered it. A
  /// missing source is a person's, as in files without sources; one of a newer version ranks last.
  static func rank(of code: Value) -> Int {
    if code.map?[.verifiedByCoordinates]?.bool == true { return verified.rank }
    guard let text = code.map?[.source]?.string else { return manual.rank }
    return MappingSource(rawValue: text)?.rank ?? allCases.count
  }

  /// The place among the sources.
  var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
}

extension String {
  /// The text with capital ASCII letters, in no locale.
  var asciiUppercased: String { String(decoding: utf8.map(\.uppercasedASCII), as: UTF8.self) }

  /// The text with small ASCII letters, in no locale.
  var asciiLowercased: String {
    String(
      decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
  }
}
