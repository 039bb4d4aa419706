import SyncKitFormats

/// Writes a calendar of whole days that any calendar app can read.
///
/// The same events give the same bytes but for the time of writing. Source:
/// [RFC 5545](https://www.rfc-editor.org/rfc/rfc5545).
public struct ICalendar: Sendable {
  /// An event of one day.
  public struct Event: Sendable {
    /// A stable name, the same when the event is written again.
    public var uid: String
    /// A time on the day of the event, in UTC.
    public var day: Int64
    /// The title.
    public var summary: String
    /// Further text.
    public var details: String

    /// Makes an event.
    public init(uid: String, day: Int64, summary: String, details: String) {
      self.uid = uid
      self.day = day
      self.summary = summary
      self.details = details
    }
  }

  private var lines: [String] = []

  /// Writes events, in the order in which they are given.
  ///
  /// - Parameters:
  ///   - name: The name of the calendar.
  ///   - events: Its events.
  ///   - written: The time of writing.
  public init(name: String, events: [Event], written: Int64) {
    lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//cloudsync//bike//EN", "CALSCALE:GREGORIAN",
      "METHOD:PUBLISH", "X-WR-CALNAME:\(Self.escaped(name))",
    ]
    for event in events {
      lines += [
        "BEGIN:VEVENT", "UID:\(Self.escaped(event.uid))", "DTSTAMP:\(Self.time(written))",
        "DTSTART;VALUE=DATE:\(Self.date(event.day))",
        "DTEND;VALUE=DATE:\(Self.date(event.day &+ 86_400_000))",
        "SUMMARY:\(Self.escaped(event.summary))", "DESCRIPTION:\(Self.escaped(event.details))",
        "TRANSP:TRANSPARENT", "END:VEVENT",
      ]
    }
    lines.append("END:VCALENDAR")
  }

  /// The whole calendar as UTF-8, lines folded and ended as the standard asks.
  public var bytes: [UInt8] { lines.flatMap(Self.folded) }

  /// A line in pieces of at most 75 bytes, none of which divides a character.
  private static func folded(_ line: String) -> [UInt8] {
    var result: [UInt8] = []
    var length = 0
    // Some programs show a character wrongly if its bytes are on two lines.
    let pieces = line.flatMap { character in
      character.utf8.count < 70
        ? [String(character)] : character.unicodeScalars.map { String($0) }
    }
    for piece in pieces {
      let bytes = Array(piece.utf8)
      if length + bytes.count > 75 {
        result += [0x0D, 0x0A, 0x20]
        length = 1
      }
      result += bytes
      length += bytes.count
    }
    return result + [0x0D, 0x0A]
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case ";": result += "\\;"
      case ",": result += "\\,"
      case "\n": result += "\\n"
      case "\r": break
      default:
        // Control characters are not allowed in any property.
        if scalar.value >= 0x20, scalar.value != 0x7F { result.unicodeScalars.append(scalar) }
      }
    }
    return result
  }

  private static func date(_ milliseconds: Int64) -> String {
    String(Timestamp.format(milliseconds: milliseconds).prefix(10).filter { $0 != "-" })
  }

  private static func time(_ milliseconds: Int64) -> String {
    let text = Timestamp.format(milliseconds: milliseconds).prefix(19)
    return text.filter { $0 != "-" && $0 != ":" } + "Z"
  }
}
