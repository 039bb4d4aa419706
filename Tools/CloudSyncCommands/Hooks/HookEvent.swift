import CommandFoundation
import SyncKitFormats
import SyncKit

/// What a hook is told: `cloudsync.event/1`.
///
/// It has counts, names of domains and remotes, and codes of errors; never anything of a record.
struct HookEvent {
  var moment: Configuration.Hook.Moment
  /// Of one run all events have the same.
  var run: String
  var at: Int64
  var device: Device
  /// The jobs of the configuration that were asked for; empty for everything.
  var names: [String]
  var jobs: [SyncRun.Job] = []
  var error: SyncError?
  var seconds = 0.0
  /// The domains without a good sync for too long.
  var stale: [String] = []

  /// The status with which the run ends; nil before it has.
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

  /// The same in a line for people.
  var title: String {
    switch moment {
    case .before, .start: "cloudsync on \(device.name) begins"
    case .success, .after: "cloudsync on \(device.name) is in step"
    case .failure: "cloudsync on \(device.name) failed"
    case .recovery: "cloudsync on \(device.name) works again"
    case .conflict: "cloudsync on \(device.name) has a conflict"
    case .stale: "cloudsync on \(device.name) is out of step"
    }
  }

  /// What there is to say of it, without content.
  var text: String {
    switch moment {
    case .stale: "No good sync for too long: \(stale.joined(separator: ", "))."
    case .conflict: "A conflict needs a decision; see 'cloudsync conflicts list'."
    default:
      jobs.map { job in
        let what = job.error?.code.name ?? "sent \(job.report.pushed), got \(job.report.pulled)"
        return "\(job.domain) with \(job.remote): \(what)"
      }.joined(separator: "\n")
    }
  }
}
