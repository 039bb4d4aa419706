import LocalMachine
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import HealthRecords
import SyncKit

/// The command `cloudsync health chart SUBJECT`.
struct HealthChartCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "chart", abstract: "Draw weights, blood pressures or other readings over time.",
    discussion: examples(
      "cloudsync health chart Anna", "cloudsync health chart Anna --of 'blood pressure'",
      "cloudsync health chart Anna --of 'Heart rate' --svg heart.svg --since 2025-01-01",
      after: """
        By default it draws the weight. It shows the measurements and no normal ranges. Only you \
        can read the file of a picture.
        """))

  @Argument(help: ArgumentHelp("A name, an id, or the start of one.", valueName: "subject"))
  var subject: String
  @Option(
    help: ArgumentHelp("weight, 'blood pressure', or the name of a reading.", valueName: "what"))
  var of = "weight"
  @Option(help: ArgumentHelp("Only from this time on.", valueName: "time"))
  var since: TimeArgument?
  @Option(
    help: ArgumentHelp("Write the chart as a picture.", valueName: "file"), completion: .file())
  var svg: String?
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let store = try Session(context).store(HealthRegistration.domain.name)
    let tree = try store.healthTree(store.healthSubject(subject))
    let chart = try HealthChart(
      tree, measure, since: since?.recorded(now: context.terminal.now()))
    if let svg {
      let bytes = Array(chart.svg.utf8)
      guard svg != "-" else { return context.terminal.output.write(bytes: bytes) }
      do throws(SystemError) { try LocalFile.replace(svg, with: bytes) } catch {
        throw SyncError(error)
      }
      return context.note("wrote \(svg)")
    }
    let text = chart.text(width: context.terminal.columns ?? 80)
    context.print(
      Report(
        "cloudsync.health.chart/1",
        [
          "subject": .string(tree.subject.record.key.id.text), "title": .string(chart.title),
          "unit": .string(chart.unit), "count": .int(Int64(chart.count)), "text": .string(text),
        ],
        table: ReportTable(
          [ReportTable.Column("chart")],
          rows: text.split(separator: "\n").map { [ReportTable.Cell(String($0))] }),
        text: text.hasSuffix("\n") ? text : text + "\n"))
  }

  private var measure: HealthChart.Measure {
    switch of.lowercased().filter({ $0 != " " && $0 != "-" }) {
    case "weight": .weight
    case "bloodpressure", "bp": .bloodPressure
    default: .reading(of)
    }
  }
}
