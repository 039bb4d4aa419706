import Mustache

/// Words for a template, by names with dots: `{{t.sync.now}}` is the word `sync.now`.
package struct WordTree: MustacheParent, MustacheCustomRenderable {
  private let words: [String: String]
  private let name: String

  /// The words by their whole names.
  package init(_ words: [String: String]) { self.init(words, name: "") }

  private init(_ words: [String: String], name: String) { (self.words, self.name) = (words, name) }

  package func child(named part: String) -> Any? {
    Self(words, name: name.isEmpty ? part : "\(name).\(part)")
  }

  /// The word; one that is missing shows its name.
  package var renderText: String { words[name] ?? name }
  package var isNull: Bool { false }
}
