import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The status of the device and its domains, as `cloudsync.status/1` and as tables.
struct StatusReport {
  private let session: Session
  private let rows: [StatusRow]
  private let rates: RunRates

  /// Prints the state of the enabled domains, or of one; with `check`, ends with the status of that state.
  ///
  /// - Throws: ``SyncError`` of a store that cannot be read, `config.missing` or `ExitCode` 1, 2, 4 or 5 with
  ///   `check`.
  static func print(_ session: Session, only domain: String?, check: Bool) async throws {
    if check { try session.requireSetUp() }
    await session.noteSetup()
    try StatusReport(session, only: domain).print(check: check)
    if !session.isSetUp {
      session.context.warn("this device is not set up, so nothing syncs; run 'cloudsync init'")
    }
  }

  /// Reads the stores of the enabled domains, or of one.
  private init(_ session: Session, only domain: String?) throws {
    self.session = session
    if let domain { _ = try DomainRegistry.domain(domain) }
    let rates = RunRates(session.directories)
    self.rates = rates
    let pauses = try session.pauses()
    let staleness = Staleness(session)
    rows = (domain.map { [$0] } ?? session.enabledDomains).map { name in
      StatusRow(name, session, rates, staleness, isPaused: pauses.covers(name))
    }
  }

  private func print(check: Bool) throws {
    session.context.print(
      Report(
        "cloudsync.status/1", try keys(), records: "domains", table: table,
        text: try text()))
    guard check else {
      if let error = rows.lazy.compactMap(\.error).first { throw error }
      return
    }
    if rows.contains(where: { $0.state == .error }) { throw ExitCode(1) }
    if rows.contains(where: \.isStale) { throw ExitCode(5) }
    if rows.contains(where: { $0.status?.decisions ?? 0 > 0 }) { throw ExitCode(4) }
    if rows.contains(where: { $0.state != .paused && $0.hasWork }) { throw ExitCode(2) }
  }

  // MARK: For programs

  private func keys() throws -> JSONObject {
    let device = try session.device()
    return [
      "initialised": .bool(session.isSetUp),
      // Before the first write the device has no id that would stay.
      "device": [
        "id": try session.hasKeptDevice() ? .string(device.id) : .null,
        "name": .string(device.name),
      ],
      "devices": .array(devices().map { .object(document(of: $0)) }),
      "domains": .array(rows.map { .object(document(of: $0)) }),
    ]
  }

  /// The devices of all domains, each once.
  private func devices() -> [StoreStatus.DeviceStatus] {
    var devices: [String: StoreStatus.DeviceStatus] = [:]
    for device in rows.flatMap({ $0.status?.devices ?? [] }) {
      var known = devices[device.device.id] ?? device
      if devices[device.device.id] != nil {
        known.lastSeen = max(known.lastSeen, device.lastSeen)
        known.behind += device.behind
        known.clockLead = [known.clockLead, device.clockLead].compactMap { $0 }.max()
        known.isSelf = known.isSelf || device.isSelf
      }
      devices[device.device.id] = known
    }
    return devices.values.sorted { $0.device.id < $1.device.id }
  }

  private func document(of device: StoreStatus.DeviceStatus) -> JSONObject {
    [
      "id": .string(device.device.id),
      "name": device.device.name.map { .string($0) } ?? .null,
      "lastSeen": time(device.lastSeen),
      "behind": .int(Int64(device.behind)),
      "clockAhead": device.clockLead.map { .int($0 / 1_000) } ?? .null,
      "self": .bool(device.isSelf),
    ]
  }

  private func document(of row: StatusRow) -> JSONObject {
    var document: JSONObject = [
      "name": .string(row.name),
      "state": .string(row.state.rawValue),
      "lastSync": time(row.lastSync),
      "records": count(row.status?.records),
      "pending": count(row.status?.pending),
      "waiting": count(row.status?.waiting),
      "conflicts": count(row.status?.conflicts),
      "decisions": count(row.status?.decisions),
      "stale": .bool(row.isStale),
      "remotes": .array(row.remotes.map { .object(self.document(of: $0, for: row.name)) }),
      "unsent": .array((row.status?.unsent ?? []).map { .object($0.json) }),
      "erasing": .array(row.erasures.map { .object(self.document(of: $0)) }),
      "devices": .array(
        (row.status?.devices ?? []).map { device in
          [
            "id": .string(device.device.id), "lastSeen": time(device.lastSeen),
            "behind": .int(Int64(device.behind)),
          ]
        }),
    ]
    if let error = row.error { document["error"] = ErrorReport.part(of: error) }
    return document
  }

  /// A number; null where the store cannot be read.
  private func count(_ number: Int?) -> JSON { number.map { .int(Int64($0)) } ?? .null }

  private func document(of remote: StoreStatus.RemoteStatus, for domain: String) -> JSONObject {
    var document: JSONObject = [
      "name": .string(remote.name),
      "encrypted": .bool(session.configuration[remote: remote.name]?.isEncrypted ?? false),
      "lastSync": time(remote.state.lastSync),
      "pending": .int(Int64(remote.pending)),
      "waiting": .int(Int64(remote.state.waiting)),
      "runs": rates.rate(domain, with: remote.name).document,
    ]
    if let name = remote.state.errorCode {
      document["error"] = .object(error(name, remote.state.errorMessage ?? name))
    }
    return document
  }

  /// What is remembered of a failure; what else there is to say of it follows from its code.
  private func error(_ name: String, _ message: String) -> JSONObject {
    let code = ExitCodeTable.codes.first { $0.code.name == name }?.code
    return [
      "code": .string(name), "exit": .int(Int64((code ?? .failure).exit)),
      "message": .string(message),
      "hint": code?.isRetryable == false ? "'cloudsync sync' says what to do" : .null,
      "retryable": .bool(code?.isRetryable ?? false),
    ]
  }

  private func document(of erasure: PendingErasure) -> JSONObject {
    [
      "record": .string("\(erasure.collection)/\(erasure.id)"),
      "since": time(erasure.at),
      "remotes": .array(erasure.remotes.map { .string($0) }),
      "devices": .array(erasure.devices.map(\.json)),
    ]
  }

  private func time(_ milliseconds: Int64) -> JSON {
    milliseconds == 0 ? .null : .string(Timestamp.format(milliseconds: milliseconds))
  }

  // MARK: For people

  private var table: ReportTable {
    let columns = [
      ReportTable.Column("domain"), ReportTable.Column("state"),
      ReportTable.Column("records", numeric: true),
      ReportTable.Column("pending", numeric: true), ReportTable.Column("waiting", numeric: true),
      ReportTable.Column("conflicts", numeric: true),
      ReportTable.Column("last sync"), ReportTable.Column("remotes", flexible: true),
    ]
    return ReportTable(
      columns,
      rows: rows.map { row in
        var remotes = row.remotes.map { remote in
          let rate = rates.rate(row.name, with: remote.name)
          let failures =
            rate.failed == 0 ? "" : " (\(rate.failed) of \(Plural(rate.runs, "run")) failed)"
          return (remote.state.errorMessage.map { "\(remote.name): \($0)" } ?? remote.name)
            + failures
        }
        if let error = row.error { remotes = [error.message] }
        return [
          ReportTable.Cell(row.name),
          ReportTable.Cell(row.state.words, raw: row.state.rawValue, style: style(of: row.state)),
          cell(row.status?.records), cell(row.status?.pending), cell(row.status?.waiting),
          cell(row.status?.conflicts),
          row.lastSync == 0
            ? ReportTable.Cell("never", raw: "") : cell(time: row.lastSync),
          ReportTable.Cell(remotes.isEmpty ? "none" : remotes.joined(separator: "; ")),
        ]
      })
  }

  private func cell(_ number: Int?) -> ReportTable.Cell {
    number.map { ReportTable.Cell($0) } ?? ""
  }

  /// A time by its distance from now; in full where more was asked for.
  private func cell(time: Int64) -> ReportTable.Cell {
    session.context.verbosity > 0
      ? ReportTable.Cell(time: time)
      : ReportTable.Cell(time: time, now: session.environment.now())
  }

  private func text() throws -> String {
    let device = try session.device()
    let id = try session.hasKeptDevice() ? " (\(device.id.prefix(8)))" : ""
    var text = "device \(Sanitized.line(device.name))\(id)\n\n"
    text += table.aligned(
      paint: session.context.paint, width: session.context.terminal.columns)
    let plain = session.configuration.remotes.filter { remote in
      !remote.isEncrypted
        && self.rows.contains { $0.remotes.contains { $0.name == remote.name } }
    }
    if !plain.isEmpty { text += "\nnot encrypted: \(plain.map(\.name).joined(separator: ", "))" }
    for row in rows {
      for erasure in row.erasures { text += "\n\(row.name): \(erasure.owed)" }
    }
    for row in rows {
      for edits in row.status?.unsent ?? [] {
        text += "\n\(row.name): \(Sanitized.line(edits.summary))"
      }
    }
    let devices = devices()
    let clocks = WrongClock.found(devices)
    for clock in clocks { text += "\n\(clock.summary)" }
    if !clocks.isEmpty || !plain.isEmpty
      || rows.contains(where: { !$0.erasures.isEmpty || $0.status?.unsent.isEmpty == false })
    {
      text += "\n"
    }
    let others = devices.filter { !$0.isSelf }
    guard !others.isEmpty else { return text }
    let columns = [
      ReportTable.Column("device"), ReportTable.Column("last seen"),
      ReportTable.Column("behind", numeric: true),
    ]
    let rows = others.map { other in
      var seen = cell(time: other.lastSeen)
      if other.clockLead != nil { seen.text += " (clock ahead)" }
      return [ReportTable.Cell(other.device.shown), seen, ReportTable.Cell(other.behind)]
    }
    return text + "\n"
      + ReportTable(columns, rows: rows).aligned(
        paint: session.context.paint, width: session.context.terminal.columns)
  }

  private func style(of state: SyncState) -> TextStyle {
    switch state {
    case .error, .conflict: .bad
    case .stale, .offline, .waiting, .pending: .warning
    case .neverSynced, .syncing: .plain
    case .paused: .dim
    case .upToDate: .good
    }
  }
}

extension SyncState {
  /// The state for people.
  var words: String {
    switch self {
    case .neverSynced: "never synced"
    case .upToDate: "up to date"
    case .error, .conflict, .stale, .offline, .waiting, .pending, .syncing, .paused: rawValue
    }
  }
}
