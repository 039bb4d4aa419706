/// Placeholders in a guide for texts that differ from run to run: an address, a code.
struct GuideWords {
  /// The real text of each, if known.
  private var known: [(shown: String, real: String)] = []
  private var samples: [String]

  init(samples: [String]) { self.samples = samples }

  /// Sets the real text of a placeholder.
  mutating func know(_ shown: String, as real: String) {
    known.append((shown, real))
    samples.removeAll { $0 == shown }
  }

  /// A text with known placeholders replaced.
  func real(_ text: String) -> String {
    known.reduce(text) { text, word in
      text.components(separatedBy: word.shown).joined(separator: word.real)
    }
  }

  /// The unknown placeholders in a text.
  func unknown(in text: String) -> String? {
    samples.first { text.components(separatedBy: $0).count > 1 }
  }

  /// An expected line in which unknown placeholders match anything.
  func open(_ line: String) -> String {
    samples.reduce(line) { $0.components(separatedBy: $1).joined(separator: "…") }
  }

  /// Learns the real text of a sample from an expected line.
  mutating func learn(_ line: String, from output: [String]) {
    guard let sample = unknown(in: line) else { return }
    let parts = line.components(separatedBy: sample)
    guard parts.count == 2, let before = parts.first, let after = parts.last else { return }
    for found in output where OutputPattern([open(line)]).matches(found) {
      // A placeholder is one word; the text around it may contain `…`.
      let start = before.components(separatedBy: "…").last ?? ""
      let tail = found.components(separatedBy: start).dropFirst().joined(separator: start)
      let rest = start.isEmpty ? found : tail
      let stop = after.components(separatedBy: "…").first ?? ""
      let word = rest.prefix { !$0.isWhitespace && !stop.hasPrefix(String($0)) && $0 != "'" }
      guard !word.isEmpty else { continue }
      know(sample, as: String(word))
      return
    }
  }
}

extension String {
  /// The parts between the occurrences of a text.
  fileprivate func components(separatedBy separator: String) -> [String] {
    guard !separator.isEmpty else { return [self] }
    var parts: [String] = []
    var rest = self[...]
    while let place = rest.firstRange(of: separator) {
      parts.append(String(rest[..<place.lowerBound]))
      rest = rest[place.upperBound...]
    }
    return parts + [String(rest)]
  }
}
