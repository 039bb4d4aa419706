import ArgumentParser
import BikeService
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync bike component tree`.
struct ComponentTree: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "tree", abstract: "Show each bike with its parts, and their parts.",
    discussion: examples(
      "cloudsync bike component tree", "cloudsync bike component tree --bike b1 --json",
      after: "A part keeps its distance when it moves to another wheel or bike."))

  @Option(help: ArgumentHelp("Only this bike, by id or name.", valueName: "bike"))
  var bike: String?
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let garage = try session.garage()
    let now = session.environment.now()
    let bikes =
      try bike.map { [try garage.bike(named: $0)] }
      ?? garage.bikes.values.sorted { $0.id < $1.id }
    var lines: [Line] = []
    for bike in bikes {
      let wear = garage.wear(bike: bike.id)
      lines.append(Line(depth: 0, id: bike.id, name: bike.shown, isMounted: true, wear: wear))
      add(to: &lines, on: "bike/\(bike.id)", depth: 1, garage, now)
    }
    context.print(report(lines, try session.units))
    if garage.worn.isEmpty { context.note(Garage.noRides) }
  }

  private struct Line {
    var depth: Int
    var id: String
    var name: String
    var isMounted: Bool
    var wear: Wear
  }

  /// Adds the parts of a record, sorted by name.
  private func add(
    to lines: inout [Line], on place: String, depth: Int, _ garage: Garage, _ now: Int64
  ) {
    guard depth < 20 else { return }
    let parts = garage.components.filter { $0.value.record.parent.map { "\($0)" } == place }
      .sorted { ($0.value.name, $0.key) < ($1.value.name, $1.key) }
    for (id, component) in parts {
      lines.append(
        Line(
          depth: depth, id: id, name: component.name,
          isMounted: garage.mountings.place(of: id, at: now) != nil,
          wear: garage.wear(component: id)))
      add(to: &lines, on: "component/\(id)", depth: depth + 1, garage, now)
    }
  }

  private func report(_ lines: [Line], _ units: UnitSystem) -> Report {
    let documents = lines.map { line -> JSON in
      [
        "depth": .int(Int64(line.depth)), "id": .string(line.id), "name": .string(line.name),
        "mounted": .bool(line.isMounted), "hours": .double(line.wear.hours),
        "kilometres": .double(line.wear.kilometres), "rides": .int(Int64(line.wear.rides)),
      ]
    }
    let columns = [
      ReportTable.Column("part", flexible: true),
      ReportTable.Column(units.distanceUnit, numeric: true),
      ReportTable.Column("hours", numeric: true), ReportTable.Column("rides", numeric: true),
      ReportTable.Column("id"),
    ]
    let rows = lines.map { line -> [ReportTable.Cell] in
      let name = line.isMounted ? line.name : "\(line.name) (not mounted)"
      return [
        ReportTable.Cell(
          String(repeating: "  ", count: line.depth) + name,
          style: line.depth == 0 ? .heading : line.isMounted ? .plain : .dim),
        ReportTable.Cell(
          Amount.number(units.distance(kilometres: line.wear.kilometres), digits: 0)),
        ReportTable.Cell(Amount.number(line.wear.hours, digits: 1)),
        ReportTable.Cell(line.wear.rides),
        ReportTable.Cell(line.id),
      ]
    }
    return Report(
      "cloudsync.bike.component-tree/1", ["parts": .array(documents)], records: "parts",
      table: ReportTable(columns, rows: rows))
  }
}
