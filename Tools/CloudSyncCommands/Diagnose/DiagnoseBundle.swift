import LocalMachine
import CommandFoundation
import SyncKitFormats
import SyncKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The facts of this device that support needs, without the content of its records.
///
/// | Entry | What |
/// |---|---|
/// | `diagnose.json` | `cloudsync.diagnose/1`: version, system, time |
/// | `doctor.json` | what `doctor` finds |
/// | `status.json` | how each domain stands with each remote; counts only |
/// | `settings.json` | the settings; of texts only that there is one |
/// | `runs.json` | how the last syncs went; not what they merged |
/// | `files.json` | sizes and modes of our own files |
///
/// Names of devices, remotes, hooks and jobs are numbers here.
struct DiagnoseBundle {
  /// A file of the report.
  struct Entry {
    var name: String
    var document: JSON
    var bytes: [UInt8] { document.serialized(pretty: true) }
  }

  private(set) var entries: [Entry] = []
  private let context: CommandContext
  private let directories: Directories
  private var redaction = Redaction()
  /// More of the log than a person reads.
  private static let runs = 200

  /// Examines the device; with `asksRemotes` every remote as well.
  init(_ context: CommandContext, asksRemotes: Bool) async throws {
    self.context = context
    let doctor = try Doctor(context)
    directories = doctor.directories
    let session = doctor.problems.isEmpty ? try Session(context) : nil
    try learn(session)
    add("diagnose.json", system())
    add(
      "doctor.json",
      [
        "checks": .array(
          try await doctor.checks(isFixing: false, asksRemotes: asksRemotes).map { check in
            var document = check.document
            document["message"] = .string(redaction.text(check.message))
            document["advice"] = check.advice.map { .string(redaction.text($0)) } ?? .null
            return .object(document)
          })
      ])
    if let session {
      add(
        "status.json", ["domains": .array(session.enabledDomains.map { status(of: $0, session) })])
      add("settings.json", ["settings": .array(try settings())])
    }
    add("runs.json", ["runs": .array(runs())])
    add("files.json", ["files": .array(files())])
  }

  /// The report as an archive.
  func archive() throws -> [UInt8] {
    var writer = ZipWriter()
    do {
      for entry in entries { try writer.add(entry.name, entry.bytes) }
    } catch {
      throw SyncError(.failure, "could not pack the files: \(error)")
    }
    return writer.finish()
  }

  private mutating func add(_ name: String, _ keys: JSONObject) {
    entries.append(Entry(name: name, document: .object(keys)))
  }

  /// Registers every private name, so that it is found in all messages.
  private mutating func learn(_ session: Session?) throws {
    let environment = context.terminal.environment
    for variable in ["HOME", "USER", "LOGNAME"] {
      if let value = environment[variable] { redaction.name(value, as: variable.lowercased()) }
    }
    redaction.name(HostName.current, as: "host")
    guard let session else { return }
    redaction.name(try session.device().name, as: "device")
    for remote in session.configuration.remotes { redaction.name(remote.name, as: "remote") }
    for name in session.enabledDomains {
      guard let devices = try? session.store(name).status(remotes: []).devices else { continue }
      for device in devices {
        if let known = device.device.name { redaction.name(known, as: "device") }
      }
    }
  }

  // MARK: The entries

  private func system() -> JSONObject {
    var names = utsname()
    uname(&names)
    return [
      "schema": "cloudsync.diagnose/1", "version": .string(Version.number),
      "made": .string(Timestamp.format(milliseconds: context.terminal.now())),
      "system": .string(Self.text(of: names.sysname)),
      "release": .string(Self.text(of: names.release)),
      "machine": .string(Self.text(of: names.machine)),
      // Their values may be anything.
      "variables": .array(
        context.terminal.environment.keys.filter { $0.hasPrefix(ConfigEnvironment.prefix) }.sorted()
          .map { .string($0) }),
    ]
  }

  private static func text<Field>(of field: Field) -> String {
    withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  private mutating func status(of domain: String, _ session: Session) -> JSON {
    var keys: JSONObject = ["domain": .string(domain)]
    do {
      let status = try session.store(domain).status(remotes: session.remoteNames(of: domain))
      keys["records"] = .int(Int64(status.records))
      keys["pending"] = .int(Int64(status.pending))
      keys["waiting"] = .int(Int64(status.waiting))
      keys["conflicts"] = .int(Int64(status.conflicts))
      keys["decisions"] = .int(Int64(status.decisions))
      keys["remotes"] = .array(
        status.remotes.map { remote in
          [
            "remote": .string(redaction.name(remote.name, as: "remote")),
            "kind": .string(Self.kind(session.configuration[remote: remote.name])),
            "pending": .int(Int64(remote.pending)),
            "lastSync": Self.time(remote.state.lastSync),
            "error": remote.state.errorCode.map { .string($0) } ?? .null,
          ]
        })
      keys["devices"] = .array(
        status.devices.map { device in
          [
            "device": .string(redaction.name(device.device.name ?? device.device.id, as: "device")),
            "lastSeen": Self.time(device.lastSeen), "behind": .int(Int64(device.behind)),
            "self": .bool(device.isSelf),
          ]
        })
    } catch {
      keys["error"] = .string(ErrorReport.described(error).code.name)
    }
    return .object(keys)
  }

  private static func kind(_ remote: Configuration.Remote?) -> String {
    remote?.location.type ?? "unknown"
  }

  private static func time(_ milliseconds: Int64) -> JSON {
    milliseconds == 0 ? .null : .string(Timestamp.format(milliseconds: milliseconds))
  }

  private mutating func settings() throws -> [JSON] {
    try context.configuration().settings.map { setting in
      var parts = setting.path.parts
      let sections = ["remotes": "remote", "hooks": "hook", "jobs": "job"]
      if parts.count > 1, let kind = sections[parts[0]] {
        parts[1] = redaction.name(parts[1], as: kind)
      }
      // The entries of a domain have names that the user chose.
      if parts.count > 3, parts[0] == "domains" { parts[3] = "…" }
      let isPlain =
        switch setting.type {
        case .flag, .whole, .duration, .percent, .choice: true
        default: false
        }
      return [
        "key": .string(parts.joined(separator: ".")),
        "value": .string(isPlain ? setting.shown : "(not shown)"),
        "isSet": .bool(setting.origin != .builtIn),
      ]
    }
  }

  private mutating func runs() -> [JSON] {
    RunLog(directories).entries().suffix(Self.runs).map { entry in
      var keys: JSONObject = [:]
      for key in [
        "at", "domain", "result", "pushed", "pulled", "conflicts", "overridden", "seconds",
      ] {
        keys[key] = entry[key] ?? .null
      }
      keys["remote"] = .string(redaction.name(entry["remote"]?.string ?? "", as: "remote"))
      keys["error"] = entry["error"]?["code"] ?? .null
      return .object(keys)
    }
  }

  private func files() -> [JSON] {
    let folders = [
      ("config", directories.config), ("data", directories.data), ("state", directories.state),
    ]
    return folders.flatMap { kind, folder -> [JSON] in
      guard let names = try? LocalFolder.names(in: folder, ending: "") else { return [] }
      return names.map { name in
        var facts = stat()
        _ = lstat(LocalFolder.path(folder, name), &facts)
        return [
          "folder": .string(kind), "name": .string(Self.isOurs(name) ? name : "…"),
          "bytes": .int(Int64(facts.st_size)),
          "mode": .string(String(facts.st_mode & 0o7777, radix: 8)),
        ]
      }
    }
  }

  /// Whether a file is ours; there may be foreign files in the folder.
  private static func isOurs(_ name: String) -> Bool {
    let stem = String(name.prefix { $0 != "." })
    let ending = name.dropFirst(stem.count)
    let stems = DomainRegistry.stores.map(\.name) + ["config", "device", "runs", "paused", "setup"]
    let endings = [
      "", ".sqlite", ".sqlite-wal", ".sqlite-shm", ".identity", ".lock", ".yaml", ".d", ".jsonl",
      ".jsonl.1", ".json",
    ]
    return stems.contains(stem) && endings.contains(String(ending))
  }
}
