/// Where the codes stand in a table without a header.
///
/// Of two columns they are the codes. Of more, they are the two whose codes the reference knows as
/// those of one airport in most rows.
struct CodeColumns {
  var iata: Int
  var icao: Int
  /// Whether there are other columns, so that the table is one of the world's airports.
  var isOfWorld: Bool

  /// Looks at some rows; nil if the columns cannot be found.
  init?(of rows: [[String]], _ reference: AirportReference) {
    guard let width = rows.first?.count, width >= 2 else { return nil }
    guard width > 2 else {
      // The ICAO code may come first.
      let isSwapped =
        rows.count { Self.isPair($0, icao: 0, iata: 1) }
        > rows.count { Self.isPair($0, icao: 1, iata: 0) }
      self.init(iata: isSwapped ? 1 : 0, icao: isSwapped ? 0 : 1, isOfWorld: false)
      return
    }
    var best = (count: 0, iata: 0, icao: 0)
    let columns = 0..<width
    for iata in columns {
      for icao in columns where icao != iata {
        let pairs = rows.filter { Self.isPair($0, icao: icao, iata: iata) }
        let known = pairs.count { row in
          reference.airport(iata: row[iata])?.icao == AirportCode.trimmed(row[icao]).asciiUppercased
        }
        if known > best.count, known * 2 > pairs.count { best = (known, iata, icao) }
      }
    }
    guard best.count > 0 else { return nil }
    self.init(iata: best.iata, icao: best.icao, isOfWorld: true)
  }

  private init(iata: Int, icao: Int, isOfWorld: Bool) {
    (self.iata, self.icao, self.isOfWorld) = (iata, icao, isOfWorld)
  }

  private static func isPair(_ row: [String], icao: Int, iata: Int) -> Bool {
    guard row.count > max(icao, iata) else { return false }
    return (try? AirportCode.iata(row[iata])) != nil && (try? AirportCode.icao(row[icao])) != nil
  }
}
