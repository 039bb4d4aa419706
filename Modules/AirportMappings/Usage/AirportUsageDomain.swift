public import SyncKit

/// How often codes are used on this device; private to it.
///
/// Opened as a local store beside the domain ``AirportsDomain``; it never leaves the device, in any
/// form. A record's id is the IATA code.
public struct AirportUsageDomain: SyncDomain {
  public let schema = DomainSchema(
    "airport-usage",
    [
      RecordType(
        .usage, placement: .local,
        fields: [Field(.count, .int), Field(.lastUsed, .instant)])
    ])

  /// Makes the domain.
  public init() {}

  /// Brings the id into the normal form of an IATA code.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid`.
  public func normalize(_ draft: inout RecordDraft) throws {
    draft.id = try RecordKey.mapping(iata: draft.id?.text ?? "").id
  }
}

/// A code with how often it was used here.
public struct AirportUse: Hashable, Sendable {
  /// The IATA code.
  public let iata: String
  /// The number of uses.
  public let count: Int64
  /// Milliseconds since 1970 of the last use.
  public let lastUsed: Int64
}

/// For a store of ``AirportUsageDomain``.
extension SyncStore {
  /// Counts uses of IATA codes; texts of another shape are skipped.
  ///
  /// - Parameters:
  ///   - uses: How often each code was used.
  ///   - time: Milliseconds since 1970.
  /// - Throws: ``SyncKit/SyncError`` as a write does.
  public func countUses(_ uses: [String: Int], at time: Int64) throws {
    guard !uses.isEmpty else { return }
    try write { transaction in
      for (code, count) in uses.sorted(by: { $0.key < $1.key }) {
        guard let iata = try? AirportCode.iata(code), count > 0 else { continue }
        let known = try transaction.record(
          RecordKey(zone: .local, collection: .usage, id: RecordID(iata)))
        let (sum, overflow) = (known?[.count].int ?? 0).addingReportingOverflow(Int64(count))
        try transaction.save(
          RecordDraft(
            .usage, id: RecordID(iata),
            fields: [.count: .int(overflow ? .max : sum), .lastUsed: .instant(time)]))
      }
    }
  }

  /// The codes that are used most, the most used first, equals by their last use.
  public func mostUsed(limit: Int = 100) throws -> [AirportUse] {
    let uses = try records(.usage).compactMap { record -> AirportUse? in
      guard !record.isDeleted, let count = record[.count].int else { return nil }
      return AirportUse(
        iata: record.key.id.text, count: count, lastUsed: record[.lastUsed].instant ?? 0)
    }
    return Array(
      uses.sorted { ($1.count, $1.lastUsed, $0.iata) < ($0.count, $0.lastUsed, $1.iata) }
        .prefix(max(0, limit)))
  }
}

extension CollectionName {
  static let usage: CollectionName = "usage"
}

extension FieldName {
  static let count: FieldName = "count"
}
