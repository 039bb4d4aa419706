import CommandFoundation
import SyncKitFormats
import SyncKit

/// What a device remembers of how it was set up: since when it could have synced, and which domains met a
/// remote that was removed.
///
/// It is a file beside the stores. What it says of time tells a device that never synced from one that is new;
/// what it says of remotes keeps a remote that is added again from meeting more domains than before.
struct SetupRecord: Equatable {
  /// Milliseconds since 1970 of the setup; 0 when nothing is known.
  var since: Int64 = 0
  /// When each remote became one of this device, by name.
  var remotes: [String: Int64] = [:]
  /// The remotes that were removed, by name.
  var removed: [String: Removed] = [:]

  /// A remote of the past.
  struct Removed: Equatable {
    /// Where it was.
    var url: String
    /// The domains that met there.
    var domains: [String]
    /// The domains that did not.
    var others: [String]
  }

  init() {}

  /// Reads what is remembered; nothing of a file that is missing or cannot be read.
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

  /// When a domain could first have met a remote.
  func begin(of remote: String) -> Int64 { max(since, remotes[remote] ?? since) }

  /// Notes which remotes there are now.
  mutating func note(_ names: [String], at now: Int64) {
    // A time that is yet to come was written by a clock that was wrong.
    if since == 0 || since > now { since = now }
    remotes = remotes.filter { names.contains($0.key) }
    for name in names where remotes[name] ?? .max > now { remotes[name] = now }
  }

  /// Changes what is remembered, one process after the other, and returns once that is on the disk.
  ///
  /// - Throws: ``SyncError`` `store.io` and the like; then it is as it was.
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
  /// Begins a verb that keeps the device in step, or tells whether it is.
  ///
  /// Without a configuration there is nothing to be in step with, and a run that said so with 0 would look
  /// well: a line of cron that has got another home, say.
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

  /// Remembers since when this device has the remotes that it has; a device without a disk to write to
  /// remembers nothing.
  func noteSetup() async {
    guard isSetUp else { return }
    let (names, now) = (configuration.remotes.map(\.name), environment.now())
    _ = try? await SetupRecord.change(in: directories.data) { $0.note(names, at: now) }
  }

  /// Whether no enabled domain meets any remote, so that nothing leaves this device.
  var meetsNothing: Bool { enabledDomains.allSatisfy { remoteNames(of: $0).isEmpty } }
}

extension SyncError.Code {
  /// The device was never set up.
  static let configMissing = Self("config.missing", exit: 78)
}
