import CommandFoundation
import SyncKitFormats
import SyncKit

/// A column of a table of records.
public struct RecordColumn: Sendable {
  var column: ReportTable.Column
  var cell: @Sendable (Record) -> ReportTable.Cell

  init(
    _ header: String, numeric: Bool = false, flexible: Bool = false,
    _ cell: @escaping @Sendable (Record) -> ReportTable.Cell
  ) {
    column = ReportTable.Column(header, numeric: numeric, flexible: flexible)
    self.cell = cell
  }

  /// What a function makes of a record, under a header; numbers stand at the right.
  public static func text(
    _ header: String, isNumeric: Bool = false, _ text: @escaping @Sendable (Record) -> String
  ) -> Self {
    RecordColumn(header, numeric: isNumeric) { ReportTable.Cell(text($0)) }
  }

  /// A field's value.
  public static func field(
    _ name: FieldName, _ header: String? = nil, type: Field.ValueType = .string
  ) -> Self {
    RecordColumn(
      header ?? name.text, numeric: type == .int || type == .double, flexible: type == .string
    ) { record in
      let isConflicted = record.conflicts.contains(name)
      return ReportTable.Cell(record[name], style: isConflicted ? .warning : .plain)
    }
  }

  /// The record's id.
  public static func id(_ header: String = "id") -> Self {
    RecordColumn(header) { ReportTable.Cell($0.key.id.text, style: $0.isDeleted ? .dim : .plain) }
  }

  /// The scope of the record, see ``Record/badge``.
  public static let scope = RecordColumn("scope") { record in
    ReportTable.Cell(record.badge, style: record.scope == .local ? .dim : .good)
  }

  static let collection = RecordColumn("collection") { ReportTable.Cell($0.key.collection.text) }
  static let modified = RecordColumn("modified") { ReportTable.Cell(time: $0.modified) }
  static let device = RecordColumn("device") { ReportTable.Cell($0.device.shown) }
  static let deleted = RecordColumn("deleted") { ReportTable.Cell($0.isDeleted ? "true" : "") }
}

extension ReportTable.Cell {
  /// The time of a write, with a remark if it is in the future: some device's clock is wrong.
  init(written milliseconds: Int64, now: Int64) {
    self.init(time: milliseconds, isAhead: Stamp.isAhead(milliseconds, of: now))
  }

  /// The same if it is known whether the time is in the future.
  init(time milliseconds: Int64, isAhead: Bool) {
    self.init(time: milliseconds)
    guard isAhead else { return }
    text += " (clock ahead)"
    style = .warning
  }
}

extension ReportTable.Cell {
  /// A value: a group by its members for people, as JSON for programs.
  init(_ value: Value, style: TextStyle = .plain) {
    self.init(value.brief, raw: value.text, style: style)
  }
}

extension Value {
  /// The value in a line for people.
  var brief: String { brief(besides: nil) }

  /// A value that is not a group, for people: a time in the local zone, a day without one.
  ///
  /// A day is kept as its midnight in UTC, so that it is the same day on every device.
  private var plain: String {
    guard case .instant(let milliseconds) = self else { return text }
    return milliseconds.isMultiple(of: 86_400_000)
      ? String(text.prefix { $0 != "T" }) : LocalTime.text(milliseconds)
  }

  /// The same in few words: for a group, the members that `other` lacks or has with other values.
  func brief(besides other: Value?) -> String {
    guard case .map(let map) = self else { return plain }
    var members = map.members
    if case .map(let others) = other {
      members = members.filter { others[$0.name] != $0.value }
    }
    return (members.isEmpty ? map.members : members)
      .map { "\($0.name)=\($0.value.plain)" }.joined(separator: " ")
  }
}

extension DomainRegistration {
  /// The columns of a list of a collection: the domain's choice, or all fields.
  static func listColumns(of collection: RecordType) -> [RecordColumn] {
    let own =
      columns(of: collection)
      ?? [.id()]
      + collection.fieldNames.map { name in
        .field(name, type: collection.field(name)?.type ?? .any)
      }
    return own + [.modified, .device]
  }
}
