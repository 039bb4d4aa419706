extension AirportReference {
  /// The airports nearest to a position, nearest first, equally far ones by ident.
  ///
  /// - Parameters:
  ///   - latitude: Degrees, north positive.
  ///   - longitude: Degrees, east positive.
  ///   - limit: The maximum number.
  ///   - kilometres: The maximum distance.
  ///   - withIATA: Whether to leave out airports without an IATA code.
  /// - Returns: Nothing if the position is not on Earth.
  public func nearest(
    latitude: Double, longitude: Double, limit: Int = 5, within kilometres: Double = .infinity,
    withIATA: Bool = false
  ) -> [AirportDistance] {
    let place = Coordinate(latitude: latitude, longitude: longitude)
    guard let table, place.isOnEarth, limit > 0 else { return [] }
    let wanted = withIATA ? rowsWithIATA(table) : nil
    // A degree of latitude is never shorter; comparing latitudes saves most of the trigonometry.
    let degrees = kilometres / (Coordinate.earthRadius * .pi / 180) + 1e-6
    var found: [(kilometres: Double, row: Int)] = []
    for block in 0..<table.layout.blockCount {
      guard let figures = try? table.figures(block) else { continue }
      let rows = table.layout.rows(block)
      for row in rows where wanted?[row] ?? true {
        let coordinate = figures.coordinate(row - rows.lowerBound)
        guard abs(coordinate.latitude - latitude) <= degrees else { continue }
        let distance = place.distance(to: coordinate)
        if distance <= kilometres { found.append((distance, row)) }
      }
    }
    found.sort { ($0.kilometres, $0.row) < ($1.kilometres, $1.row) }
    return found.prefix(limit).compactMap { kilometres, row in
      (try? table.airport(row)).map { AirportDistance(airport: $0, kilometres: kilometres) }
    }
  }

  private func rowsWithIATA(_ table: ReferenceTable) -> [Bool] {
    var rows = Array(repeating: false, count: table.layout.rowCount)
    if let codes = try? table.codes() {
      for row in codes.iataRows where rows.indices.contains(row) { rows[row] = true }
    }
    return rows
  }
}
