/// Expected lines in which `…` stands for anything.
struct OutputPattern {
  private let lines: [String]

  init(_ lines: [String]) { self.lines = Self.trimmed(lines) }

  /// Whether an output matches.
  func matches(_ output: String) -> Bool {
    let found = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return Self.matches(Self.trimmed(found)[...], lines[...])
  }

  private static func matches(_ found: ArraySlice<String>, _ wanted: ArraySlice<String>) -> Bool {
    guard let first = wanted.first else { return found.isEmpty }
    if first == "…" {
      return (found.startIndex...found.endIndex).contains {
        matches(found[$0...], wanted.dropFirst())
      }
    }
    guard let line = found.first, matches(line, first) else { return false }
    return matches(found.dropFirst(), wanted.dropFirst())
  }

  private static func matches(_ line: String, _ pattern: String) -> Bool {
    let parts = pattern.split(separator: "…", omittingEmptySubsequences: false)
    guard parts.count > 1, let first = parts.first, let last = parts.last else {
      return line == pattern
    }
    guard line.hasPrefix(first) else { return false }
    var rest = line.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() {
      while !rest.hasPrefix(part) {
        guard !rest.isEmpty else { return false }
        rest = rest.dropFirst()
      }
      rest = rest.dropFirst(part.count)
    }
    return rest.hasSuffix(last)
  }

  /// The lines without trailing spaces, and without empty ones at the end.
  private static func trimmed(_ lines: [String]) -> [String] {
    var lines = lines.map { line -> String in
      var line = line[...]
      while line.last == " " { line.removeLast() }
      return String(line)
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}
