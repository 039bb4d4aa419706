import CommandFoundation
import SyncKitFormats
import SyncKit

extension SyncRun {
  /// The run as `cloudsync.sync/1` and as a table.
  func report(_ jobs: [Job]) -> Report {
    var keys: JSONObject = ["jobs": .array(jobs.map { .object(document(of: $0)) })]
    if options.change.dryRun { keys["dryRun"] = true }
    if jobs.isEmpty { keys["reason"] = .string(idleness.rawValue) }
    // A column that is nearly always empty is shown when it is not.
    let hasUnsent = jobs.contains { $0.report.unsent > 0 }
    let columns =
      [
        ReportTable.Column("domain"), ReportTable.Column("remote"), ReportTable.Column("result"),
        ReportTable.Column("pushed", numeric: true), ReportTable.Column("pulled", numeric: true),
        ReportTable.Column("conflicts", numeric: true),
        ReportTable.Column("overridden", numeric: true),
        ReportTable.Column("waiting", numeric: true), ReportTable.Column("seconds", numeric: true),
      ] + (hasUnsent ? [ReportTable.Column("unsent", numeric: true)] : [])
    let rows = jobs.map { job -> [ReportTable.Cell] in
      [
        ReportTable.Cell(job.domain), ReportTable.Cell(job.remote),
        ReportTable.Cell(job.result, style: job.error == nil ? .good : .bad),
        ReportTable.Cell(job.report.pushed), ReportTable.Cell(job.report.pulled),
        ReportTable.Cell(job.report.conflicts), ReportTable.Cell(job.report.overridden),
        ReportTable.Cell(job.report.waiting),
        ReportTable.Cell(JSON.double((job.seconds * 1_000).rounded() / 1_000).text()),
      ] + (hasUnsent ? [ReportTable.Cell(job.report.unsent)] : [])
    }
    // Cron mails all output, so a good run without a terminal prints nothing.
    let isSilent =
      session.context.isQuiet
      || !session.context.terminal.isOutputTerminal && !options.change.dryRun
        && session.context.verbosity == 0 && jobs.allSatisfy { $0.error == nil }
    return Report(
      "cloudsync.sync/1", keys, records: "jobs", table: ReportTable(columns, rows: rows),
      text: isSilent ? "" : nil)
  }

  private func document(of job: Job) -> JSONObject {
    var document: JSONObject = [
      "domain": .string(job.domain),
      "remote": .string(job.remote),
      "result": .string(job.result),
      "pushed": .int(Int64(job.report.pushed)),
      "pulled": .int(Int64(job.report.pulled)),
      "conflicts": .int(Int64(job.report.conflicts)),
      "yielded": .int(Int64(job.report.overridden)),
      "waiting": .int(Int64(job.report.waiting)),
      "unsent": .int(Int64(job.report.unsent)),
      "forks": .int(Int64(job.report.forks)),
      "seconds": .double((job.seconds * 1_000_000).rounded() / 1_000_000),
    ]
    if !job.report.notes.isEmpty {
      document["notes"] = .array(job.report.notes.map { .string($0) })
    }
    if let reason = job.skipped { document["reason"] = .string(reason.rawValue) }
    if let error = job.error { document["error"] = ErrorReport.part(of: error) }
    return document
  }
}

extension SyncRun.Job {
  /// Says that edits of other devices have overridden edits of this one.
  ///
  /// That is no failure: both values are kept and the conflict is settled, so the exit status stays.
  func isOverridden(isDryRun: Bool = false) -> String {
    let verb = isDryRun ? "would be" : report.overridden == 1 ? "was" : "were"
    return "\(domain): \(report.overridden) of your edits \(verb) overridden by other devices; "
      + "'cloudsync conflicts list' shows both values"
  }

  /// How it went: ok, failed or skipped.
  var result: String { skipped != nil ? "skipped" : error == nil ? "ok" : "failed" }
}
