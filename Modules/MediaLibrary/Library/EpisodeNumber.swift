/// The number of an episode in a series: `S01E02`.
public struct EpisodeNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The season; 0 is for specials.
  public let season: Int64
  /// The number in the season.
  public let number: Int64

  /// Names an episode.
  public init(season: Int64, number: Int64) {
    self.season = season
    self.number = number
  }

  /// Reads `S01E02`, `s1e2` or `1x02`; nil for any other text.
  public init?(_ text: String) {
    let text = text.trimmed.lowercased()
    let parts: [Substring]
    if text.hasPrefix("s") {
      parts = text.dropFirst().split(separator: "e", omittingEmptySubsequences: false)
    } else {
      parts = text.split(separator: "x", omittingEmptySubsequences: false)
    }
    guard parts.count == 2, let season = Self.number(parts[0]), let number = Self.number(parts[1])
    else { return nil }
    self.init(season: season, number: number)
  }

  private static func number(_ text: Substring) -> Int64? {
    guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ 0x30...0x39 ~= $0 })
    else { return nil }
    return Int64(text)
  }

  public var description: String {
    func pad(_ value: Int64) -> String { (0...9).contains(value) ? "0\(value)" : "\(value)" }
    return "S\(pad(season))E\(pad(number))"
  }

  public static func < (left: Self, right: Self) -> Bool {
    (left.season, left.number) < (right.season, right.number)
  }
}
