import LocalMachine
import ArgumentParser
import BikeService
import SyncKitCharts
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync bike chart`.
struct BikeChart: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "chart", abstract: "Draw how far each bike was ridden in each month.",
    discussion: examples(
      "cloudsync bike chart", "cloudsync bike chart --months 24 --bike \"Trail bike\"",
      "cloudsync bike chart --svg months.svg"))

  @Option(help: ArgumentHelp("The number of months, up to this one.", valueName: "number"))
  var months = 12
  @Option(help: ArgumentHelp("Only this bike, by id or name.", valueName: "bike"))
  var bike: String?
  @Option(
    help: ArgumentHelp("Write a drawing to this file; - is standard output.", valueName: "file"),
    completion: .file(extensions: ["svg"]))
  var svg: String?
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    guard 1...1200 ~= months else { throw SyncError(.usage, "--months takes 1 to 1200") }
    let session = try Session(context)
    let garage = try session.garage()
    let wanted = try bike.map { try garage.bike(named: $0).id }
    var owners: [String: String] = [:]
    for bike in garage.bikes.values { for gear in bike.gears { owners[gear] = bike.id } }
    let end = session.environment.now() + Ride.leeway
    // A ride that a wrong clock has put into the future would be all that the months show.
    let rides = garage.worn.filter { ride in
      ride.start <= end && (wanted == nil || ride.gear.map { owners[$0] ?? $0 } == wanted)
    }
    let all = MonthlyDistance(rides, bike: { owners[$0] ?? $0 }) { start in
      // A day without a time is kept as its midnight in UTC.
      let isDay = start.isMultiple(of: 86_400_000)
      let text = isDay ? Timestamp.format(milliseconds: start) : LocalTime.text(start)
      return String(text.prefix(7))
    }
    let units = try session.units
    let report = report(all, garage, units)
    if garage.worn.isEmpty { context.note(Garage.noRides) }
    guard let svg else { return context.print(report) }
    let drawing = Array(chart(all, garage, units).svg().utf8)
    guard svg != "-" else { return context.terminal.output.write(bytes: drawing) }
    do throws(SystemError) { try LocalFile.replace(svg, with: drawing) } catch {
      throw SyncError(error)
    }
    if context.format != .table { context.print(report) }
    context.note("wrote \(Sanitized.line(svg))")
  }

  private func chart(
    _ distances: MonthlyDistance, _ garage: Garage, _ units: UnitSystem
  ) -> BarChart {
    let isOne = distances.kilometres.count == 1
    let shown = distances.months.indices.suffix(months)
    let bars = shown.flatMap { index in
      distances.kilometres.sorted { $0.key < $1.key }.compactMap { id, values -> BarChart.Bar? in
        guard values[index] > 0 || isOne else { return nil }
        let name = isOne ? "" : " \(garage.bike(id).shown)"
        return BarChart.Bar(
          "\(distances.months[index])\(name)",
          units.distance(kilometres: values[index]).rounded(), unit: units.distanceUnit)
      }
    }
    return BarChart(
      units == .metric ? "Kilometres by month" : "Miles by month", bars: bars)
  }

  private func report(
    _ distances: MonthlyDistance, _ garage: Garage, _ units: UnitSystem
  ) -> Report {
    let shown = distances.months.indices.suffix(months)
    let sorted = distances.kilometres.sorted { $0.key < $1.key }
    let bikes = sorted.map { id, values -> JSON in
      [
        "id": .string(id), "name": .string(garage.bike(id).shown),
        "kilometres": .array(shown.map { .double(values[$0]) }),
      ]
    }
    let rows = shown.flatMap { index in
      sorted.map { id, values -> [ReportTable.Cell] in
        [
          ReportTable.Cell(distances.months[index]), ReportTable.Cell(id),
          ReportTable.Cell(
            Amount.number(units.distance(kilometres: values[index]), digits: 1)),
        ]
      }
    }
    return Report(
      "cloudsync.bike.chart/1",
      [
        "months": .array(shown.map { .string(distances.months[$0]) }), "bikes": .array(bikes),
        "rides": .int(Int64(garage.worn.count)),
      ], records: "bikes",
      table: ReportTable(
        [
          ReportTable.Column("month"), ReportTable.Column("bike"),
          ReportTable.Column(units.distanceUnit, numeric: true),
        ],
        rows: rows),
      text: rows.isEmpty ? "" : chart(distances, garage, units).text(width: 80) + "\n")
  }
}
