import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync <domain> stats`.
struct RecordStats<D: DomainRegistration>: ContextCommand {
  static var configuration: CommandConfiguration {
    let name = D.domain.name
    return CommandConfiguration(
      commandName: "stats", abstract: "Count the records.",
      discussion: examples("cloudsync \(name) stats", "cloudsync \(name) stats --json"))
  }

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let store = try session.store(D.domain.name)
    var count = RecordCount(counting: D.countedFields)
    for collection in D.domain.schema.collections {
      try store.forEachRecord(in: collection.name, includingDeleted: true) { count.add($0) }
    }
    let conflicts = try store.conflicts().count
    let runs = RunRates(session.directories).rate(D.domain.name)
    context.print(count.report(D.domain, conflicts: conflicts, runs: runs))
  }
}

/// The counts of records.
struct RecordCount {
  private struct Tally {
    var records = 0
    var deleted = 0
  }

  private let fields: [FieldName]
  private var collections: [CollectionName: Tally] = [:]
  private var devices: [DeviceName: Int] = [:]
  private var values: [FieldName: [String: Int]] = [:]
  private var created: ClosedRange<Int64>?
  private var modified: ClosedRange<Int64>?

  init(counting fields: [FieldName]) { self.fields = fields }

  mutating func add(_ record: Record) {
    guard !record.isDeleted else {
      collections[record.key.collection, default: Tally()].deleted += 1
      return
    }
    collections[record.key.collection, default: Tally()].records += 1
    devices[record.device, default: 0] += 1
    for name in fields {
      if let value = record.fields[name] { values[name, default: [:]][value.text, default: 0] += 1 }
    }
    created = Self.extend(created, by: record.created)
    modified = Self.extend(modified, by: record.modified)
  }

  private static func extend(_ range: ClosedRange<Int64>?, by time: Int64) -> ClosedRange<Int64> {
    guard let range else { return time...time }
    return min(range.lowerBound, time)...max(range.upperBound, time)
  }

  /// The document `cloudsync.<domain>.stats/1`.
  func report(
    _ domain: any SyncDomain, conflicts: Int, runs: RunRates.Rate
  ) -> Report {
    let tallies = domain.schema.collections.map { ($0.name, collections[$0.name] ?? Tally()) }
    let byDevice = devices.sorted { ($1.value, $0.key.id) < ($0.value, $1.key.id) }
    var counted = JSONObject()
    var rows: [[ReportTable.Cell]] = []
    for (name, tally) in tallies {
      rows.append(["collection", ReportTable.Cell(name.text), ReportTable.Cell(tally.records)])
      if tally.deleted > 0 {
        rows.append(["deleted", ReportTable.Cell(name.text), ReportTable.Cell(tally.deleted)])
      }
    }
    for name in fields {
      let sorted = (values[name] ?? [:]).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      counted[name.text] = .object(JSONObject(sorted.map { ($0.key, .int(Int64($0.value))) }))
      for (value, count) in sorted {
        rows.append([ReportTable.Cell(name.text), ReportTable.Cell(value), ReportTable.Cell(count)])
      }
    }
    for (device, count) in byDevice {
      rows.append(["device", ReportTable.Cell(device.shown), ReportTable.Cell(count)])
    }
    rows.append(["conflicts", "", ReportTable.Cell(conflicts)])
    if runs.runs > 0 {
      rows.append(["syncs", "succeeded", ReportTable.Cell(runs.succeeded)])
      rows.append(["syncs", "failed", ReportTable.Cell(runs.failed)])
    }
    return Report(
      "cloudsync.\(domain.name).stats/1",
      [
        "records": .int(Int64(tallies.reduce(0) { $0 + $1.1.records })),
        "deleted": .int(Int64(tallies.reduce(0) { $0 + $1.1.deleted })),
        "conflicts": .int(Int64(conflicts)), "runs": runs.document,
        "collections": .array(
          tallies.map { name, tally in
            [
              "name": .string(name.text), "records": .int(Int64(tally.records)),
              "deleted": .int(Int64(tally.deleted)),
            ]
          }),
        "devices": .array(
          byDevice.map { device, count in
            [
              "id": .string(device.id), "name": device.name.map { .string($0) } ?? .null,
              "records": .int(Int64(count)),
            ]
          }),
        "fields": .object(counted),
        "created": Self.json(created), "modified": Self.json(modified),
      ],
      table: ReportTable(
        [
          ReportTable.Column("what"), ReportTable.Column("which"),
          ReportTable.Column("count", numeric: true),
        ],
        rows: rows))
  }

  private static func json(_ range: ClosedRange<Int64>?) -> JSON {
    let text = { (time: Int64) in JSON.string(Timestamp.format(milliseconds: time)) }
    return [
      "first": range.map { text($0.lowerBound) } ?? .null,
      "last": range.map { text($0.upperBound) } ?? .null,
    ]
  }
}
