import CommandFoundation
import SyncKitFormats
import SyncKit

/// The findings of a verification: in the zones of each store, and on the remotes.
///
/// An unreadable store does not stop the check of the others.
struct Verification {
  private let asksRemotes: Bool
  private let isRepairing: Bool
  private var zones: [(domain: String, zone: ZoneVerification)] = []
  private var checks: [(domain: String, check: RemoteCheck)] = []
  private var repairs: [StoreRepair.Outcome] = []
  /// The number of known changes of a domain that are in no readable file on a remote.
  private var missing: [(domain: String, remote: String, count: Int)] = []
  /// The stores that could not be read completely, or not be repaired.
  private var failures: [(domain: String, error: SyncError)] = []

  init(asksRemotes: Bool, isRepairing: Bool) {
    self.asksRemotes = asksRemotes
    self.isRepairing = isRepairing
  }

  /// Reads a store and its remotes; repairs it first on request.
  mutating func look(at name: String, _ session: Session) async {
    do {
      if isRepairing, let repair = try await StoreRepair(session, name).run() {
        repairs.append(repair)
      }
      let store = try session.store(name)
      zones += try store.verify().map { (name, $0) }
      guard asksRemotes else { return }
      let engine = SyncEngine(store: store, remotes: try session.remotes(of: name))
      checks += await engine.check(repairing: isRepairing).map { (name, $0) }
      for remote in try store.status(remotes: session.remoteNames(of: name)).remotes {
        // An unreadable file there is reported by name.
        let named = checks.contains {
          $0.domain == name && $0.check.remote == remote.name && !$0.check.awaited.isEmpty
        }
        if remote.state.waiting > 0, !named {
          missing.append((name, remote.name, remote.state.waiting))
        }
      }
    } catch {
      failures.append((name, ErrorReport.described(error)))
    }
  }

  /// The error of the run: local damage first, damage on a remote last; nil if everything is sound.
  var error: SyncError? {
    let problems = zones.flatMap(\.zone.problems)
    if let first = problems.first {
      let more = problems.count > 1 ? " (and \(problems.count - 1) more)" : ""
      return SyncError(
        .storeDamaged, first + more,
        hint: "'cloudsync verify --repair' rebuilds the store and keeps the damaged one")
    }
    if let (_, error) = failures.first(where: { $0.error.code == .storeDamaged }) ?? failures.first
    {
      return error
    }
    if let error = checks.lazy.compactMap(\.check.error).first { return error }
    guard let (_, check) = checks.first(where: { !$0.check.damaged.isEmpty }) else { return nil }
    return SyncError(
      .formatDamaged,
      check.damaged.count == 1
        ? "The segment '\(check.damaged[0])' of '\(check.remote)' is damaged."
        : "\(check.damaged.count) segments of '\(check.remote)' are damaged, the first is "
          + "'\(check.damaged[0])'.",
      hint: isRepairing
        ? "Run 'cloudsync verify --remotes --repair' on the device that wrote them."
        : "'cloudsync verify --remotes --repair' uploads again what this device has, and removes from a "
          + "server what no device can read.")
  }

  /// The results of a repair on the remotes.
  var notes: [String] {
    checks.flatMap { domain, check in
      var notes: [String] = []
      if check.repaired > 0 {
        notes.append(
          "\(domain): repaired \(Plural(check.repaired, "segment")) on '\(check.remote)'")
      }
      if check.cleared > 0 {
        notes.append(
          "\(domain): removed \(Plural(check.cleared, "segment")) from '\(check.remote)' that no device"
            + " can read")
      }
      return notes
    }
  }

  /// Whether no remote was read.
  var hasMetNothing: Bool { checks.isEmpty }

  /// Findings that are not damage but worth a warning.
  var warnings: [String] {
    checks.flatMap(Self.warnings)
      + missing.map { domain, remote, count in
        "\(domain) with \(remote): \(Plural(count, "change has", "changes have")) not arrived yet"
      }
  }

  private static func warnings(_ domain: String, _ check: RemoteCheck) -> [String] {
    var warnings: [String] = []
    if let first = check.awaited.first {
      let more = check.awaited.count > 1 ? " and \(check.awaited.count - 1) more" : ""
      let verb = check.awaited.count > 1 ? "are" : "is"
      warnings.append(
        "\(check.remote): '\(first)'\(more) \(verb) not here yet and could not be read: the drive has not finished "
          + "syncing")
    }
    if let obstacle = check.obstacle {
      warnings.append(
        "\(domain) with \(check.remote): cannot write there: \(obstacle.sentence)")
    }
    return warnings
  }

  /// All of it as `cloudsync.verify/1` and as a table.
  var report: Report {
    var keys: JSONObject = ["zones": .array(zones.map(Self.document))]
    if isRepairing { keys["repairs"] = .array(repairs.map(Self.document)) }
    if !failures.isEmpty {
      keys["errors"] = .array(
        failures.map { ["domain": .string($0.domain), "error": ErrorReport.part(of: $0.error)] })
    }
    if asksRemotes {
      keys["remotes"] = .array(
        checks.map { domain, check in
          [
            "domain": .string(domain), "remote": .string(check.remote),
            "sound": .int(Int64(check.sound)), "repaired": .int(Int64(check.repaired)),
            "cleared": .int(Int64(check.cleared)),
            "damaged": .array(check.damaged.map { .string($0) }),
            "awaited": .array(check.awaited.map { .string($0) }),
            "missing": .int(
              Int64(missing.first { $0.domain == domain && $0.remote == check.remote }?.count ?? 0)),
            "error": check.error.map { ErrorReport.part(of: $0) } ?? .null,
          ]
        })
    }
    let columns = [
      ReportTable.Column("domain"), ReportTable.Column("zone"),
      ReportTable.Column("changes", numeric: true),
      ReportTable.Column("digest"), ReportTable.Column("problems", flexible: true),
    ]
    let unread = failures.map { domain, error in
      [ReportTable.Cell(domain), "", "", "", ReportTable.Cell(error.message, style: .bad)]
    }
    return Report(
      "cloudsync.verify/1", keys, records: "zones",
      table: ReportTable(columns, rows: zones.map(Self.row) + unread))
  }

  private static func document(_ domain: String, _ zone: ZoneVerification) -> JSON {
    var vector = JSONObject()
    for (replica, seq) in zone.vector { vector[replica.description] = .int(Int64(clamping: seq)) }
    return [
      "domain": .string(domain), "zone": .string(zone.zone.text), "vector": .object(vector),
      "digest": .string(zone.digest.description),
      "problems": .array(zone.problems.map { .string($0) }),
    ]
  }

  private static func document(_ repair: StoreRepair.Outcome) -> JSON {
    [
      "domain": .string(repair.store), "kept": repair.kept.map { .string($0) } ?? .null,
      "segments": .int(Int64(repair.report.segments)),
      "unsealed": .int(Int64(repair.report.unsealed)),
      "losses": .array(repair.report.losses.map { .string($0) }),
    ]
  }

  private static func row(_ domain: String, _ zone: ZoneVerification) -> [ReportTable.Cell] {
    let problems = zone.problems.joined(separator: "; ")
    return [
      ReportTable.Cell(domain), ReportTable.Cell(zone.zone.text),
      ReportTable.Cell(zone.vector.reduce(0) { $0 + $1.seq }),
      ReportTable.Cell(zone.digest.description),
      ReportTable.Cell(
        problems.isEmpty ? "none" : problems, raw: problems,
        style: problems.isEmpty ? .good : .bad),
    ]
  }
}
