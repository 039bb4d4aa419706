extension AirportReference {
  /// The codes that stand for a city with several airports, ascending.
  ///
  /// Some are an airport's code too: `DXB` is Dubai and Dubai's older airport, `LON` only London.
  public var cityCodes: [String] { cities.map(\.code) }

  /// Whether a code stands for a city; the case of ASCII letters does not matter.
  public func isCityCode(_ code: String) -> Bool { members(code) != nil }

  /// Whether a code stands for a city and for no airport.
  public func isOnlyCityCode(_ code: String) -> Bool {
    isCityCode(code) && airport(iata: code) == nil
  }

  /// The airports of a city by its code, ascending by IATA code; empty if it is no city code.
  public func airports(inCity code: String) -> [Airport] {
    (members(code) ?? []).compactMap { airport(iata: $0) }
  }

  private func members(_ code: String) -> [String]? {
    let wanted = code.utf8.map(\.uppercasedASCII)
    return cities.first { $0.code.utf8.elementsEqual(wanted) }?.airports
  }

  private var cities: [(code: String, airports: [String])] {
    guard let section = try? table?.section(ReferenceLayout.cities) else { return [] }
    return section.lineEnds.indices.compactMap { line in
      guard let fields = section.fields(line), fields.count == 2 else { return nil }
      return (
        section.text(fields[0]), section.text(fields[1]).split(separator: " ").map(String.init)
      )
    }
  }
}
