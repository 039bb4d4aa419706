public import SyncKit

/// What an app does with its codes; several at once are one batch with ``SyncKit/SyncStore/write(_:)``.
extension SyncStore {
  /// Maps an IATA code to an ICAO code by hand, see ``SyncKit/WriteTransaction``.
  ///
  /// - Returns: What was written, and what the reference says about the pair.
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` if a code breaks its shape or is a city's.
  @discardableResult
  public func add(
    iata: String, icao: String
  ) throws -> (outcome: WriteOutcome, check: MappingCheck) {
    try write { try $0.add(iata: iata, icao: icao, reference: airports) }.result
  }

  /// Removes the mapping of an IATA code; it stays removed until a person adds it again.
  ///
  /// - Throws: ``SyncKit/SyncError`` `record.not-found` if there is none, `input.invalid` if the
  ///   code breaks its shape.
  public func remove(iata: String) throws { try write { try $0.remove(iata: iata) } }

  /// Takes over a pair of codes that the app came by, unless a person has decided otherwise.
  ///
  /// - Returns: What was written, or why nothing was.
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` if a code breaks its shape or is a city's.
  @discardableResult
  public func learn(
    iata: String, icao: String, at position: Coordinate? = nil, isGuess: Bool = false
  ) throws -> LearningResult {
    try write {
      try $0.learn(
        iata: iata, icao: icao, at: position, isGuess: isGuess, reference: airports)
    }.result
  }

  /// What an IATA or ICAO code stands for: the person's mapping, else what the reference says.
  ///
  /// A code of three letters is an IATA code, one of four an ICAO code or a local one such as `CEB3`.
  /// - Returns: The answer; nil if nobody knows the code.
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` if the text cannot be either.
  public func lookup(_ code: String) throws -> AirportLookup? {
    if let iata = try? AirportCode.iata(code) {
      if let mapping = try mapping(of: iata) {
        return AirportLookup(mapping, reference: airports)
      }
      return airports.airport(iata: iata).map { AirportLookup($0) }
    }
    let icao: String
    do { icao = try AirportCode.icao(code, allowingLocal: true) } catch {
      throw SyncError(.inputInvalid, "That is neither an IATA nor an ICAO code. \(error)")
    }
    if let mapping = try sortedMappings().first(where: { $0.icao == icao }) {
      return AirportLookup(mapping, reference: airports)
    }
    return airports.airport(ident: icao).map { AirportLookup($0) }
  }

  /// What the codes of a roster stand for, in the order in which they come first.
  ///
  /// Reads the mappings once, whatever the length of the roster, and writes nothing.
  public func resolve(_ roster: RosterReader) throws -> [CodeResolution] {
    let resolver = CodeResolver(try sortedMappings(), reference: airports)
    return roster.codes.map { resolver.resolve($0) }
  }

  /// The ICAO code of an IATA code: the person's, else the reference's; nil if nobody knows one.
  public func icao(for iata: String) throws -> String? {
    guard let iata = try? AirportCode.iata(iata) else { return nil }
    return try mapping(of: iata)?.icao ?? airports.airport(iata: iata)?.icao
  }

  /// All mappings by IATA code.
  public func sortedMappings() throws -> [AirportMapping] {
    try records(.mapping).compactMap { AirportMapping($0) }
  }

  private func mapping(of iata: String) throws -> AirportMapping? {
    let key = RecordKey(collection: .mapping, id: Name(iata))
    return try record(key).flatMap { AirportMapping($0) }
  }

  /// The reference that the store's domain compares with.
  private var airports: AirportReference { (domain as? AirportsDomain)?.reference ?? .shared }
}
