import PageTemplates

/// The words of the pages of administration, the same names in each language.
enum AdminWords {
  static func of(_ language: PageLanguage) -> [String: String] {
    language == .german ? german : english
  }
}
