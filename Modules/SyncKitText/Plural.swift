/// A number with the noun that goes with it: `1 change`, `2 changes`, `0 entries`.
package struct Plural: CustomStringConvertible {
  private let count: Int
  private let one: String
  private let many: String?

  /// Counts things.
  ///
  /// - Parameters:
  ///   - count: How many there are.
  ///   - one: What one is called.
  ///   - many: What several are called; nil for the word with an `s`.
  package init(_ count: Int, _ one: String, _ many: String? = nil) {
    self.count = count
    self.one = one
    self.many = many
  }

  package var description: String { "\(count) \(count == 1 ? one : many ?? one + "s")" }
}
