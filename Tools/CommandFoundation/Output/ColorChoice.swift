/// Whether a stream gets colour.
///
/// `--color`, then `CLOUDSYNC_COLOR`, then `NO_COLOR` with any value but none, then `CLICOLOR_FORCE`
/// and `FORCE_COLOR`, and only then whether it is a terminal that knows colours.
///
/// Source: [no-color.org](https://no-color.org), [bixense.com/clicolors](https://bixense.com/clicolors/).
package enum ColorChoice {
  package static func usesColor(
    option: When?, environment: [String: String], isTerminal: Bool
  ) -> Bool {
    switch option ?? environment["\(ConfigEnvironment.prefix)COLOR"].flatMap({ When(rawValue: $0) })
    {
    case .always: return true
    case .never: return false
    case .auto, nil: break
    }
    if says("NO_COLOR", environment) { return false }
    if forces("CLICOLOR_FORCE", environment) || forces("FORCE_COLOR", environment) { return true }
    return isTerminal && environment["TERM"] != "dumb" && environment["CLICOLOR"] != "0"
  }

  private static func says(_ name: String, _ environment: [String: String]) -> Bool {
    environment[name].map { !$0.isEmpty } ?? false
  }

  private static func forces(_ name: String, _ environment: [String: String]) -> Bool {
    says(name, environment) && environment[name] != "0"
  }
}

/// What a piece of text means, which decides its colour.
package enum TextStyle: Sendable {
  case plain, heading, dim, good, warning, bad

  fileprivate var code: String? {
    switch self {
    case .plain: nil
    case .heading: "1"
    case .dim: "2"
    case .good: "32"
    case .warning: "33"
    case .bad: "31"
    }
  }
}

/// Puts colour around text, or does not.
package struct Paint: Sendable {
  package var isOn: Bool

  package init(isOn: Bool) {
    self.isOn = isOn
  }

  package func callAsFunction(_ text: String, _ style: TextStyle) -> String {
    guard isOn, !text.isEmpty, let code = style.code else { return text }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}
