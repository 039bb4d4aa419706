import LocalMachine
import CommandFoundation
import SyncKit

/// The paused domains, which sync with no remote until they are resumed.
///
/// It is a file of this device, next to the stores, and not part of the configuration: a pause is temporary,
/// a configuration is not.
struct Pauses: Equatable {
  /// The domains, in the order of their names.
  private(set) var domains: [String] = []

  /// Whether a domain is paused.
  func covers(_ domain: String) -> Bool { domains.contains(domain) }

  /// Reads the paused domains; none without a file.
  ///
  /// - Throws: ``SyncError`` `store.io` if it cannot be read.
  init(in data: String) throws(SyncError) {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try LocalFile.read(Self.path(in: data), limit: 4_096)
    } catch {
      guard error.isMissing else { throw SyncError(error) }
      return
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    domains = Set(lines.map(String.init)).sorted()
  }

  /// Pauses or resumes domains.
  mutating func set(_ names: [String], isPaused: Bool) {
    domains = isPaused ? Set(domains + names).sorted() : domains.filter { !names.contains($0) }
  }

  /// Pauses or resumes domains, one process after another, and returns once that is on the disk.
  ///
  /// - Throws: ``SyncError`` `store.io` and the like; then either the old or the new state is saved.
  static func change(
    _ names: [String], isPaused: Bool, in data: String
  ) async throws -> (before: Pauses, after: Pauses) {
    let seen = try Pauses(in: data)
    var wanted = seen
    wanted.set(names, isPaused: isPaused)
    guard wanted != seen else { return (seen, seen) }
    do { try LocalFolder.create(data) } catch { throw SyncError(error) }
    // Without the lock, two processes at once would overwrite each other's pause.
    let lock = try await StoreLock(path(in: data) + ".lock", wait: .seconds(10))
    defer { lock.release() }
    let before = try Pauses(in: data)
    var after = before
    after.set(names, isPaused: isPaused)
    if after != before { try after.save(in: data) }
    return (before, after)
  }

  /// Saves it; without a paused domain there is no file.
  func save(in data: String) throws(SyncError) {
    let path = Self.path(in: data)
    do throws(SystemError) {
      guard !domains.isEmpty else {
        try LocalFile.remove(path)
        return
      }
      try LocalFile.replace(path, with: Array(domains.map { "\($0)\n" }.joined().utf8))
    } catch {
      throw SyncError(error)
    }
  }

  static func path(in data: String) -> String { LocalFolder.path(data, "paused") }
}

extension Session {
  /// The paused domains.
  func pauses() throws(SyncError) -> Pauses { try Pauses(in: directories.data) }
}
