/// Notices that a store was written to, by anybody, without opening it.
///
/// Look at the files first and read the store afterwards: what is written in between then shows at the next
/// look.
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
  /// Whether the last look may have missed something: a file was so fresh that a later write may bear the
  /// same time, or the store could not be read.
  private var isUncertain = false
  /// What is pending all the time, such as another person's records that no other remote may have.
  private var settled = 0
  private var last: Contents?

  /// The clock of a file system goes in ticks of some milliseconds; FAT's goes in two seconds, but holds no
  /// store.
  private static let tick: Int64 = 100

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
    isUncertain = seen.contains {
      $0.map { ($0.modified - Self.tick..<$0.modified + Self.tick).contains(time) } ?? false
    }
  }

  /// Whether the store was written to since the last look; this is the next one.
  mutating func hasChanged() -> Bool {
    let before = seen
    let wasUncertain = isUncertain
    look()
    return wasUncertain || seen != before
  }

  /// The store could not be read after the last look: the next one counts as a change.
  mutating func failed() { isUncertain = true }

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
