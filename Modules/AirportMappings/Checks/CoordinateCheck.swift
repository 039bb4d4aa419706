/// How well a position matches the airport that it is claimed to be.
///
/// The bands come from a comparison of two independent tables: of 5,077 airports in both, 99 % are
/// less than 2.2 km apart, while 48 pairs of airports lie closer to each other than 5 km.
public struct CoordinateCheck: Hashable, Sendable {
  /// The meaning of the distance.
  public enum Band: Hashable, Sendable {
    /// At most 5 km: it is this airport.
    case verified
    /// More than 5 km and at most 20 km: it may be a neighbour.
    case suspicious
    /// More than 20 km, or no position at all: it is not this airport.
    case rejected
  }

  /// The greatest distance that counts as verified.
  public static let verifiedKilometres = 5.0
  /// The greatest distance that is not rejected.
  public static let suspiciousKilometres = 20.0

  /// The airport that the position is claimed to be.
  public let airport: Airport
  /// The position, as it was claimed.
  public let claimed: Coordinate
  /// The distance from the claimed position to the airport; nil if the position is not on Earth.
  public let kilometres: Double?
  /// The meaning of the distance; a position of exactly 0/0 is rejected, as no one entered it.
  public let band: Band
  /// Whether the position is verified only with latitude and longitude swapped.
  public let isSwapped: Bool
  /// Unless verified: other airports with an IATA code within 20 km of the position, nearest first.
  public let neighbours: [AirportDistance]

  /// Compares a claimed position with an airport's.
  public init(
    _ claimed: Coordinate, for airport: Airport, reference: AirportReference = .shared
  ) {
    self.airport = airport
    self.claimed = claimed
    kilometres = claimed.isOnEarth ? claimed.distance(to: airport.coordinate) : nil
    band = Self.band(claimed, airport)
    isSwapped = band != .verified && Self.band(claimed.swapped, airport) == .verified
    neighbours =
      band == .verified
      ? []
      : reference.nearest(
        latitude: claimed.latitude, longitude: claimed.longitude, limit: 6,
        within: Self.suspiciousKilometres, withIATA: true
      ).filter { $0.airport.ident != airport.ident }
  }

  private static func band(_ claimed: Coordinate, _ airport: Airport) -> Band {
    guard claimed.isOnEarth, !claimed.isZero else { return .rejected }
    let distance = claimed.distance(to: airport.coordinate)
    if distance <= verifiedKilometres { return .verified }
    return distance <= suspiciousKilometres ? .suspicious : .rejected
  }
}

extension CoordinateCheck: CustomStringConvertible {
  /// The finding in one to three sentences.
  public var description: String {
    var sentences = [finding]
    if isSwapped { sentences.append("Latitude and longitude are the wrong way round.") }
    if !neighbours.isEmpty {
      let names = neighbours.map { neighbour in
        "\(neighbour.airport.iata ?? neighbour.airport.ident) (\(rounded(neighbour.kilometres)) km)"
      }
      sentences.append("Near it: \(names.joined(separator: ", ")).")
    }
    return sentences.joined(separator: " ")
  }

  private var finding: String {
    let name = "\(airport.iata ?? airport.ident), \(airport.name)"
    guard let kilometres else {
      return "\(claimed.latitude), \(claimed.longitude) is not a position on Earth."
    }
    if claimed.isZero { return "0, 0 means that no position was entered." }
    switch band {
    case .verified: return "The position matches \(name), \(rounded(kilometres)) km off."
    case .suspicious: return "The position is \(rounded(kilometres)) km from \(name)."
    case .rejected:
      return "The position does not match \(name), which is \(rounded(kilometres)) km away."
    }
  }

  /// Kilometres with one decimal below 100, else none.
  private func rounded(_ kilometres: Double) -> String {
    kilometres < 100 ? "\((kilometres * 10).rounded() / 10)" : "\(Int(kilometres.rounded()))"
  }
}
