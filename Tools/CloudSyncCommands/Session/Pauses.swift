import CommandFoundation
import SyncKit

/// What is paused: the domains that meet no remote until somebody says so.
///
/// It is a file of this device, beside the stores, and no part of the configuration: what a person does for a
/// while is not what they want for good.
struct Pauses: Equatable {
  /// The domains, in the order of their names.
  private(set) var domains: [String] = []

  /// Whether a domain is paused.
  func covers(_ domain: String) -> Bool { domains.contains(domain) }

  /// Reads what is paused; nothing when there is no file.
  ///
  /// - Throws: ``SyncError`` `store.io` when it cannot be read.
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

  /// Pauses domains or lets them go on.
  mutating func set(_ names: [String], isPaused: Bool) {
    domains = isPaused ? Set(domains + names).sorted() : domains.filter { !names.contains($0) }
  }

  /// Pauses domains or lets them go on, one who says so after the other, and returns once that is on the disk.
  ///
  /// - Throws: ``SyncError`` `store.io` and the like; then things are as they were, or as was asked.
  static func change(
    _ names: [String], isPaused: Bool, in data: String
  ) async throws -> (before: Pauses, after: Pauses) {
    let seen = try Pauses(in: data)
    var wanted = seen
    wanted.set(names, isPaused: isPaused)
    guard wanted != seen else { return (seen, seen) }
    do { try LocalFolder.create(data) } catch { throw SyncError(error) }
    // Of two at once, each would write down what it has read, and one of the two pauses would be gone.
    let lock = try await StoreLock(path(in: data) + ".lock", wait: .seconds(10))
    defer { lock.release() }
    let before = try Pauses(in: data)
    var after = before
    after.set(names, isPaused: isPaused)
    if after != before { try after.save(in: data) }
    return (before, after)
  }

  /// Writes it down; without anything paused there is no file.
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
  /// What is paused now.
  func pauses() throws(SyncError) -> Pauses { try Pauses(in: directories.data) }
}
