import CommandFoundation
import SyncKitFormats
import SyncKit

/// A compaction: every domain that is not paused, with each of its remotes; one document at the end.
struct CompactRun {
  let session: Session
  let options: CompactOptions

  init(_ session: Session, _ options: CompactOptions) {
    self.session = session
    self.options = options
  }

  /// Runs and prints the result.
  ///
  /// - Throws: ``SyncError`` of the failure.
  func perform(domains: [String]) async throws {
    try await session.enter()
    let plan = try SyncPlan(
      session.configuration, enabled: session.enabledDomains, jobs: [], domains: domains,
      remotes: options.remote)
    var sync = SyncRunOptions.usual
    sync.change = options.change
    var run = SyncRun(session, sync)
    run.isCompaction = true
    let jobs = await run.run(plan)
    run.log(jobs)
    session.context.print(report(jobs))
    if jobs.isEmpty { session.context.warn("nothing was compacted: \(run.idleness.message)") }
    for job in jobs {
      for note in job.report.notes { session.context.warn("\(job.remote): \(note)") }
    }
    try run.end(jobs)
  }

  private func report(_ jobs: [SyncRun.Job]) -> Report {
    let documents = jobs.map { job -> JSON in
      let done = job.report.compaction
      var document: JSONObject = [
        "domain": .string(job.domain), "remote": .string(job.remote),
        "result": .string(job.result),
        "merged": .int(Int64(done.merged)), "removed": .int(Int64(done.removed)),
        "snapshots": .int(Int64(done.snapshots)), "files": .int(Int64(done.files)),
        "bytes": .int(Int64(done.bytes)),
      ]
      if let reason = job.skipped { document["reason"] = .string(reason.rawValue) }
      if let error = job.error { document["error"] = ErrorReport.part(of: error) }
      return .object(document)
    }
    var keys: JSONObject = ["jobs": .array(documents)]
    if options.change.dryRun { keys["dryRun"] = true }
    let columns = [
      ReportTable.Column("domain"), ReportTable.Column("remote"), ReportTable.Column("result"),
      ReportTable.Column("merged", numeric: true),
      ReportTable.Column("removed", numeric: true), ReportTable.Column("snapshots", numeric: true),
      ReportTable.Column("files", numeric: true),
      ReportTable.Column("bytes", numeric: true),
    ]
    let rows = jobs.map { job -> [ReportTable.Cell] in
      let done = job.report.compaction
      return [
        ReportTable.Cell(job.domain), ReportTable.Cell(job.remote),
        ReportTable.Cell(job.result, style: job.error == nil ? .good : .bad),
        ReportTable.Cell(done.merged), ReportTable.Cell(done.removed),
        ReportTable.Cell(done.snapshots), ReportTable.Cell(done.files),
        ReportTable.Cell(done.bytes),
      ]
    }
    return Report(
      "cloudsync.compact/1", keys, records: "jobs", table: ReportTable(columns, rows: rows))
  }
}
