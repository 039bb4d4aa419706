import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync history show BATCH`.
struct HistoryShow: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one batch, change by change.",
    discussion: examples(
      "cloudsync history show 4f7k", "cloudsync history show 4f7kq2xw5a3mzn6r --json",
      after: "The start of an id is enough if it is unique."))

  @Argument(help: "The batch.", completion: batchCompletion) var batch: String
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let found = try session.batch(batch)
    let now = session.environment.now()
    var report = DomainBatch.report([found], since: nil, now: now)
    report.table = ReportTable(RecordChange.columns, rows: found.changes.map(\.cells))
    if context.format == .table {
      let at = ReportTable.Cell(written: found.batch.at, now: now).text
      context.note(
        "\(found.batch.id): \(at) on \(found.batch.device.shown), \(found.domain)"
          + (found.batch.isComplete ? "" : "; parts of it have not arrived yet"))
    }
    context.print(report)
  }
}

/// The ids of the newest batches.
let batchCompletion = CompletionKind.custom { words, _, prefix in
  guard let session = try? Session(completing: words) else { return [] }
  var filter = HistoryFilter()
  filter.limit = 200
  return session.enabledDomains.flatMap { name in
    (try? session.store(name).history(filter)) ?? []
  }.map { "\($0.id)" }.filter { $0.hasPrefix(prefix) }
}
