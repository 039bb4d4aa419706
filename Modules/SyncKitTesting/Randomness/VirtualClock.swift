import Synchronization

/// A clock that stands still until it is moved; several devices may share one.
public final class VirtualClock: Sendable {
  private let milliseconds: Mutex<Int64>

  /// Starts at a time in milliseconds since 1970; by default in the middle of 2026.
  public init(at start: Int64 = 1_782_000_000_000) { milliseconds = Mutex(start) }

  /// Milliseconds since 1970.
  public var now: Int64 { milliseconds.withLock { $0 } }

  /// Moves the clock; a negative number sets it back, as a corrected clock does.
  public func advance(by delta: Int64) { milliseconds.withLock { $0 &+= delta } }

  /// Sets the clock, like a person correcting it.
  public func set(to time: Int64) { milliseconds.withLock { $0 = time } }
}
