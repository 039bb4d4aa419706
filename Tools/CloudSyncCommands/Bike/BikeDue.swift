import ArgumentParser
import BikeService
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync bike due`.
struct BikeDue: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "due", abstract: "List the services that are due, the most urgent first.",
    discussion: examples(
      "cloudsync bike due", "cloudsync bike due --bike \"Trail bike\" --json",
      "cloudsync bike due --notify",
      after: """
        A service is due soon when nine tenths of its interval are used. Intervals of a bike that \
        is not here or was deleted are listed as well; those of a retired bike are not. Rides do not \
        sync: a device without any has no status for what they wear out. With --notify it prints \
        only overdue services that have reminders turned on, each at most once in seven days, and \
        marks them as reminded, on every device.
        """))

  @Option(help: ArgumentHelp("Only this bike, by id or name.", valueName: "bike"))
  var bike: String?
  @Flag(help: "Print the reminders that are due now, and mark them as given.")
  var notify = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let garage = try session.garage()
    let now = session.environment.now()
    var services = garage.dueServices(now: now)
    if let bike {
      let wanted = try garage.bike(named: bike).id
      services = services.filter { $0.bike.id == wanted }
    }
    if notify { services = try mark(services, session, now: now) }
    context.print(report(services, try session.units, rides: garage.worn.count))
    if garage.intervals.isEmpty {
      context.note("there are no intervals; 'cloudsync bike defaults BIKE' adds the usual ones")
    } else if garage.worn.isEmpty, !notify {
      context.note(Garage.noRides)
    }
  }

  /// The reminders of this run, each marked in the transaction that finds it unmarked.
  private func mark(
    _ services: [DueService], _ session: Session, now: Int64
  ) throws -> [DueService] {
    let candidates = services.filter {
      $0.status == .overdue && !$0.interval.isOrphan && $0.interval.mayNotify(now: now)
    }
    guard !candidates.isEmpty else { return [] }
    return try session.bikes().write { transaction in
      // The time within the transaction: an earlier one may precede the mark of another process.
      let now = session.environment.now()
      return try candidates.filter { try transaction.markNotified($0.interval.key, now: now) }
    }.result
  }

  private func report(
    _ services: [DueService], _ units: UnitSystem, rides: Int
  ) -> Report {
    let columns = [
      ReportTable.Column("used", numeric: true), ReportTable.Column(""),
      ReportTable.Column("status"),
      ReportTable.Column("part"), ReportTable.Column("bike", flexible: true),
      ReportTable.Column("of"),
      ReportTable.Column("left", numeric: true), ReportTable.Column("due"),
      ReportTable.Column("id"),
    ]
    let rows = services.map { service -> [ReportTable.Cell] in
      let use = service.foremost
      let style = service.status.style
      let part = service.component.map { "\(service.interval.part) (\($0))" }
      return [
        ReportTable.Cell(
          service.status == .unknown ? "?" : "\(Amount.number(service.share * 100, digits: 0)) %",
          raw: "\(Amount.number(service.share * 100, digits: 0)) %", style: style),
        ReportTable.Cell(WearBar.text(service.share, columns: 10), raw: "", style: style),
        ReportTable.Cell(service.status.shown, raw: service.status.rawValue, style: style),
        ReportTable.Cell(part ?? service.interval.part), ReportTable.Cell(service.bike.shown),
        ReportTable.Cell(Amount.text(use.limit.amount, use.limit.measure, units: units)),
        ReportTable.Cell(Amount.text(use.remaining, use.limit.measure, units: units)),
        service.dueDate.map {
          let whole = Timestamp.format(milliseconds: $0)
          return ReportTable.Cell(String(whole.prefix(10)), raw: whole)
        } ?? "",
        ReportTable.Cell(service.interval.key.id.text),
      ]
    }
    return Report(
      "cloudsync.bike.due/1",
      ["services": .array(services.map(\.json)), "rides": .int(Int64(rides))], records: "services",
      table: ReportTable(columns, rows: rows))
  }
}

/// A bar for the share that is used.
enum WearBar {
  /// The bar, full at 1 and beyond.
  static func text(_ share: Double, columns: Int) -> String {
    let full = Int((min(1, max(0, share)) * Double(columns)).rounded())
    return String(repeating: "█", count: full) + String(repeating: "░", count: columns - full)
  }
}

extension DueService.Status {
  /// The status in words.
  var shown: String {
    switch self {
    case .good: "good"
    case .dueSoon: "due soon"
    case .overdue: "overdue"
    case .unknown: "no rides here"
    }
  }

  var style: TextStyle {
    switch self {
    case .good: .plain
    case .unknown: .dim
    case .dueSoon: .warning
    case .overdue: .bad
    }
  }
}

extension DueService {
  /// The service in documents.
  var json: JSON {
    let limits = uses.map { use -> JSON in
      [
        "measure": .string(use.limit.measure.rawValue), "amount": .double(use.limit.amount),
        "used": .double(use.used), "remaining": .double(use.remaining),
      ]
    }
    return [
      "interval": .string(interval.key.id.text), "part": .string(interval.part),
      "bike": .object([
        "id": .string(bike.id), "name": bike.name.map { .string($0) } ?? .null,
        "standing": .string(bike.standing.rawValue),
      ]),
      "component": component.map { .string($0) } ?? .null,
      "status": .string(status.rawValue), "share": .double(share), "limits": .array(limits),
      "lastServiceDate": interval.lastService.map {
        .string(Timestamp.format(milliseconds: $0))
      } ?? .null,
      "dueDate": dueDate.map { .string(Timestamp.format(milliseconds: $0)) } ?? .null,
      "notify": .bool(interval.notifies), "notificationId": .string(notificationID),
    ]
  }
}
