import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync <domain> show ID`.
struct RecordShow<D: DomainRegistration>: ContextCommand {
  static var configuration: CommandConfiguration {
    let name = D.commandPath
    return CommandConfiguration(
      commandName: "show", abstract: "Show one record.",
      discussion: examples(
        "cloudsync \(name) show \(D.example.id)", "cloudsync \(name) show \(D.example.id) --json"))
  }

  @Argument(help: "The record: ID, or collection/ID.", completion: recordCompletion(D.self))
  var id: String
  @Flag(help: "Show the record even if it is deleted.")
  var deleted = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let address = try RecordAddress(id, in: D.domain)
    let session = try Session(context)
    let store = try session.store(D.domain.name)
    let record =
      try deleted
      ? address.record(in: store) : address.liveRecord(in: store, command: D.commandPath)
    Self.show(record, address.collection, context, now: session.environment.now())
  }

  /// Prints a record, with rows of a domain's own behind its fields.
  static func show(
    _ record: Record, _ collection: RecordType, _ context: CommandContext, now: Int64,
    more: [[ReportTable.Cell]] = []
  ) {
    // A record has the same form everywhere; here it is not part of a list.
    let shown = D.json(record)
    var keys: JSONObject = ["record": shown]
    for (key, value) in shown.object?.members ?? [] { keys[key] = value }
    context.print(
      Report(
        "cloudsync.\(D.domain.name).show/1", keys,
        table: table(record, collection, now: now, more: more)))
  }

  private static func table(
    _ record: Record, _ collection: RecordType, now: Int64, more: [[ReportTable.Cell]]
  ) -> ReportTable {
    var rows: [[ReportTable.Cell]] = [["id", ReportTable.Cell("\(record.key)")]]
    if let parent = record.parent { rows.append(["parent", ReportTable.Cell("\(parent)")]) }
    for name in collection.fieldNames {
      guard let value = record.fields[name] else { continue }
      rows.append([ReportTable.Cell(name.text), ReportTable.Cell(value)])
    }
    let known = Set(collection.fieldNames)
    for (name, value) in record.fields.sorted(by: { $0.key < $1.key }) where !known.contains(name) {
      rows.append([ReportTable.Cell(name.text), ReportTable.Cell(value)])
    }
    for (name, json) in record.otherFields.members {
      let isField = collection.fields.contains { $0.name.text == name }
      let why = isField ? "of another type" : "no field here"
      rows.append([ReportTable.Cell("\(name) (\(why))"), ReportTable.Cell(json.text())])
    }
    rows += more
    rows += [
      ["created", ReportTable.Cell(written: record.created, now: now)],
      ["modified", ReportTable.Cell(written: record.modified, now: now)],
      ["device", ReportTable.Cell(record.device.shown)],
      ["scope", ReportTable.Cell(record.scope.rawValue)],
    ]
    if !record.conflicts.isEmpty {
      let names = record.conflicts.map(\.text).joined(separator: ", ")
      rows.append(["conflicts", ReportTable.Cell(names, style: .warning)])
    }
    if record.isDeleted { rows.append(["deleted", "true"]) }
    return ReportTable([ReportTable.Column("key"), ReportTable.Column("value")], rows: rows)
  }
}
