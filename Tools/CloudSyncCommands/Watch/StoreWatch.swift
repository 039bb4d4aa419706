import LocalMachine
import CommandFoundation

/// Notices writes to a store by any process, without opening it.
///
/// Check the files first and read the store afterwards: a write in between then shows at the next check. A
/// transaction shows in the files before it can be read, for as long as the disk takes to make it durable, and
/// nothing signals the end of that. So it checks again after every write, in growing intervals.
struct StoreWatch {
  /// The pending changes of a store, and the number of its own changes.
  struct Contents: Equatable {
    /// Changes and erasures that some remote lacks.
    var pending: Int
    /// The number of changes ever made on this device.
    var edits: UInt64
  }

  private let paths: [String]
  private let now: () -> Int64
  private var seen: [FileSignature?]
  /// The time when the last write may become readable; nil long after it.
  private var due: Int64?
  /// The permanently pending changes, such as another person's records that no other remote may have.
  private var settled = 0
  private var last: Contents?

  /// The first interval.
  ///
  /// The clock of a file system has shorter ticks; FAT's are two seconds, but it cannot hold a store.
  private static let tick: Int64 = 100
  /// No disk takes this long: two minutes.
  private static let patience: Int64 = 120_000

  /// Watches the store at a path, by a clock that gives milliseconds since 1970.
  init(path: String, now: @escaping () -> Int64) {
    paths = [path, path + "-wal"]
    self.now = now
    seen = []
    look()
  }

  /// Notes the current state of the files.
  mutating func look() {
    let time = now()
    seen = paths.map { FileSignature($0) }
    let age = seen.compactMap { $0.map { ($0.modified.distance(to: time)).magnitude } }.min()
    due = age.flatMap { $0 < Self.patience ? time + max(Int64($0), Self.tick) : nil }
  }

  /// The age of the last write according to the files: a second at most.
  var age: Duration {
    let newest = seen.compactMap { $0?.modified }.max() ?? 0
    return .milliseconds(min(max(now() &- newest, 0), 1_000))
  }

  /// Whether the store may have changed since the last check; this call is the next one.
  mutating func hasChanged() -> Bool {
    let time = now()
    // A clock may have been set back.
    let isDue = due.map { $0 <= time || $0 > time + Self.patience } ?? false
    guard isDue || paths.map({ FileSignature($0) }) != seen else { return false }
    look()
    return true
  }

  /// The store could not be read after the last check: the next one counts as a change.
  mutating func failed() { due = now() }

  /// Whether more is pending than always.
  func isEdited(_ contents: Contents) -> Bool { contents.pending > settled }

  /// Notes the state of the store after a successful run.
  ///
  /// - Returns: Whether there were edits meanwhile, so that another run is due.
  mutating func settle(_ contents: Contents) -> Bool {
    defer { last = contents }
    if contents.pending > settled, contents != last { return true }
    settled = contents.pending
    return false
  }
}
