import CommandFoundation
import SyncKit

/// A warning about something that was written nevertheless.
struct Concern {
  /// How much it matters.
  enum Weight {
    /// Known facts contradict it.
    case contradiction
    /// No known fact supports it.
    case doubt
  }

  var message: String
  var weight = Weight.doubt

  /// The concern, prefixed with its place in a file.
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
