public import SyncKit

/// The result of learning a pair of codes.
public enum LearningResult: Sendable {
  /// The pair is stored; `unchanged` if it was known as well before.
  case written(WriteOutcome, MappingCheck)
  /// Nothing was written.
  case refused(Refusal)

  /// Why nothing was written.
  public enum Refusal: Sendable {
    /// The reference contradicts the pair, or does not know the code.
    case doubtful(MappingCheck)
    /// The position does not match the airport.
    case position(CoordinateCheck)
    /// A person has said that this pair must not be learned.
    case rejected(MappingCheck)
    /// A person has removed the mapping of the code.
    case removed(MappingCheck)
    /// There is a mapping to another code, by a person or better founded.
    case kept(AirportMapping)
  }
}

extension LearningResult.Refusal: CustomStringConvertible {
  /// The reason in one or two sentences.
  public var description: String {
    switch self {
    case .doubtful(let check): "\(check)"
    case .position(let check): "\(check)"
    case .rejected(let check):
      "\(check.iata) as \(check.icao) was rejected, so it is not learned again."
    case .removed(let check): "The mapping of \(check.iata) was removed; only a person can add it."
    case .kept(let mapping):
      "\(mapping.iata) still maps to \(mapping.icao), which is \(mapping.foundation)."
    }
  }
}

extension AirportMapping {
  /// The evidence for the code, in words.
  fileprivate var foundation: String {
    verifiedByCoordinates ? "verified by coordinates" : source?.rawValue ?? "from a newer version"
  }
}
