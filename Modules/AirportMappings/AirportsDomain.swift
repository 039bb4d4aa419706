public import SyncKit

/// The domain of airport codes: a person's mappings from IATA to ICAO codes.
///
/// A `mapping` is one record whose id is the IATA code in capitals, so that two devices that map the
/// same code write one record instead of two. The domain maintains what follows from the
/// codes:
///
/// - Codes are normalised by ``AirportCode``; a text of another shape, and the code of a city that is
///   not an airport's, are refused. A pair that the reference contradicts is not: ``MappingCheck``
///   reports it, and the caller decides.
/// - A new ICAO code starts with the provenance of an entry by hand; the evidence for the old code
///   does not pass to it. The same code again leaves the provenance as it is.
/// - `referenceDate` is set while the reference confirms the pair.
public struct AirportsDomain: ImportingDomain, ExportingDomain {
  /// The airports to compare pairs with.
  public let reference: AirportReference

  /// Makes the domain.
  public init(reference: AirportReference = .shared) { self.reference = reference }

  public var schema: DomainSchema { .airports }

  public func normalize(_ draft: inout RecordDraft) throws {
    do throws(MappingProblem) {
      switch draft.collection {
      case .mapping: try normalizeMapping(&draft)
      case .unknown: draft.id = RecordID(try MappingRules.iata(of: &draft))
      case .rejection: draft.id = try MappingRules.rejection(draft.id?.text ?? "")
      default: break
      }
    } catch {
      throw SyncError(error)
    }
  }

  public func complete(_ draft: inout RecordDraft, over record: Record?) throws {
    guard draft.collection == .mapping else { return }
    Self.keepEarliestCreation(&draft, over: record)
    if record == nil, draft.fields[.icao] == nil {
      throw SyncError(.inputInvalid, "A new mapping needs the field 'icao'.")
    }
    guard let icao = draft.fields[.icao]?.string, icao != record?[.icao].string else { return }
    let iata = draft.id?.text ?? ""
    for (name, value) in provenance(iata: iata, icao: icao, stated: draft.fields)
    where draft.fields[name] == nil {
      draft.fields[name] = value
    }
  }

  public func importRecords(_ bytes: [UInt8], format: String?) throws -> ImportedRecords? {
    try AirportImport(bytes, format: format, reference: reference)?.records()
  }

  /// Whether columns or keys of these names hold an IATA and an ICAO code.
  public static func namesCodes(_ names: [String]) -> Bool {
    guard let layout = try? AirportLayout(names) else { return false }
    return layout.iata != nil && !layout.icao.isEmpty
  }

  public func exportRecords(_ records: [Record], format: String) throws -> [UInt8]? {
    // These formats hold mappings only; other collections are left to the generic ones.
    guard records.allSatisfy({ $0.key.collection == .mapping }) else { return nil }
    return switch format {
    case "json": MappingExport.json(records)
    case "csv": MappingExport.csv(records)
    case "geojson": MappingExport.geoJSON(records, reference: reference)
    case "community": MappingExport.community(records)
    default: nil
    }
  }

  private func normalizeMapping(_ draft: inout RecordDraft) throws(MappingProblem) {
    let iata = try MappingRules.iata(of: &draft)
    if draft.isNew { try MappingRules.refuseCity(iata, reference) }
    draft.id = RecordID(iata)
    for (name, value) in draft.fields {
      draft.fields[name] = try MappingRules.normalized(value, of: name)
    }
  }

  /// The provenance of a new pair of codes, by the fields that the writer states.
  private func provenance(
    iata: String, icao: String, stated: [FieldName: Value]
  ) -> [(FieldName, Value)] {
    let isLearned = stated[.learnedAutomatically]?.bool ?? false
    let source = stated[.source]?.string ?? (isLearned ? MappingSource.learned : .manual).rawValue
    let isAutomatic = MappingSource(rawValue: source)?.isAutomatic ?? false
    let check = try? MappingCheck(iata: iata, icao: icao, reference: reference)
    return [
      (.source, .string(source)),
      (.learnedAutomatically, .bool(isAutomatic)),
      (.verifiedByCoordinates, false),
      (.referenceDate, check?.verdict == .matches ? .string(reference.releaseDate) : .null),
    ]
  }

  /// Drops a creation time that is not earlier than the record's own.
  ///
  /// The field is for sources that know an earlier one; without it the record's own creation counts.
  private static func keepEarliestCreation(_ draft: inout RecordDraft, over record: Record?) {
    guard let created = draft.fields[.created]?.instant else { return }
    let known = record.map { min($0.created, $0[.created].instant ?? .max) } ?? draft.at
    if let known, created >= known { draft.fields[.created] = nil }
  }
}
