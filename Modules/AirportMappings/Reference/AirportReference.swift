/// Public data about airports and their codes, embedded in the library.
///
/// The data is the release ``releaseDate`` of airportsdata (MIT licence, see
/// `Modules/AirportReferenceData`). It is reference, not truth: codes change hands, and a closed
/// airport may still be listed.
///
/// Nothing is read before the first query, which takes about a millisecond; parts are inflated
/// as they are needed and then kept. A reference never changes and may be used from any thread.
public final class AirportReference: Sendable {
  /// The embedded reference.
  ///
  /// Queries do not find damaged parts and raise no error; ``verify()`` does.
  public static let shared = AirportReference(embedded: .embedded)

  /// Nil only if the header of the embedded bytes is damaged.
  let table: ReferenceTable?

  private init(embedded source: ReferenceSource) {
    table = try? ReferenceTable(source)
  }

  /// Reads a reference from bytes in the format of `Tools/reference/build_airports.py`, all of it.
  ///
  /// - Throws: ``AirportReferenceError`` if the bytes are not a valid table.
  public init(bytes: [UInt8]) throws(AirportReferenceError) {
    let table = try ReferenceTable(.bytes(bytes))
    try table.verify()
    self.table = table
  }

  /// Reads everything and checks it against the checksum and the format; takes some 30 ms.
  ///
  /// - Throws: ``AirportReferenceError`` if anything is damaged.
  public func verify() throws(AirportReferenceError) {
    guard let table else { throw .notATable }
    try table.verify()
  }

  /// How many airports there are.
  public var count: Int { table?.layout.rowCount ?? 0 }

  /// The day of the source's release, such as `2026-09-05`; empty if there is no data.
  public var releaseDate: String {
    guard let release = table?.layout.release else { return "" }
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(release / 10_000)-\(digits(release / 100 % 100))-\(digits(release % 100))"
  }

  /// The airport that owns an IATA code; the case of ASCII letters does not matter.
  ///
  /// A city code finds the airport that has the same code, if there is one.
  public func airport(iata: String) -> Airport? {
    airport { codes in codes.row(iata: iata) }
  }

  /// The airport that owns an ICAO code; the case of ASCII letters does not matter.
  ///
  /// Local codes and the source's stand-ins for a missing code find nothing here; use
  /// ``airport(ident:)``.
  public func airport(icao: String) -> Airport? {
    airport(ident: icao).flatMap { $0.icao == nil ? nil : $0 }
  }

  /// The airport with a key of the reference: an ICAO code, a local code such as `CEB3`, or `_MLH`.
  public func airport(ident: String) -> Airport? {
    airport { codes in codes.row(ident: ident) }
  }

  /// Every airport, by ``Airport/ident``; builds them all, so look up single ones where you can.
  public var all: [Airport] {
    (0..<count).compactMap { row in try? table?.airport(row) }
  }

  private func airport(_ row: (ReferenceCodes) -> Int?) -> Airport? {
    guard let table, let codes = try? table.codes(), let row = row(codes) else { return nil }
    return try? table.airport(row)
  }
}
