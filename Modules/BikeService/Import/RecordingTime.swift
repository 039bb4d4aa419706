import SyncKitFormats

/// Reads the times of points, `2026-03-01T08:00:00Z` and what recorders write in its place.
///
/// A time without a zone is that of the place where it is read.
struct RecordingTime: Sendable {
  private let zone: @Sendable (Int64) -> Int64
  private static let column = DateColumn([])

  /// Takes the zone of the place: the point in time for a clock on the wall.
  init(zone: @escaping @Sendable (Int64) -> Int64) { self.zone = zone }

  /// Milliseconds since 1970; nil for a text that is no time.
  func parse(_ text: String) -> Int64? {
    if let time = Timestamp.parse(text) { return time }
    guard let time = Self.column.read(text).time, time.time != nil else { return nil }
    return time.milliseconds(zone: zone)
  }
}
