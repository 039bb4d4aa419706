import SQLiteFile
import SyncKit

extension SQLiteStorage {
  /// Moves a store out of the way, so that another one can take its place.
  ///
  /// The file goes to `<path>.<reason>-<n>`, such as `.damaged-1`, with the first free number, its log and the log's index
  /// to the same name with `-wal` and `-shm`, byte for byte. The caller holds the store's lock and
  /// has it open nowhere. When it is cut off, the file itself may still be in its place without its
  /// log; nothing is removed in any case.
  ///
  /// - Returns: The new path; nil when there was nothing to move.
  /// - Throws: ``SyncError`` `store.read-only`, `store.io`.
  public static func setAside(_ path: String, as reason: String = "damaged") throws -> String? {
    guard endings.contains(where: { POSIX.isTaken(path + $0) }) else { return nil }
    let aside = freeName(beside: path, reason)
    // The log goes before its file: a new store must never find it.
    for ending in endings { try POSIX.move(path + ending, to: aside + ending) }
    try POSIX.synchronize(POSIX.folder(of: path))
    return aside
  }

  /// What a store consists of, the log before its file.
  static let endings = ["-shm", "-wal", ""]

  /// The first name of its kind that is free.
  static func freeName(beside path: String, _ reason: String) -> String {
    var number = 1
    while endings.contains(where: { POSIX.isTaken("\(path).\(reason)-\(number)\($0)") }) {
      number += 1
    }
    return "\(path).\(reason)-\(number)"
  }
}
