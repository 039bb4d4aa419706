/// The few options that matter before the command line is understood, or when it is not.
package struct RawOptions {
  /// Whether a JSON format is asked for.
  private(set) var wantsJSON: Bool
  /// What is said about colour, if anything sensible is.
  private(set) var color: When?

  /// Looks over the words up to `--`; of two that contradict one another the later counts.
  package init(_ words: [String], _ environment: [String: String]) {
    let formats = OutputFormat.allCases.filter(\.isJSON).map(\.rawValue)
    wantsJSON = environment["\(ConfigEnvironment.prefix)OUTPUT"].map(formats.contains) ?? false
    let words = Array(words.prefix { $0 != "--" })
    for (index, word) in words.enumerated() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let next = index + 1 < words.count ? words[index + 1] : ""
      let value = parts.count == 2 ? String(parts[1]) : next
      switch parts.first {
      case "--json": wantsJSON = true
      case "--plain": wantsJSON = false
      case "--output": wantsJSON = formats.contains(value)
      case "--color": color = When(rawValue: value)
      default: break
      }
    }
  }
}
