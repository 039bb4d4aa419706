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

  /// The airports of a city by its code, ascending by IATA code; empty if it is not a city code.
  public func airports(inCity code: String) -> [Airport] {
    (members(code) ?? []).compactMap { airport(iata: $0) }
  }

  private func members(_ code: String) -> [String]? {
    guard let section = citySection else { return nil }
    let wanted = code.utf8.map(\.uppercasedASCII)
    // Every import calls this for every row, so lines are compared before any is parsed.
    for line in section.lineEnds.indices {
      guard let range = section.line(line), section.bytes[range].starts(with: wanted),
        let fields = section.fields(line), fields.count == 2, fields[0].count == wanted.count
      else { continue }
      return airports(in: section, fields)
    }
    return nil
  }

  private var cities: [(code: String, airports: [String])] {
    guard let section = citySection else { return [] }
    return section.lineEnds.indices.compactMap { line in
      guard let fields = section.fields(line), fields.count == 2 else { return nil }
      return (section.text(fields[0]), airports(in: section, fields))
    }
  }

  private func airports(in section: ReferenceSection, _ fields: [Range<Int>]) -> [String] {
    section.text(fields[1]).split(separator: " ").map(String.init)
  }

  private var citySection: ReferenceSection? { try? table?.section(ReferenceLayout.cities) }
}
