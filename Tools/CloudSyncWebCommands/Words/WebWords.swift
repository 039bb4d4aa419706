import PageTemplates

/// The words of the pages, by name, in the language of a browser.
struct WebWords: Sendable {
  private let wording: Wording

  init(_ language: PageLanguage) {
    wording = Wording(language, language == .german ? Self.german : Self.english)
  }

  var language: PageLanguage { wording.language }
  /// All of them, for templates.
  var all: [String: String] { wording.all }

  /// A word, with values in place of `{0}`, `{1}` and so on.
  subscript(name: String, values: String...) -> String { wording.text(name, values) }

  /// A word for a number of things: that under `NAME.one` for one, that under `NAME.many` for others.
  func count(_ name: String, _ number: Int) -> String { wording.count(name, number) }

  /// A whole number with its thousands apart.
  func number(_ number: Int) -> String { wording.number(number) }

  /// How long ago something was, by the milliseconds since.
  func ago(_ milliseconds: Int64) -> String { wording.ago(milliseconds) }

  /// A day for people.
  func day(_ year: Int, _ month: Int, _ day: Int) -> String {
    wording.day(year: Int64(year), month: Int64(month), day: Int64(day))
  }

  /// The name of a thing of the programs, such as a domain, a state or a field, for people.
  func name(_ name: String, of kind: String) -> String { all["\(kind).\(name)"] ?? name }
}
