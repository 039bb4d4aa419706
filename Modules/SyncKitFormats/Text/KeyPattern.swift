/// A pattern of keys: `*` stands for any number of characters, `?` for one; case matters.
///
/// Matching takes time in proportion to the lengths of both, for any pattern.
public struct KeyPattern: Hashable, Sendable {
  /// The pattern as it was written.
  public let text: String

  /// Takes a pattern.
  public init(_ text: String) { self.text = text }

  /// Whether the pattern has no `*` and `?`: then it is the name of one key.
  public var isExact: Bool { !text.utf8.contains { $0 == 0x2A || $0 == 0x3F } }

  /// Whether a key matches.
  public func matches(_ key: String) -> Bool {
    let pattern = Array(text.unicodeScalars)
    let scalars = Array(key.unicodeScalars)
    var (at, place) = (0, 0)
    var star: Int?
    var resume = 0
    while place < scalars.count {
      if at < pattern.count, pattern[at] == "*" {
        star = at
        resume = place
        at += 1
      } else if at < pattern.count, pattern[at] == "?" || pattern[at] == scalars[place] {
        at += 1
        place += 1
      } else if let star {
        at = star + 1
        resume += 1
        place = resume
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy { $0 == "*" }
  }
}
