/// Decides when an app flushes changed settings: debounced, throttled, and never dropped.
///
/// A flush waits until changes have settled for the debounce, and until the interval since the last
/// flush is over. A change that comes too early is delayed and not dropped: while anything is
/// unflushed, ``due`` is a time. Nothing is due before the first download is done, so that a new
/// device does not overwrite values that it has not seen.
///
/// It has no timer and no clock. The app reports events with their times, sets one timer to ``due``,
/// and asks ``flush(at:isForced:)`` whenever it rings. Times are milliseconds of any clock that only
/// grows.
public struct FlushPacer: Hashable, Sendable {
  /// The time for changes to settle.
  public let debounce: Int64
  /// The shortest time between two flushes.
  public let interval: Int64
  /// The longest time that a stream of changes may delay a flush.
  public let patience: Int64

  /// The time of the next flush; nil when there is nothing to flush, or nothing may be flushed yet.
  public var due: Int64? {
    guard isOpen, let last = lastChange, let first = firstChange else { return nil }
    let settled = min(last &+ debounce, max(first &+ patience, last))
    return max(settled, lastFlush.map { $0 &+ interval } ?? settled)
  }

  private var isOpen: Bool
  private var firstChange: Int64?
  private var lastChange: Int64?
  private var lastFlush: Int64?

  /// Makes a pacer for a store; `awaitsDownload` is true where the first download is not done.
  public init(
    debounce: Int64 = 500, interval: Int64 = 1_000, patience: Int64 = 5_000,
    awaitsDownload: Bool = false
  ) {
    self.debounce = max(0, debounce)
    self.interval = max(0, interval)
    self.patience = max(0, patience)
    isOpen = !awaitsDownload
  }

  /// A setting has changed.
  public mutating func change(at time: Int64) {
    if firstChange == nil { firstChange = time }
    lastChange = max(time, lastChange ?? time)
  }

  /// The first download is done: from now on flushes may be due.
  public mutating func downloaded() { isOpen = true }

  /// Whether to flush now; then everything that has changed so far counts as flushed.
  ///
  /// `isForced` is for the moment before the app goes to the background: it skips the waiting, but
  /// not the first download.
  public mutating func flush(at time: Int64, isForced: Bool = false) -> Bool {
    guard isOpen, lastChange != nil, let due, isForced || time >= due else { return false }
    firstChange = nil
    lastChange = nil
    lastFlush = time
    return true
  }

  /// A flush has failed: its changes are unflushed again.
  public mutating func failed(at time: Int64) { change(at: time) }
}
