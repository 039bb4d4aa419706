import LocalMachine
import ArgumentParser
import BikeService
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync bike calendar [FILE|-]`.
struct BikeCalendar: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "calendar",
    abstract: "Write the services that are due as a calendar, for any calendar app.",
    discussion: examples(
      "cloudsync bike calendar service.ics", "cloudsync bike calendar - --bike b1",
      after: """
        Due days follow the pace of the last ninety days; services that would never be due at that \
        pace are left out. An event keeps its id, so that calendars replace it when the file is \
        written again.
        """))

  @Argument(help: "The file; - or no file is standard output.", completion: .file())
  var file: String = "-"
  @Option(help: ArgumentHelp("Only this bike, by id or name.", valueName: "bike"))
  var bike: String?
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let garage = try session.garage()
    let now = session.environment.now()
    let wanted = try bike.map { try garage.bike(named: $0).id }
    let events = ServiceCalendar.events(
      garage.dueServices(now: now).filter { wanted == nil || $0.bike.id == wanted },
      units: try session.units)
    let calendar = ICalendar(name: "Bike service", events: events, written: now)
    guard file != "-" else { return context.terminal.output.write(bytes: calendar.bytes) }
    do throws(SystemError) { try LocalFile.replace(file, with: calendar.bytes) } catch {
      throw SyncError(error)
    }
    context.print(
      Report(
        "cloudsync.bike.calendar/1",
        ["file": .string(file), "count": .int(Int64(events.count))], text: ""))
    context.note("wrote \(Plural(events.count, "event")) to \(Sanitized.line(file))")
  }
}
