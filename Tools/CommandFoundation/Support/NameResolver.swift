import SyncKit

/// Finds the one that a person means: by its id, the start of it, or its name.
///
/// An id counts before all else; its start from four characters on; a name whatever its case.
package struct NameResolver<Item> {
  /// What each is known by.
  package var id: (Item) -> String
  package var name: (Item) -> String
  /// Whether words of a name are enough, where a wrong guess does no harm.
  package var takesWords = false
  /// What they are called when there are several, such as `devices`.
  package var plural: String
  /// Where ids are to be seen, such as `cloudsync device list`.
  package var list: String

  package init(
    id: @escaping (Item) -> String, name: @escaping (Item) -> String, takesWords: Bool = false,
    plural: String, list: String
  ) {
    self.id = id
    self.name = name
    self.takesWords = takesWords
    self.plural = plural
    self.list = list
  }

  /// The one that is meant.
  ///
  /// - Throws: ``SyncError`` `record.not-found` with a sentence when there is none, `usage` when several are meant.
  package func one(
    _ text: String, of items: [Item], orElse missing: (String) -> String
  ) throws(SyncError) -> Item {
    if let exact = items.first(where: { id($0) == text }) { return exact }
    let wanted = text.lowercased()
    var matches = items.filter { item in
      name(item).lowercased() == wanted || text.utf8.count >= 4 && id(item).hasPrefix(text)
    }
    if matches.isEmpty, takesWords {
      let words = Self.words(text)
      matches = items.filter { !words.isEmpty && words.isSubset(of: Self.words(name($0))) }
    }
    let shown = Sanitized.line(text)
    guard let match = matches.first else {
      throw SyncError(.notFound, missing(shown), hint: "see '\(list)'")
    }
    guard matches.count == 1 else {
      throw SyncError(
        .usage, "several \(plural) are called '\(shown)'", hint: "use an id from '\(list)'")
    }
    return match
  }

  private static func words(_ text: String) -> Set<Substring> {
    Set(text.lowercased().split { !$0.isLetter && !$0.isNumber })
  }
}
