import ArgumentParser
import BikeService
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync bike calendar [FILE|-]`.
struct BikeCalendar: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "calendar",
    abstract: "Write when what is due as a calendar, for any app of that kind.",
    discussion: examples(
      "cloudsync bike calendar service.ics", "cloudsync bike calendar - --bike b1",
      after: """
        Days are reckoned from the pace of the last ninety days; what would never be due at that pace \
        is left out. Written again, the same event has the same name, so that calendars replace it.
        """))

  @Argument(help: "The file; - is standard output, as is none.", completion: .file())
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
      garage.dueServices(now: now).filter { wanted == nil || $0.bike.id == wanted })
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
