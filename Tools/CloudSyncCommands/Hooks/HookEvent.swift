import CommandFoundation
import SyncKitFormats
import SyncKit

/// An event for a hook: `cloudsync.event/1`.
///
/// It has counts, names of domains and remotes, and codes of errors, but never content of a record.
struct HookEvent {
  var moment: Configuration.Hook.Moment
  /// The same for all events of a run.
  var run: String
  var at: Int64
  var device: Device
  /// The requested jobs of the configuration; empty for all.
  var names: [String]
  var jobs: [SyncRun.Job] = []
  var error: SyncError?
  var seconds = 0.0
  /// The domains without a successful sync for too long.
  var stale: [String] = []

  /// The exit status of the run; nil before its end.
  var exit: Int32? {
    switch moment {
    case .before, .start: nil
    default: error?.code.exit ?? 0
    }
  }

  var document: JSONObject {
    var document: JSONObject = [
      "schema": "cloudsync.event/1", "event": .string(moment.rawValue), "run": .string(run),
      "at": .string(Timestamp.format(milliseconds: at)),
      "device": ["id": .string(device.id), "name": .string(device.name)],
      "names": .array(names.map { .string($0) }),
    ]
    if let exit { document["exit"] = .int(Int64(exit)) }
    guard exit != nil else { return document }
    document["seconds"] = .double((seconds * 1_000).rounded() / 1_000)
    document["jobs"] = .array(
      jobs.map { job in
        var entry: JSONObject = [
          "domain": .string(job.domain), "remote": .string(job.remote),
          "result": .string(job.result), "pushed": .int(Int64(job.report.pushed)),
          "pulled": .int(Int64(job.report.pulled)), "conflicts": .int(Int64(job.report.conflicts)),
        ]
        if let error = job.error { entry["error"] = .string(error.code.name) }
        return .object(entry)
      })
    document["stale"] = .array(stale.map { .string($0) })
    document["error"] = error.map { .string($0.code.name) } ?? .null
    return document
  }

  /// The event in one line for people.
  var title: String {
    switch moment {
    case .before, .start: "cloudsync on \(device.name) is starting"
    case .success, .after: "cloudsync on \(device.name) is in step"
    case .failure: "cloudsync on \(device.name) failed"
    case .recovery: "cloudsync on \(device.name) works again"
    case .conflict: "cloudsync on \(device.name) has a conflict"
    case .stale: "cloudsync on \(device.name) is out of step"
    }
  }

  /// The details, without content of records.
  var text: String {
    switch moment {
    case .stale: "No successful sync for too long: \(stale.joined(separator: ", "))."
    case .conflict: "A conflict needs a decision; see 'cloudsync conflicts list'."
    default:
      jobs.map { job in
        let what = job.error?.code.name ?? "sent \(job.report.pushed), got \(job.report.pulled)"
        return "\(job.domain) with \(job.remote): \(what)"
      }.joined(separator: "\n")
    }
  }
}
