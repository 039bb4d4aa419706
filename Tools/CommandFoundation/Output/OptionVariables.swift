import SyncKit

/// The variables that stand in for global options.
package struct OptionVariables {
  package var environment: [String: String]

  package init(environment: [String: String]) {
    self.environment = environment
  }

  /// What an option says, else one of several words, nil when the variable is not set or empty.
  package func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ name: String, unless option: Choice?
  ) throws(SyncError) -> Choice? {
    if let option { return option }
    guard let text = value(name) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let names = Choice.allCases.map(\.rawValue)
      throw invalid(name, "one of \(names.joined(separator: ", "))", text, names)
    }
    return choice
  }

  /// Whether a variable says `true` or `1`; `false`, `0` and nothing say no.
  package func flag(_ name: String) throws(SyncError) -> Bool {
    switch value(name) {
    case nil, "false", "0": return false
    case "true", "1": return true
    case let text?: throw invalid(name, "true, false, 1 or 0", text, [])
    }
  }

  /// A number from 0 to 2.
  package func level(_ name: String) throws(SyncError) -> Int {
    guard let text = value(name) else { return 0 }
    guard let level = ConfigText.whole(text), 0...2 ~= level else {
      throw invalid(name, "0, 1 or 2", text, [])
    }
    return level
  }

  private func value(_ name: String) -> String? {
    environment[ConfigEnvironment.prefix + name].flatMap { $0.isEmpty ? nil : $0 }
  }

  private func invalid(
    _ name: String, _ expected: String, _ text: String, _ candidates: [String]
  ) -> SyncError {
    let variable = ConfigEnvironment.prefix + name
    return SyncError(
      .configInvalid, "\(variable): must be \(expected), not '\(Sanitized.line(text))'",
      hint: NearestName.hint(for: text, among: candidates))
  }
}
