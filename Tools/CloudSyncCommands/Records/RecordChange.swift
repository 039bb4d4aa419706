import CommandFoundation
import SyncKitFormats
import SyncKit

/// One change that a command made or would make to a record, in the form of the history.
struct RecordChange {
  var operation: HistoryBatch.Entry.Kind
  var record: String
  /// The field; nil for the whole record.
  var field: FieldName?
  var from: Value?
  var to: Value?

  init(
    _ operation: HistoryBatch.Entry.Kind, _ key: RecordKey, field: FieldName? = nil,
    from: Value? = nil, to: Value? = nil
  ) {
    self.operation = operation
    record = "\(key)"
    self.field = field
    self.from = from
    self.to = to
  }

  /// The changes from one state of a record to another; nil or deleted means that it does not exist.
  static func between(_ before: Record?, and after: Record) -> [RecordChange] {
    let old = before.flatMap { $0.isDeleted ? nil : $0 }
    let names = Set(after.fields.keys).union(old?.fields.keys ?? [:].keys)
    let changes = names.sorted().compactMap { name -> RecordChange? in
      let (from, to) = (old?.fields[name], after.fields[name])
      guard from != to else { return nil }
      return RecordChange(old == nil ? .create : .set, after.key, field: name, from: from, to: to)
    }
    return changes.isEmpty && old == nil ? [RecordChange(.create, after.key)] : changes
  }

  var json: JSON {
    [
      "op": .string(operation.documented.rawValue),
      "record": .string(record),
      "field": field.map { .string($0.text) } ?? .null,
      "from": from?.json ?? .null,
      "to": to?.json ?? .null,
    ]
  }

  static let columns = [
    ReportTable.Column("op"), ReportTable.Column("record"), ReportTable.Column("field"),
    ReportTable.Column("from", flexible: true), ReportTable.Column("to", flexible: true),
  ]

  var cells: [ReportTable.Cell] {
    [
      ReportTable.Cell(operation.phrase, raw: operation.documented.rawValue),
      ReportTable.Cell(record),
      ReportTable.Cell(field?.text ?? ""), ReportTable.Cell(from ?? .null),
      ReportTable.Cell(to ?? .null),
    ]
  }
}

extension HistoryBatch.Entry.Kind {
  /// The name in documents: readers see an erasure as a deletion.
  var documented: Self { self == .erase ? .delete : self }

  /// The name for people.
  var phrase: String { self == .overridden ? "overridden" : documented.rawValue }
}
