import SyncKit

/// What is special about an entry: that it has ended, is not certain, or says that there is nothing.
///
/// An entry without a status is a plain, current fact. The raw value is stored in the field `status`.
public enum EntryStatus: String, CaseIterable, Sendable {
  /// Over, as planned.
  case completed
  /// Ended before its end was planned.
  case stopped
  /// Ended, in a way that is not known.
  case ended
  /// No longer there, such as an allergy that was outgrown.
  case resolved
  /// Without signs for now.
  case remission
  /// No longer in force.
  case inactive
  /// Interrupted for now.
  case onHold = "on-hold"
  /// Replaced by a newer one.
  case superseded
  /// Assumed, and not yet confirmed.
  case unconfirmed
  /// Assumed until more is known.
  case provisional
  /// One of several possible diagnoses.
  case differential
  /// Probable enough to act on.
  case presumed
  /// Back after a time without it.
  case recurrence
  /// Worse again after an improvement.
  case relapse
  /// A first result, which may change.
  case preliminary
  /// Begun and not finished.
  case inProgress = "in-progress"
  /// A vaccination that was too weak to count.
  case subpotent
  /// The source does not know how things stand.
  case unknown
  /// The statement that nothing of the kind is known, such as "no known allergies".
  case noneKnown = "none-known"

  /// Finds one by its name or its words; nil for another text.
  public init?(named text: String) {
    let name = String(text.folded.map { $0 == " " || $0 == "_" ? "-" : $0 })
    self.init(rawValue: name)
  }

  /// The status for people, in front of further details.
  public var words: String {
    switch self {
    case .onHold: "on hold"
    case .inProgress: "in progress"
    case .differential: "one of several possible diagnoses"
    case .subpotent: "too weak to count"
    case .unknown: "status unknown"
    case .noneKnown: "none known"
    case .preliminary: "preliminary result"
    default: rawValue
    }
  }

  /// Whether an entry with this status is a fact of the past.
  public var isPast: Bool {
    switch self {
    case .completed, .stopped, .ended, .resolved, .remission, .inactive, .onHold, .superseded:
      true
    default: false
    }
  }
}

extension HealthEntry {
  /// The status; nil for a plain, current fact.
  public var status: EntryStatus? { record[.status].string.flatMap { EntryStatus(named: $0) } }

  /// Whether it has ended: by its status, or by the day of its end.
  public func hasEnded(at now: Int64) -> Bool {
    if let status, status.isPast { return true }
    guard let end = record[.until].string.flatMap({ HealthDate($0) }) else { return false }
    return end.start + end.length <= now
  }
}
