import CommandFoundation

/// Notices that a store was written to, by anybody, without opening it.
///
/// Look at the files first and read the store afterwards: what is written in between then shows at the next
/// look. A transaction shows in the files before anybody can read it, by as long as the disk takes to make it
/// durable, and nothing tells when that is over. So after every write it looks again, in growing intervals.
struct StoreWatch {
  /// What a store has to bring, and how far its own changes have come.
  struct Contents: Equatable {
    /// Changes and erasures that some remote does not have.
    var pending: Int
    /// The number of changes that were ever made on this device.
    var edits: UInt64
  }

  private let paths: [String]
  private let now: () -> Int64
  private var seen: [FileSignature?]
  /// When what was written last may be readable that was not at the last look; nil long after it.
  private var due: Int64?
  /// What is pending all the time, such as another person's records that no other remote may have.
  private var settled = 0
  private var last: Contents?

  /// The first interval.
  ///
  /// The clock of a file system goes in ticks that are shorter; FAT's goes in two seconds, but holds no store.
  private static let tick: Int64 = 100
  /// No disk takes so long: two minutes.
  private static let patience: Int64 = 120_000

  /// Watches the store at a path, by a clock that gives milliseconds since 1970.
  init(path: String, now: @escaping () -> Int64) {
    paths = [path, path + "-wal"]
    self.now = now
    seen = []
    look()
  }

  /// Takes note of the files as they are now.
  mutating func look() {
    let time = now()
    seen = paths.map { FileSignature($0) }
    let age = seen.compactMap { $0.map { ($0.modified.distance(to: time)).magnitude } }.min()
    due = age.flatMap { $0 < Self.patience ? time + max(Int64($0), Self.tick) : nil }
  }

  /// How long ago the store was written to, as far as its files tell: a second at most.
  var age: Duration {
    let newest = seen.compactMap { $0?.modified }.max() ?? 0
    return .milliseconds(min(max(now() &- newest, 0), 1_000))
  }

  /// Whether the store may have changed since the last look; this is the next one.
  mutating func hasChanged() -> Bool {
    let time = now()
    // A clock may have been set back.
    let isDue = due.map { $0 <= time || $0 > time + Self.patience } ?? false
    guard isDue || paths.map({ FileSignature($0) }) != seen else { return false }
    look()
    return true
  }

  /// The store could not be read after the last look: the next one counts as a change.
  mutating func failed() { due = now() }

  /// Whether there is more to bring than there always is.
  func isEdited(_ contents: Contents) -> Bool { contents.pending > settled }

  /// Takes note of how a run that went well has left the store.
  ///
  /// - Returns: Whether somebody has edited meanwhile, so that another run is due.
  mutating func settle(_ contents: Contents) -> Bool {
    defer { last = contents }
    if contents.pending > settled, contents != last { return true }
    settled = contents.pending
    return false
  }
}
