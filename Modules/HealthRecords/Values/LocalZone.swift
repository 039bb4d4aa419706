/// The time zone of times that name none, such as those in most tables.
public struct LocalZone: Sendable {
  /// Seconds east of Greenwich at a time on the clock on the wall, in milliseconds since 1970 as if it
  /// were in UTC.
  private let offset: @Sendable (Int64) -> Int64

  /// Makes a zone from its offsets.
  public init(offset: @escaping @Sendable (Int64) -> Int64) { self.offset = offset }

  /// Coordinated universal time.
  public static let utc = LocalZone { _ in 0 }

  /// The milliseconds by which that clock is ahead of UTC.
  func milliseconds(atWall milliseconds: Int64) -> Int64 { offset(milliseconds) * 1_000 }

  /// The zone's suffix of a time such as `+02:00`, `Z` for none.
  func suffix(atWall milliseconds: Int64) -> String {
    let seconds = offset(milliseconds)
    let minutes = (abs(seconds) + 30) / 60
    guard minutes > 0, minutes < 24 * 60 else { return "Z" }
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(seconds < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
  }
}
