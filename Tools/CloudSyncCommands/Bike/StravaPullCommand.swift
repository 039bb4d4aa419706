import ArgumentParser
import BikeService
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync bike strava pull`.
struct StravaPullCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "pull", abstract: "Fetch new rides from Strava, and refresh recent ones.",
    discussion: examples(
      "cloudsync bike strava pull", "cloudsync bike strava pull --window 90d",
      "cloudsync bike strava pull --full",
      after: """
        Edits, deletions and late uploads are noticed within the window, 30 days by default, or \
        everywhere with --full. Each pull also looks at one page of older rides, a different one \
        each time. When Strava's request limit is reached, the rides fetched so far are kept, the \
        exit status is 75, and the next pull continues, a --full one as well.
        """))

  @Option(help: ArgumentHelp("How far back to refresh rides.", valueName: "duration"))
  var window = "30d"
  @Flag(help: "Fetch all rides again.") var full = false
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    guard let milliseconds = DurationText.parse(window), milliseconds >= 0 else {
      throw SyncError(.usage, "--window takes a duration such as 30d")
    }
    var options = StravaPull.Options()
    options.window = milliseconds
    options.isFull = full
    let session = try Session(context)
    let file = StravaProgressFile(session.directories)
    options.progress = file.load()
    options.now = session.environment.now()
    let pulled: Result<StravaPull, any Error>
    do { pulled = .success(try await pull(session, options)) } catch { pulled = .failure(error) }
    try context.write("cloudsync.bike.strava-pull/1", isRehearsal: change.dryRun) {
      let pull = try pulled.get()
      // What was fetched is written first: the progress must not run ahead of it.
      func keepProgress() { if !change.dryRun { try? file.save(pull.progress) } }
      do {
        let result = try write(pull, session)
        keepProgress()
        return result
      } catch let failure as WriteFailure {
        keepProgress()
        throw failure
      }
    }
    tellOfLastFull(try? pulled.get(), context, now: options.now)
  }

  /// A ride that was uploaded late, far back, is found by a look at all rides.
  private func tellOfLastFull(_ pull: StravaPull?, _ context: CommandContext, now: Int64) {
    guard let pull, pull.interruption == nil, let last = pull.progress.lastFull,
      now - last > 180 * 86_400_000
    else { return }
    let date = Timestamp.format(milliseconds: last).prefix(10)
    context.note("all rides were last looked through on \(date); --full does it again")
  }

  @MainActor private func pull(
    _ session: Session, _ options: StravaPull.Options
  ) async throws -> StravaPull {
    let account = try StravaAccount(session)
    let lock = try await StoreLock(session.stravaLock(), wait: .seconds(5))
    defer { lock.release() }
    let line = ProgressLine(session.context)
    defer { line.clear() }
    return try await StravaPull(
      account.client(), rides: session.rides(), bikes: session.bikes(), options: options
    ) { seen in line.show("\(seen) activities fetched from Strava") }
  }

  private func write(_ pull: StravaPull, _ session: Session) throws -> WriteResult {
    let rides = try session.rides(isRehearsal: change.dryRun)
    let (_, garage) = try session.bikes(isRehearsal: change.dryRun).write { transaction in
      for draft in pull.bikes { try transaction.save(draft) }
    }
    var result = WriteResult(try rides.write(pull), isRehearsed: change.dryRun)
    result.warnings = pull.warnings
    if !change.dryRun { try session.shareTotals() }
    if let batch = garage.batch, !change.dryRun {
      result.warnings.append(
        "\(Plural(garage.added, "bike was", "bikes were")) added and \(garage.changed) changed in the "
          + "batch \(batch)")
    }
    guard let interruption = pull.interruption else { return result }
    result.errors = [WriteResult.Fault(row: nil, message: interruption.message)]
    var error = interruption
    error.isSafe = result.batch == nil
    throw WriteFailure(result: result, error: error)
  }
}
