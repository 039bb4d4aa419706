import CommandFoundation
import SyncKitFormats
import SyncKit

/// A conflict with the domain it belongs to.
struct DomainConflict {
  var domain: any DomainRegistration.Type
  var conflict: Conflict

  /// The id of the parent, if several trees have a conflict of the same name.
  var parent: RecordID?

  /// The name of the conflict: `domain/collection/record/field`, the record as `PARENT/ID` where its id alone
  /// would name several.
  var id: String {
    let key = conflict.key
    let record = parent.map { "\($0)/\(key.id)" } ?? key.id.text
    return "\(domain.domain.name)/\(key.collection)/\(record)/\(conflict.field.field)"
  }

  var json: JSON {
    let key = conflict.key
    return [
      "id": .string(id),
      "domain": .string(domain.domain.name),
      "collection": .string(key.collection.text),
      "record": .string(key.id.text),
      "field": .string(conflict.field.field.text),
      "decision": .string(decision),
      "byWrongClock": .bool(conflict.isDecidedByWrongClock),
      "shown": conflict.shown.json,
      "values": .array(
        conflict.candidates.map { candidate in
          [
            "value": candidate.value.json,
            "device": .string(candidate.device.shown),
            "at": .string(Timestamp.format(milliseconds: candidate.at)),
            "mine": .bool(candidate.isMine),
            "overridden": .bool(candidate.isOverridden),
            "ahead": .bool(candidate.isAhead),
          ]
        }),
    ]
  }

  private var decision: String { conflict.needsDecision ? "needed" : "settled" }

  /// The document `cloudsync.conflicts/1` with a row for each conflict.
  static func report(_ conflicts: [DomainConflict]) -> Report {
    let columns = [
      ReportTable.Column("conflict"), ReportTable.Column("decision"),
      ReportTable.Column("shown", flexible: true), ReportTable.Column("others", flexible: true),
    ]
    let rows = conflicts.map { item -> [ReportTable.Cell] in
      let others = item.conflict.candidates.filter { $0.value != item.conflict.shown }
      return [
        ReportTable.Cell(item.id),
        ReportTable.Cell(
          item.conflict.isDecidedByWrongClock ? "\(item.decision) (wrong clock)" : item.decision,
          style: item.conflict.needsDecision ? .warning : .plain),
        ReportTable.Cell(item.conflict.shown),
        ReportTable.Cell(
          others.map { other in
            "\(other.value.brief) (\(other.device.shown)\(other.isOverridden ? ", overridden" : ""))"
          }.joined(separator: ", ")),
      ]
    }
    return Report(
      "cloudsync.conflicts/1", ["conflicts": .array(conflicts.map(\.json))],
      records: "conflicts", table: ReportTable(columns, rows: rows))
  }

  /// The same for one conflict, with a row for each value.
  var report: Report {
    var report = Self.report([self])
    let columns = [
      ReportTable.Column("value", flexible: true), ReportTable.Column("device"),
      ReportTable.Column("at"),
      ReportTable.Column("which"),
    ]
    report.table = ReportTable(
      columns,
      rows: conflict.candidates.map { candidate in
        let isShown = candidate.value == conflict.shown
        let marks = [
          candidate.isMine ? "mine" : nil, isShown ? "shown" : nil,
          candidate.isOverridden ? "overridden" : nil,
        ]
        return [
          ReportTable.Cell(candidate.value), ReportTable.Cell(candidate.device.shown),
          ReportTable.Cell(time: candidate.at, isAhead: candidate.isAhead),
          ReportTable.Cell(marks.compactMap(\.self).joined(separator: ", ")),
        ]
      })
    return report
  }
}

extension Session {
  /// The conflicts of domains, in the order of their records.
  func conflicts(_ domains: [String]) throws -> [DomainConflict] {
    try domains.flatMap { name in
      let registration = try DomainRegistry.registration(name)
      let store = try store(name)
      var found = try store.conflicts().map {
        DomainConflict(domain: registration, conflict: $0)
      }
      for twins in Dictionary(grouping: found.indices, by: { found[$0].id }).values
      where twins.count > 1 {
        for index in twins {
          let key = found[index].conflict.key
          found[index].parent = try store.records(key.collection, id: key.id)
            .first { $0.key == key }?.parent?.id
        }
      }
      return found
    }
  }

  /// The conflict with an id.
  ///
  /// - Throws: ``SyncError`` `record.not-found`, or `usage` if several trees have one.
  func conflict(_ id: String) throws -> DomainConflict {
    let name = id.split(separator: "/").first.map(String.init) ?? ""
    let known = DomainRegistry.names.contains(name) ? try conflicts([name]) : []
    let found = known.filter { $0.matches(id) }
    guard found.count <= 1 else {
      throw SyncError(
        .usage, "there are several conflicts '\(Sanitized.line(id))'",
        hint: "name one of \(found.map { Sanitized.line($0.id) }.joined(separator: ", "))")
    }
    if let found = found.first { return found }
    throw SyncError(
      .notFound, "there is no conflict '\(Sanitized.line(id))'",
      hint: NearestName.hint(for: id, among: known.map(\.id))
        ?? "'cloudsync conflicts list' shows all")
  }
}

extension DomainConflict {
  /// Whether a text is the id, with the record in any form that the domain accepts.
  fileprivate func matches(_ text: String) -> Bool {
    if text == id { return true }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[parts.count - 1] == conflict.field.field.text else {
      return false
    }
    let record = parts[2..<(parts.count - 1)].joined(separator: "/")
    let address = try? RecordAddress(record, in: domain.domain, collection: String(parts[1]))
    return address?.collection.name == conflict.key.collection && address?.id == conflict.key.id
  }
}
