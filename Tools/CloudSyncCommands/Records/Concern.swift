import CommandFoundation
import SyncKit

/// What a person should look at in something that was written all the same.
struct Concern {
  /// How much it matters.
  enum Weight {
    /// What is known speaks against it.
    case contradiction
    /// Nothing is known that speaks for it.
    case doubt
  }

  var message: String
  var weight = Weight.doubt

  /// The concern with its place in a file before it.
  func at(row: Int?) -> Concern {
    guard let row else { return self }
    return Concern(message: "row \(row): \(message)", weight: weight)
  }
}

extension [Concern] {
  /// The sentences, those about contradictions first, in their order otherwise.
  var messages: [String] {
    (filter { $0.weight == .contradiction } + filter { $0.weight != .contradiction }).map(\.message)
  }
}
