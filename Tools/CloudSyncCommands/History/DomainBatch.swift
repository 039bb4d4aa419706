import CommandFoundation
import SyncKitFormats
import SyncKit

/// A batch of the history with the domain it belongs to.
struct DomainBatch {
  var domain: String
  var batch: HistoryBatch

  /// Newest first; two at the same time by domain and id.
  static func isNewer(_ left: DomainBatch, _ right: DomainBatch) -> Bool {
    if left.batch.at != right.batch.at { return left.batch.at > right.batch.at }
    return (left.domain, "\(left.batch.id)") < (right.domain, "\(right.batch.id)")
  }

  var changes: [RecordChange] { changes(of: batch.entries) }

  private func changes(of entries: [HistoryBatch.Entry]) -> [RecordChange] {
    entries.map { entry in
      RecordChange(entry.kind, entry.key, field: entry.field, from: entry.from, to: entry.to)
    }
  }

  private func json(now: Int64, most: Int?) -> JSON {
    let entries = most.map { Array(batch.entries.prefix($0)) } ?? batch.entries
    var document: JSONObject = [
      "id": .string("\(batch.id)"),
      "at": .string(Timestamp.format(milliseconds: batch.at)),
      "ahead": .bool(Stamp.isAhead(batch.at, of: now)),
      "device": .string(batch.device.shown),
      "domain": .string(domain),
      "changes": .array(changes(of: entries).map(\.json)),
      "complete": .bool(batch.isComplete),
    ]
    if most != nil { document["omitted"] = .int(Int64(batch.entries.count - entries.count)) }
    return .object(document)
  }

  /// The action, in a few words.
  var phrase: String {
    var records: [HistoryBatch.Entry.Kind: Set<RecordKey>] = [:]
    var last: HistoryBatch.Entry?
    // The fields of a record follow each other, and a batch may have a hundred thousand records.
    for entry in batch.entries where entry.kind != last?.kind || entry.key != last?.key {
      records[entry.kind.documented, default: []].insert(entry.key)
      last = entry
    }
    let given = batch.entries.filter { $0.kind == .overridden }.map {
      $0.to?.brief(besides: $0.from) ?? "nothing"
    }
    let kinds: [(HistoryBatch.Entry.Kind, String)] = [
      (.create, "created"), (.set, "changed"), (.delete, "deleted"), (.restore, "restored"),
      (.overridden, "overridden on"),
    ]
    let parts = kinds.compactMap { kind, verb -> String? in
      guard let keys = records[kind], let one = keys.first else { return nil }
      let value = kind == .overridden && given.count == 1 ? " (\(given[0]))" : ""
      return "\(verb) \(keys.count == 1 ? "\(one)\(value)" : "\(keys.count) records")"
    }
    return parts.joined(separator: ", ") + (batch.isComplete ? "" : " (incomplete)")
  }

  /// The document `cloudsync.history/1`; the history is complete from `since` on, and `now` is the time
  /// on the clock of this device.
  ///
  /// Of each batch it has at most `most` changes.
  static func report(
    _ batches: [DomainBatch], since: Int64?, now: Int64, most: Int? = nil
  ) -> Report {
    let columns = [
      ReportTable.Column("batch"), ReportTable.Column("at"), ReportTable.Column("device"),
      ReportTable.Column("domain"),
      ReportTable.Column("what", flexible: true),
    ]
    let rows = batches.map { item -> [ReportTable.Cell] in
      [
        ReportTable.Cell("\(item.batch.id)"), ReportTable.Cell(written: item.batch.at, now: now),
        ReportTable.Cell(item.batch.device.shown), ReportTable.Cell(item.domain),
        ReportTable.Cell(item.phrase),
      ]
    }
    return Report(
      "cloudsync.history/1",
      [
        "batches": .array(batches.map { $0.json(now: now, most: most) }),
        "since": since.map { .string(Timestamp.format(milliseconds: $0)) } ?? .null,
      ],
      records: "batches", table: ReportTable(columns, rows: rows))
  }
}

extension Session {
  /// The time from which the history of some domains is complete; nil if from the first change on.
  func historyBegins(_ domains: [String]) throws -> Int64? {
    try domains.compactMap { try store($0).historyBegins() }.max()
  }

  /// The batch of any domain whose id is a text or begins with it.
  ///
  /// - Throws: ``SyncError`` `record.not-found` if there is none, `usage` if there are several.
  func batch(_ text: String) throws -> DomainBatch {
    let wanted = text.lowercased()
    let isWhole = BatchID(wanted) != nil
    var found: [DomainBatch] = []
    for name in DomainRegistry.stores.map({ $0.name }) where !wanted.isEmpty {
      let store = try store(name)
      let batches =
        isWhole
        ? [try store.batch(wanted)].compactMap { $0 }
        : try store.history().filter { $0.id.description.hasPrefix(wanted) }
      found += batches.map { DomainBatch(domain: name, batch: $0) }
    }
    guard let first = found.first else {
      let begins = try historyBegins(DomainRegistry.stores.map { $0.name })
      let reach = begins.map { ", which begins \(LocalTime.text($0)) on this device" }
      throw SyncError(
        .notFound, "there is no batch '\(Sanitized.line(text))' in the history\(reach ?? "")",
        hint: "'cloudsync history list' shows the newest")
    }
    guard found.count == 1 else {
      let ids = found.prefix(5).map { "\($0.batch.id)" }.joined(separator: ", ")
      throw SyncError(
        .usage, "\(found.count) batches begin with '\(Sanitized.line(text))'",
        hint: "use more of the id: \(ids)\(found.count > 5 ? ", …" : "")")
    }
    return first
  }
}
