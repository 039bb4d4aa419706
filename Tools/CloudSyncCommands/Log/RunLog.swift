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

/// The runs on this device, one per line: their results and their merges.
///
/// It is in the state folder, readable only by its owner, and never leaves the device. When it has grown
/// large the older half is dropped.
struct RunLog {
  private let path: String
  private var older: String { path + ".1" }
  /// Two files of this size cover years of daily use.
  private static let limit: Int64 = 512 << 10

  init(_ directories: Directories) {
    path = LocalFolder.path(directories.state, "runs.jsonl")
  }

  /// Adds lines; a run does not fail because of its log.
  func append(_ entries: [JSONObject]) {
    guard !entries.isEmpty, (try? LocalFolder.create(LocalFolder.parent(of: path))) != nil else {
      return
    }
    if LocalFile.size(path) > Self.limit { try? LocalFile.move(path, to: older) }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // One call, so that processes do not mix their lines.
    let bytes = Array(entries.map { JSON.object($0).text() + "\n" }.joined().utf8)
    _ = bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
  }

  /// The lines, oldest first; unreadable ones are skipped.
  func entries() -> [JSON] { [older, path].flatMap { Self.entries(in: Self.bytes($0)[...]) } }

  /// The newest lines, oldest first: few enough to read in no time.
  func recent() -> [JSON] {
    let bytes = Self.bytes(path)
    let recent = Self.entries(in: bytes.suffix(Self.recentSize))
    // Just after the older half was dropped the new one has little.
    guard bytes.count < Self.recentSize / 2 else { return recent }
    return Self.entries(in: Self.bytes(older).suffix(Self.recentSize)) + recent
  }

  private static let recentSize = 96 << 10

  private static func bytes(_ path: String) -> [UInt8] {
    (try? LocalFile.read(path, limit: 16 << 20)) ?? []
  }

  private static func entries(in bytes: ArraySlice<UInt8>) -> [JSON] {
    bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let entry = try? JSON(parsing: Array(line)), entry["at"]?.string != nil else {
        return nil
      }
      return entry
    }
  }
}

extension SyncRun.Job {
  /// A line of the log names this many records of one reason.
  private static let namedRecords = 100

  /// The job as a line of the log.
  func entry(at now: Int64) -> JSONObject {
    var entry: JSONObject = [
      "at": .string(Timestamp.format(milliseconds: now)), "domain": .string(domain),
      "remote": .string(remote), "result": error == nil ? "ok" : "failed",
      "pushed": .int(Int64(report.pushed)), "pulled": .int(Int64(report.pulled)),
      "conflicts": .int(Int64(report.conflicts)), "overridden": .int(Int64(report.overridden)),
      "unsent": .int(Int64(report.unsent)),
      "seconds": .double((seconds * 1_000).rounded() / 1_000),
      "changes": .array(report.changes.map { .object($0.document(upTo: Self.namedRecords)) }),
      "merges": .array(merges.map { .object($0.document) }),
    ]
    if let error {
      entry["reason"] = .string(ChangeReason(error).rawValue)
      entry["error"] = ["code": .string(error.code.name), "message": .string(error.message)]
    }
    return entry
  }
}

/// Two edits of one field that were merged.
struct MergeNote: Hashable {
  /// `collection/id` and the field or group.
  var record: String
  var field: String
  /// The other device.
  var device: String
  var local: Value?
  var remote: Value?
  /// The value that shows now.
  var result: Value?
  /// Whether the remote value overrode the local one.
  var isOverridden: Bool

  /// Notes a conflict.
  init(_ conflict: Conflict) {
    record = "\(conflict.key.collection)/\(conflict.key.id)"
    field = conflict.field.text
    let other = conflict.candidates.first { !$0.isMine }
    device = other?.device.shown ?? ""
    let own = conflict.candidates.first { $0.isMine }
    local = own?.value
    isOverridden = own?.isOverridden ?? false
    remote = other?.value
    result = conflict.shown
  }

  var document: JSONObject {
    [
      "record": .string(record), "field": .string(field), "device": .string(device),
      "local": local?.json ?? .null, "remote": remote?.json ?? .null,
      "result": result?.json ?? .null, "overridden": .bool(isOverridden),
    ]
  }
}
