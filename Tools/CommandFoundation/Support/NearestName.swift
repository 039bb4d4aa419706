import SyncKit

/// Finds what a person probably meant.
package enum NearestName {
  /// The candidate nearest to a word, or nil when none is near enough to be meant.
  ///
  /// Case, `_` and `-` do not count. A swap of two neighbours is one slip, as is one letter too many,
  /// too few or wrong; a third of the letters may be slips. A word that begins a single candidate, or
  /// is begun by one, is near as well.
  package static func to(_ word: String, among candidates: some Sequence<String>) -> String? {
    let wanted = plain(word)
    guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
    var best: (name: String, distance: Int)?
    var beginnings: [String] = []
    for candidate in candidates {
      let name = plain(candidate)
      let distance = distance(wanted, name)
      let limit = min(max(1, max(wanted.count, name.count) / 3), wanted.count - 1)
      if distance <= limit, distance < best?.distance ?? .max {
        best = (candidate, distance)
      }
      if wanted.count >= 2, name.starts(with: wanted) { beginnings.append(candidate) }
    }
    return best?.name ?? (beginnings.count == 1 ? beginnings.first : nil)
  }

  /// The same as a hint, nil when nothing is near.
  package static func hint(
    for word: String, among candidates: some Sequence<String>
  ) -> String? {
    to(word, among: candidates).map { "did you mean '\($0)'?" }
  }

  private static func plain(_ word: String) -> [Character] {
    word.lowercased().map { $0 == "_" ? "-" : $0 }
  }

  /// How many slips lie between two words (optimal string alignment).
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var best = min(
          last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
          best = min(best, beforeLast[column - 1] + 1)
        }
        current.append(best)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}

extension SyncError {
  /// A name on the command line that stands for nothing.
  package static func unknownName(
    _ kind: String, _ name: String, among known: [String]
  ) -> SyncError {
    let shown = Sanitized.line(name)
    let hint =
      NearestName.hint(for: name, among: known)
      ?? (known.isEmpty ? nil : "known: \(known.joined(separator: ", "))")
    return SyncError(.usage, "there is no \(kind) '\(shown)'", hint: hint)
  }
}
