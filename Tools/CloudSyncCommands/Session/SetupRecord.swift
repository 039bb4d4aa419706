import LocalMachine
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The device's record of its setup: since when it could have synced, and which domains synced with a
/// removed remote.
///
/// It is a file next to the stores. Its time distinguishes a device that never synced from a new one;
/// its remotes keep a remote that is added again from getting more domains than before.
struct SetupRecord: Equatable {
  /// Milliseconds since 1970 of the setup; 0 if unknown.
  var since: Int64 = 0
  /// The time at which each remote was added, by name.
  var remotes: [String: Int64] = [:]
  /// The removed remotes, by name.
  var removed: [String: Removed] = [:]

  /// A removed remote.
  struct Removed: Equatable {
    /// Its location.
    var url: String
    /// The domains that synced with it.
    var domains: [String]
    /// The domains that did not.
    var others: [String]
  }

  init() {}

  /// Reads the record; empty for a missing or unreadable file.
  init(in data: String) {
    guard let bytes = try? LocalFile.read(Self.path(in: data), limit: 1 << 20),
      let json = try? JSON(parsing: bytes)
    else { return }
    since = Self.time(json["since"])
    for (name, value) in json["remotes"]?.object?.members ?? [] {
      remotes[name] = Self.time(value)
    }
    for (name, value) in json["removed"]?.object?.members ?? [] {
      removed[name] = Removed(
        url: value["url"]?.string ?? "", domains: Self.texts(value["domains"]),
        others: Self.texts(value["others"]))
    }
  }

  /// The time at which a domain could first have synced with a remote.
  func begin(of remote: String) -> Int64 { max(since, remotes[remote] ?? since) }

  /// Notes the current remotes.
  mutating func note(_ names: [String], at now: Int64) {
    // A time in the future was written with a wrong clock.
    if since == 0 || since > now { since = now }
    remotes = remotes.filter { names.contains($0.key) }
    for name in names where remotes[name] ?? .max > now { remotes[name] = now }
  }

  /// Changes the record, one process after another, and returns once that is on the disk.
  ///
  /// - Throws: ``SyncError`` `store.io` and the like; then it is unchanged.
  @discardableResult
  static func change(
    in data: String, _ body: (inout SetupRecord) -> Void
  ) async throws -> SetupRecord {
    var seen = SetupRecord(in: data)
    let before = seen
    body(&seen)
    guard seen != before else { return seen }
    do { try LocalFolder.create(data) } catch { throw SyncError(error) }
    let lock = try await StoreLock(path(in: data) + ".lock", wait: .seconds(10))
    defer { lock.release() }
    var record = SetupRecord(in: data)
    body(&record)
    do {
      try LocalFile.replace(
        path(in: data), with: record.json.serialized(pretty: true) + [UInt8(ascii: "\n")])
    } catch {
      throw SyncError(error)
    }
    return record
  }

  private var json: JSON {
    var remotes = JSONObject()
    for (name, time) in self.remotes.sorted(by: { $0.key < $1.key }) {
      remotes[name] = .string(Timestamp.format(milliseconds: time))
    }
    var removed = JSONObject()
    for (name, past) in self.removed.sorted(by: { $0.key < $1.key }) {
      removed[name] = [
        "url": .string(past.url), "domains": .array(past.domains.map { .string($0) }),
        "others": .array(past.others.map { .string($0) }),
      ]
    }
    return [
      "since": .string(Timestamp.format(milliseconds: since)), "remotes": .object(remotes),
      "removed": .object(removed),
    ]
  }

  private static func time(_ json: JSON?) -> Int64 {
    json?.string.flatMap { Timestamp.parse($0) } ?? 0
  }

  private static func texts(_ json: JSON?) -> [String] { json?.array?.compactMap(\.string) ?? [] }

  static func path(in data: String) -> String { LocalFolder.path(data, "setup.json") }
}

extension Session {
  /// Begins a verb that syncs the device, or reports its state.
  ///
  /// Without a configuration there is nothing to sync with, and a run that ended with 0 would look
  /// successful: a line of cron with another home, for example.
  ///
  /// - Throws: ``SyncError`` `config.missing` on a device that was never set up.
  func enter() async throws {
    try requireSetUp()
    await noteSetup()
  }

  /// - Throws: ``SyncError`` `config.missing` on a device that was never set up.
  func requireSetUp() throws(SyncError) {
    guard !isSetUp else { return }
    throw SyncError(
      .configMissing, "this device is not set up: there is no \(directories.configFile)",
      hint: "run 'cloudsync init'; if it was set up before, check HOME, XDG_CONFIG_HOME and "
        + "--profile")
  }

  /// Records since when this device has its remotes; a device without a writable disk records
  /// nothing.
  func noteSetup() async {
    guard isSetUp else { return }
    let (names, now) = (configuration.remotes.map(\.name), environment.now())
    _ = try? await SetupRecord.change(in: directories.data) { $0.note(names, at: now) }
  }

  /// Whether no enabled domain syncs with a remote, so that nothing leaves this device.
  var meetsNothing: Bool { enabledDomains.allSatisfy { remoteNames(of: $0).isEmpty } }
}

extension SyncError.Code {
  /// The device is not set up.
  static let configMissing = Self("config.missing", exit: 78)
}
