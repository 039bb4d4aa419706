/// When a change was made, by a hybrid clock: 48 bits of milliseconds, a 16-bit counter, the author.
///
/// Stamps decide only among truly concurrent values; what was written later replaces by its dot.
public struct Stamp: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970 in the upper 48 bits, a counter in the lower 16.
  public var time: UInt64
  /// The replica that drew the stamp; the lower id wins a tie, so it compares as the greater.
  public var replica: ReplicaID

  /// Makes a stamp from the packed time and its author.
  public init(time: UInt64, replica: ReplicaID) {
    self.time = time
    self.replica = replica
  }

  /// Milliseconds since 1970.
  public var milliseconds: Int64 { Int64(time >> 16) }

  public static func < (left: Stamp, right: Stamp) -> Bool {
    left.time != right.time ? left.time < right.time : left.replica > right.replica
  }

  /// Packs milliseconds into the upper 48 bits; times outside of 1970–10889 are clamped.
  public static func pack(milliseconds: Int64, counter: UInt16 = 0) -> UInt64 {
    let clamped = min(max(milliseconds, 0), (1 << 48) - 1)
    return UInt64(clamped) << 16 | UInt64(counter)
  }
}

/// Draws stamps that grow, close to the physical time.
///
/// It follows stamps seen from others at most ``maximumLead`` ahead of the physical clock, so that
/// one device with a wrong clock cannot drag all others into the future, and falls back to the
/// physical clock when it is further ahead than that (its own clock was wrong).
package struct HybridClock: Sendable {
  /// How far, in milliseconds, the clock may run ahead of the physical one: five minutes.
  package static let maximumLead: Int64 = 300_000

  /// The last time drawn, packed as in ``Stamp/time``.
  package private(set) var last: UInt64

  /// Continues after `last`.
  package init(last: UInt64 = 0) { self.last = last }

  /// Draws the next time at the physical time `now`.
  package mutating func tick(now: Int64) -> UInt64 {
    let physical = Stamp.pack(milliseconds: now)
    let next = last &+ 1
    last = next > physical && next <= Self.ceiling(now) ? next : physical
    return last
  }

  /// Takes note of a stamp made elsewhere.
  package mutating func observe(_ time: UInt64, now: Int64) {
    guard time <= Stamp.pack(milliseconds: now &+ Self.maximumLead) else { return }
    // What is too far ahead is about to fall back; it must not hide a stamp that can be followed.
    if time > last || last > Self.ceiling(now) { last = time }
  }

  /// The last time that may be drawn: the end of a millisecond whose beginning may be followed, so
  /// that there is room for own stamps behind one that was seen at the very edge.
  private static func ceiling(_ now: Int64) -> UInt64 {
    Stamp.pack(milliseconds: now &+ maximumLead, counter: .max)
  }
}
