import ArgumentParser
import BikeService
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync bike ride import FILE|FOLDER`.
struct RideImportCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Read rides from a Strava export, or from recordings.",
    discussion: examples(
      "cloudsync bike ride import export_12345.zip",
      "cloudsync bike ride import ~/rides --bike b1",
      "cloudsync bike ride import morning.fit.gz --bike \"Trail bike\" --dry-run",
      after: """
        Reads Strava's bulk export, as a ZIP or unpacked; FIT, GPX and TCX, also compressed with \
        gzip, one file or a folder of them; and the app's own data as JSON. Reading the same again \
        changes nothing. If any row is bad, nothing is written: all bad rows are listed, and the \
        exit status is 65. With --skip-bad the good rows are written, and the exit status is 3. An \
        import is one batch; 'cloudsync undo' takes it back.

        Of a damaged recording, what is whole is read, with a warning. Other sports, types that are \
        not known and files that are no recordings are left out and counted. A recording of a ride \
        that is known already is the same ride, unless --bike names another bike than the ride has: \
        then two went out together.
        """))

  @Argument(help: "A file, a ZIP or a folder.", completion: .file()) var file: String
  @Option(
    help: ArgumentHelp("The bike of the recordings, by id or name.", valueName: "bike"))
  var bike: String?
  @Option(
    help: ArgumentHelp("The bike for a name in the export.", valueName: "name=bike"))
  var gear: [String] = []
  @Option(
    help: ArgumentHelp(
      "What a type in the files means, such as Radfahrt=Ride or Other=Ride.",
      valueName: "name=kind"))
  var type: [String] = []
  @Flag(help: "Take activities of an unknown or open type as rides.")
  var asRide = false
  @Option(
    help: ArgumentHelp(
      "The order of day, month and year in an export: d/m/y, m/d/y or y-m-d.",
      valueName: "order"))
  var dateFormat: String?
  @Flag(help: "Read distances as miles, in an old export that has no others.")
  var miles = false
  @Flag(help: "Leave bad rows out and write the others.")
  var skipBad = false
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.bike.ride-import/1", isRehearsal: change.dryRun) {
      let shown = Sanitized.line(file)
      if let wrong = WrongFile(
        RideFiles.sample(of: file), for: BikeRegistration.self, verb: "ride import")
      {
        throw wrong.error(shown)
      }
      let session = try Session(context)
      let (bikes, rides) = (try session.bikes(), try session.rides())
      let garage = try session.garage()
      var names = try GearNames(rides: rides, bikes: bikes)
      for choice in gear {
        guard let choice = FieldAssignment(choice) else {
          throw SyncError(
            .usage, "'\(Sanitized.line(choice))' names no bike", hint: "write --gear NAME=BIKE")
        }
        names.choose(choice.name, is: try garage.bike(named: choice.text).id)
      }
      let options = try options(session, garage)
      let line = ProgressLine(context)
      let found: RideImport
      do {
        found = try RideImport(RideFiles.files(at: file), names: names, options: options) { done in
          line.show("reading \(shown): \(Plural(done, "ride"))")
        }
      } catch let error as SyncError {
        line.clear()
        throw error
      }
      var check = DraftCheck(store: rides)
      let checked = try check.sorted(found.records)
      line.clear()
      let bad = BadRows(file: shown, isSkipping: skipBad, isRehearsal: change.dryRun)
      var refused = WriteResult()
      if change.dryRun { refused.kinds = ImportedKind.count(checked) }
      try bad.refuse(checked.faults, after: refused)
      return try bad.leaveOut(checked.faults, of: write(checked, found, session, line))
    }
  }

  private func options(_ session: Session, _ garage: Garage) throws -> RideImport.Options {
    var options = RideImport.Options()
    options.gear = try bike.map { try garage.bike(named: $0).id }
    options.usesMiles = miles
    options.takesUnknown = asRide
    options.now = session.environment.now()
    options.zone = { LocalTime.milliseconds(wall: $0) ?? $0 }
    options.bikes = BikeNames(try session.bikes().records("bike"))
    try session.rides().forEachRecord(in: "activity") { record in
      if let ride = Ride(record) { options.known.append(ride) }
    }
    for choice in type {
      guard let choice = FieldAssignment(choice) else {
        throw SyncError(
          .usage, "'\(Sanitized.line(choice))' names no type", hint: "write --type NAME=KIND")
      }
      guard SportType.meaning(of: choice.text) != .unknown else {
        throw SyncError(
          .usage, "'\(Sanitized.line(choice.text))' is not a known kind of activity",
          hint: "use Ride, MountainBikeRide, GravelRide, EBikeRide, EMountainBikeRide, VirtualRide,"
            + " or another sport such as Run")
      }
      options.setType(choice.name, to: choice.text)
    }
    if let dateFormat {
      guard let order = DateColumn.Order(pattern: dateFormat) else {
        throw SyncError(
          .usage, "'\(Sanitized.line(dateFormat))' is not an order of day, month and year",
          hint: "use d/m/y, m/d/y or y-m-d")
      }
      options.dateOrder = order
    }
    return options
  }

  private func write(
    _ checked: ImportedRecords, _ found: RideImport, _ session: Session, _ line: ProgressLine
  ) throws -> WriteResult {
    let corrections = try RideCorrections(session.rides())
    let drafts = checked.rows.map { corrections.kept($0.draft) }
    var result = try RecordWriter<StravaRegistration>(session, isRehearsal: change.dryRun)
      .save(drafts) { done in
        line.show("writing", done: done, of: drafts.count, .count("rides"))
      }
    line.clear()
    if change.dryRun {
      result.kinds = ImportedKind.count(checked, outcomes: result.outcomes, skippingBad: skipBad)
    }
    result.unchanged += found.doubles
    result.warnings += found.warnings
    if !found.garage.isEmpty {
      let (_, summary) = try session.bikes(isRehearsal: change.dryRun).write { transaction in
        for draft in found.garage { try transaction.save(draft) }
      }
      if let batch = summary.batch, !change.dryRun, summary.added > 0 {
        result.warnings.append(
          "\(Plural(summary.added, "bike or component was", "bikes and components were")) added in the"
            + " batch \(batch);"
            + " 'cloudsync bike defaults' gives them intervals")
      }
    }
    result.warnings += found.census.notes
    if !change.dryRun { try session.shareTotals() }
    return result
  }
}
