/// The verdict of the reference on a claim that an IATA code and an ICAO code are one airport's.
///
/// That an ICAO code exists proves nothing: `KPRS` is an airport in Texas, while `PRS` is in the
/// Solomon Islands and has `AGGP`. A claim is confirmed only by the airport that owns both codes.
public struct MappingCheck: Hashable, Sendable {
  /// The verdict of the reference.
  public enum Verdict: Hashable, Sendable {
    /// One airport owns both codes.
    case matches
    /// The airport with the IATA code has another ICAO code, or the ICAO code is elsewhere.
    case contradicts
    /// The reference knows no airport with the IATA code.
    case unknownIATA
    /// The IATA code is a city's and no airport's; these are the city's airports.
    case cityCode(airports: [Airport])
    /// The airport with the IATA code has no ICAO code, and nothing contradicts the claim.
    case noReferenceICAO
  }

  /// The action that a caller should take.
  public enum Standing: Hashable, Sendable {
    /// Accept it.
    case confirmed
    /// Accept it with a warning if a person insists; never learn it automatically.
    case doubtful
    /// Refuse it: it cannot be right.
    case rejected
  }

  /// The IATA code of the claim, normalised.
  public let iata: String
  /// The ICAO code of the claim, normalised.
  public let icao: String
  /// The verdict of the reference.
  public let verdict: Verdict
  /// The airport that owns the IATA code.
  public let airport: Airport?
  /// The airport that owns the ICAO code, if it is another one; it may have no IATA code.
  public let otherOwner: Airport?
  /// The day of the reference's release, since codes change and a newer source may know better.
  public let referenceDate: String

  /// Checks a claim.
  ///
  /// - Parameters:
  ///   - iata: As typed, see ``AirportCode``.
  ///   - icao: As typed.
  ///   - allowingLocal: Whether a local code such as `CEB3` may stand for the ICAO code.
  ///   - reference: The airports to check against.
  /// - Throws: ``AirportCodeProblem`` if either code breaks its shape.
  public init(
    iata: String, icao: String, allowingLocal: Bool = false,
    reference: AirportReference = .shared
  ) throws(AirportCodeProblem) {
    let iata = try AirportCode.iata(iata)
    let icao = try AirportCode.icao(icao, allowingLocal: allowingLocal)
    let airport = reference.airport(iata: iata)
    let owner = reference.airport(ident: icao)
    let otherOwner = owner?.ident == airport?.ident ? nil : owner
    if let airport {
      verdict = Self.verdict(on: icao, for: airport, otherOwner: otherOwner)
    } else if reference.isCityCode(iata) {
      verdict = .cityCode(airports: reference.airports(inCity: iata))
    } else {
      verdict = .unknownIATA
    }
    (self.iata, self.icao) = (iata, icao)
    (self.airport, self.otherOwner) = (airport, otherOwner)
    referenceDate = reference.releaseDate
  }

  private static func verdict(
    on icao: String, for airport: Airport, otherOwner: Airport?
  ) -> Verdict {
    if airport.ident == icao { return .matches }
    if airport.icao != nil { return .contradicts }
    // One airport may have two IATA codes and one ICAO code: MLH and BSL are both LFSB.
    let isElsewhere = otherOwner.map {
      airport.coordinate.distance(to: $0.coordinate) > CoordinateCheck.verifiedKilometres
    }
    return isElsewhere ?? false ? .contradicts : .noReferenceICAO
  }

  /// The action to take on the claim.
  public var standing: Standing {
    switch verdict {
    case .matches: .confirmed
    case .contradicts, .unknownIATA, .noReferenceICAO: .doubtful
    case .cityCode: .rejected
    }
  }
}

extension MappingCheck: CustomStringConvertible {
  /// The verdict in one or two sentences.
  public var description: String {
    let source = "The reference of \(referenceDate)"
    let name = airport?.name ?? ""
    let statement =
      switch verdict {
      case .matches:
        "\(source) confirms \(iata) as \(icao), \(name)."
      case .contradicts, .noReferenceICAO:
        if let right = airport?.icao {
          "\(source) has \(right) for \(iata) (\(name)), not \(icao)."
        } else {
          "\(source) has no ICAO code for \(iata) (\(name))."
        }
      case .unknownIATA:
        "\(source) knows no airport with the IATA code \(iata)."
      case .cityCode(let airports):
        Self.sentence(cityCode: iata, of: airports)
      }
    guard let otherOwner else { return statement }
    let owner = otherOwner.iata.map { "\($0), \(otherOwner.name)" } ?? otherOwner.name
    return "\(statement) \(icao) belongs to \(owner)."
  }

  /// Why the code of a city is refused.
  static func sentence(cityCode iata: String, of airports: [Airport]) -> String {
    "\(iata) is the code of a city, not of an airport; use one of "
      + airports.compactMap(\.iata).joined(separator: ", ") + "."
  }
}
