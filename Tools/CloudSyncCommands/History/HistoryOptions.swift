import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The batches that a list of the history shows.
struct HistoryOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Only batches about this record.", valueName: "collection/id"))
  var record: String?
  @Option(help: ArgumentHelp("Only batches of the device with this name or id.", valueName: "name"))
  var device: String?
  @Option(
    help: ArgumentHelp(
      "Only batches since then: a date, a time, or how long ago, such as 7d.",
      valueName: "time"))
  var since: TimeArgument?
  @Option(help: ArgumentHelp("Maximum number, newest first; 0 for all.", valueName: "number"))
  var limit = 50
  @Option(
    help: ArgumentHelp(
      "With --json, at most this many changes of each batch.", valueName: "number"))
  var changes: Int?

  func validate() throws {
    guard limit >= 0 else { throw ValidationError("--limit must not be negative") }
    guard changes ?? 0 >= 0 else { throw ValidationError("--changes must not be negative") }
  }
}

/// The history of several domains as one list.
struct HistoryListing {
  let session: Session
  let options: HistoryOptions

  /// Prints the batches of domains, newest first.
  ///
  /// - Throws: ``SyncError`` `usage` for a collection that none of them has.
  func print(_ domains: [String]) throws {
    let since = options.since?.milliseconds(now: session.environment.now())
    var batches: [DomainBatch] = []
    var refusal: SyncError?
    var asked: [String] = []
    for name in domains {
      var filter = HistoryFilter()
      filter.device = options.device
      filter.since = since
      filter.limit = options.limit == 0 ? nil : options.limit
      if let record = options.record {
        do {
          let address = try RecordAddress(record, in: DomainRegistry.stored(name))
          filter.record = (address.collection.name, address.id)
        } catch let error as SyncError where error.code == .usage {
          refusal = error
          continue
        }
      }
      asked.append(name)
      batches += try session.store(name).history(filter).map {
        DomainBatch(domain: name, batch: $0)
      }
    }
    if asked.isEmpty, let refusal { throw refusal }
    batches.sort(by: DomainBatch.isNewer)
    if options.limit > 0 { batches = Array(batches.prefix(options.limit)) }
    let begins = try session.historyBegins(asked)
    let start = [since, begins].compactMap { $0 }.max()
    session.context.print(
      DomainBatch.report(
        batches, since: start, now: session.environment.now(), most: options.changes))
    if let begins, begins >= since ?? begins, session.context.format == .table,
      options.limit == 0 || batches.count < options.limit
    {
      session.context.note(
        "what was done before \(LocalTime.text(begins)) is not all kept here")
    }
  }
}
