/// One airport as the reference describes it.
///
/// Text is as the source has it; ``city`` and ``subdivision`` are empty where the source has none.
public struct Airport: Hashable, Identifiable, Sendable {
  /// The reference's own key, four characters, unique; often a local code rather than an ICAO code.
  ///
  /// `_XXX` stands for an airport with the IATA code `XXX` and no code of four characters.
  public var ident: String
  /// The IATA code, three letters.
  public var iata: String?
  /// The national authority's code of the airport, the FAA's identifier in the United States.
  public var localCode: String?
  /// The name, mostly in English.
  public var name: String
  /// The town that the airport serves or is in.
  public var city: String
  /// The state, province or region.
  public var subdivision: String
  /// The country, ISO 3166-1 in two letters.
  public var country: String
  /// Height above sea level in feet.
  public var elevationFeet: Double
  /// Where the airport is.
  public var coordinate: Coordinate
  /// The IANA name of the time zone.
  public var timeZone: String

  /// Describes an airport; for tests and for references of one's own.
  public init(
    ident: String, iata: String? = nil, localCode: String? = nil, name: String = "",
    city: String = "", subdivision: String = "", country: String = "", elevationFeet: Double = 0,
    coordinate: Coordinate, timeZone: String = ""
  ) {
    self.ident = ident
    self.iata = iata
    self.localCode = localCode
    self.name = name
    self.city = city
    self.subdivision = subdivision
    self.country = country
    self.elevationFeet = elevationFeet
    self.coordinate = coordinate
    self.timeZone = timeZone
  }

  public var id: String { ident }

  /// The ICAO code: ``ident`` if it is four letters, nothing if it is a local code or none.
  public var icao: String? {
    ident.utf8.count == 4 && ident.utf8.allSatisfy { (0x41...0x5A).contains($0) } ? ident : nil
  }

  /// Degrees north of the equator.
  public var latitude: Double { coordinate.latitude }
  /// Degrees east of Greenwich.
  public var longitude: Double { coordinate.longitude }
}
