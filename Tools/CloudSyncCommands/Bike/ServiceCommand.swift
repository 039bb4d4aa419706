import ArgumentParser
import BikeService
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync bike service PART`.
struct ServiceDone: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "service", abstract: "Record a service, and start its interval again.",
    discussion: examples(
      "cloudsync bike service chain --bike b1",
      "cloudsync bike service b1-brake_pads --date 2026-11-20 --cost 30 --currency EUR",
      "cloudsync bike service chain --bike b1 --no-reset --note \"a little noise\"",
      after: """
        An entry in the service log never changes. Of two dates the later one counts, on whatever \
        device it was entered; both entries stay in the log.
        """))

  @Argument(help: "The interval: its part, or its id.") var part: String
  @Option(help: ArgumentHelp("The bike, by id or name.", valueName: "bike"))
  var bike: String?
  @Option(
    help: ArgumentHelp(
      "When: a date, a local time or one with a zone, or how long ago; by default now.",
      valueName: "time")
  )
  var date: TimeArgument?
  @Option(help: ArgumentHelp("What was done.", valueName: "text"))
  var note: String?
  @Option(help: ArgumentHelp("The cost.", valueName: "amount"))
  var cost: Double?
  @Option(help: ArgumentHelp("The currency, such as EUR.", valueName: "code"))
  var currency: String?
  @Flag(help: "Only record it; do not start the interval again.")
  var noReset = false
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.bike.service/1", isRehearsal: change.dryRun) {
      let session = try Session(context)
      let garage = try session.garage()
      let now = session.environment.now()
      let interval = try garage.interval(
        named: part, bike: bike.map { try garage.bike(named: $0) })
      let time = date?.recorded(now: now) ?? now
      guard time <= now + 86_400_000 else {
        throw SyncError(
          .inputInvalid, "a service cannot have been done in the future",
          hint: "a future date would count instead of every service before it")
      }
      guard !interval.isOrphan else {
        throw SyncError(
          .notFound, "the bike of the interval is deleted",
          hint: "bring it back with 'cloudsync bike restore \(Sanitized.line(interval.bike))'")
      }
      let writer = try session.bikeWriter(isRehearsal: change.dryRun)
      return try writer.write { transaction in
        let line = try transaction.enter(
          ServiceEntry(
            date: time, isReset: !noReset, note: note, cost: cost, currency: currency,
            wear: noReset ? nil : garage.wear(since: interval, until: time)),
          for: interval.key)
        return [line, interval.key]
      }
    }
  }
}

extension Garage {
  /// The use of the part between its previous service and a time.
  fileprivate func wear(since interval: ServiceInterval, until time: Int64) -> Wear {
    if let component = interval.component {
      return wear(
        component: component, since: interval.lastService ?? .min, until: time,
        outdoorsOnly: interval.outdoorsOnly)
    }
    return wear(
      bike: interval.bike, from: interval.lastService ?? .min, to: time,
      outdoorsOnly: interval.outdoorsOnly)
  }
}

/// The command `cloudsync bike service-log`.
struct ServiceLog: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "service-log", abstract: "List services and what they cost, the newest first.",
    discussion: examples(
      "cloudsync bike service-log", "cloudsync bike service-log --bike b1 --json"))

  @Option(help: ArgumentHelp("Only this bike, by id or name.", valueName: "bike"))
  var bike: String?
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let store = try session.bikes()
    let garage = try session.garage()
    let wanted = try bike.map { try garage.bike(named: $0).id }
    var owners: [RecordKey: (bike: String, part: String)] = [:]
    for interval in garage.intervals { owners[interval.key] = (interval.bike, interval.part) }
    for component in garage.components.values {
      let home = component.record.parent.flatMap { $0.collection == "bike" ? $0.id.text : nil }
      owners[component.record.key] = (home ?? "", component.name)
    }
    let lines = try store.records("serviceRecord", includingDeleted: true)
      .filter { !$0.isDeleted || $0.isOrphan }
      .map { record -> Line in
        let owner = record.parent.flatMap { owners[$0] }
        let root = record.parent.flatMap { $0.collection == "bike" ? $0.id.text : nil }
        return Line(record: record, bike: owner?.bike ?? root ?? "", part: owner?.part ?? "")
      }
      .filter { wanted == nil || $0.bike == wanted }
      .sorted { ($0.date, $0.record.key.id) > ($1.date, $1.record.key.id) }
    context.print(report(lines, garage))
  }

  private struct Line {
    var record: Record
    var bike: String
    var part: String
    var date: Int64 { record["date"].instant ?? 0 }
  }

  private func report(_ lines: [Line], _ garage: Garage) -> Report {
    var totals: [String: Double] = [:]
    for line in lines {
      guard let cost = line.record["cost"].number else { continue }
      totals[line.record["currency"].string ?? "", default: 0] += cost
    }
    let documents = lines.map { line -> JSON in
      var document: JSONObject = [
        "id": .string(line.record.key.id.text), "bike": .string(line.bike),
        "part": .string(line.part),
        "date": .string(Timestamp.format(milliseconds: line.date)),
      ]
      for name in ["isReset", "note", "cost", "currency", "hours", "kilometres"] as [FieldName] {
        document[name.text] = line.record[name].json
      }
      return .object(document)
    }
    let columns = [
      ReportTable.Column("date"), ReportTable.Column("part"), ReportTable.Column("bike"),
      ReportTable.Column("reset"),
      ReportTable.Column("hours", numeric: true), ReportTable.Column("cost", numeric: true),
      ReportTable.Column("note", flexible: true),
    ]
    let rows = lines.map { line -> [ReportTable.Cell] in
      let whole = Timestamp.format(milliseconds: line.date)
      let cost = line.record["cost"].number.map { Amount.number($0, digits: 2) } ?? ""
      return [
        ReportTable.Cell(String(whole.prefix(10)), raw: whole), ReportTable.Cell(line.part),
        ReportTable.Cell(garage.bike(line.bike).shown),
        ReportTable.Cell(line.record["isReset"].bool == true ? "yes" : ""),
        ReportTable.Cell(line.record["hours"].number.map { Amount.number($0, digits: 1) } ?? ""),
        ReportTable.Cell("\(cost) \(line.record["currency"].string ?? "")".trimmed),
        ReportTable.Cell(line.record["note"].string ?? ""),
      ]
    }
    let sums = JSONObject(totals.sorted { $0.key < $1.key }.map { ($0.key, .double($0.value)) })
    return Report(
      "cloudsync.bike.service-log/1",
      ["records": .array(documents), "costs": .object(sums)], records: "records",
      table: ReportTable(columns, rows: rows))
  }
}

extension String {
  /// The text without blanks at its ends.
  fileprivate var trimmed: String {
    var text = self[...]
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

extension Value {
  /// The number, whole or not.
  fileprivate var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }
}
