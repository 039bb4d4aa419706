/// Notices that a store was written to, by anybody, without opening it.
struct StoreWatch {
  private let paths: [String]
  private var seen: [FileSignature?]
  /// What is pending all the time, such as another person's records that no other remote may have.
  private var settled = 0
  private var lastPending: Int?

  /// Watches the store at a path.
  init(path: String) {
    paths = [path, path + "-wal"]
    seen = paths.map { FileSignature($0) }
  }

  /// Whether the store was written to since the last time that this was asked.
  mutating func hasChanged() -> Bool {
    let now = paths.map { FileSignature($0) }
    guard now != seen else { return false }
    seen = now
    return true
  }

  /// Whether there is more to bring than there always is.
  func isEdited(pending: Int) -> Bool { pending > settled }

  /// Takes note of how a run that went well has left the store.
  ///
  /// - Returns: Whether somebody has edited meanwhile, so that another run is due.
  mutating func settle(pending: Int) -> Bool {
    seen = paths.map { FileSignature($0) }
    defer { lastPending = pending }
    if pending > settled, pending != lastPending { return true }
    settled = pending
    return false
  }
}
