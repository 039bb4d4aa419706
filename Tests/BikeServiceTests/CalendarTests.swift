import BikeService
import SyncKit
import Testing

/// The calendar that other programs read.
struct CalendarTests {
  private func calendar(_ events: [ICalendar.Event]) -> String {
    String(
      decoding: ICalendar(name: "Bike, service", events: events, written: 1_717_200_000_000).bytes,
      as: UTF8.self)
  }

  @Test func `an event is a whole day with a stable name`() {
    let event = ICalendar.Event(
      uid: "service-interval-b1-chain@cloudsync", day: 1_717_243_200_000,
      summary: "Chain; b\\1, now",
      details: "one\ntwo\u{7}")
    #expect(
      calendar([event])
        == [
          "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//cloudsync//bike//EN", "CALSCALE:GREGORIAN",
          "METHOD:PUBLISH", "X-WR-CALNAME:Bike\\, service", "BEGIN:VEVENT",
          "UID:service-interval-b1-chain@cloudsync", "DTSTAMP:20240601T000000Z",
          "DTSTART;VALUE=DATE:20240601", "DTEND;VALUE=DATE:20240602",
          "SUMMARY:Chain\\; b\\\\1\\, now", "DESCRIPTION:one\\ntwo", "TRANSP:TRANSPARENT",
          "END:VEVENT",
          "END:VCALENDAR", "",
        ].joined(separator: "\r\n"))
  }

  @Test func `lines are folded at 75 bytes, never within a character`() {
    let summary = String(repeating: "Öl🛢️é", count: 30)
    let text = calendar([ICalendar.Event(uid: "u", day: 0, summary: summary, details: "")])
    for line in text.split(separator: "\r\n") {
      #expect(line.utf8.count <= 75)
      #expect(!line.contains("\u{FFFD}"))
    }
    #expect(text.replacing("\r\n ", with: "").contains("SUMMARY:\(summary)\r\n"))
  }

  @Test func `each interval with a date is an event, at its bike`() throws {
    let rider = try Rider("a")
    try rider.interval("Chain", bike: "b9", ["intervalTime": 5])
    try rider.interval("Fluid", ["intervalDays": 10, "lastServiceDate": .instant(Rider.start)])
    let events = ServiceCalendar.events(try rider.due(day: 1))
    #expect(events.map(\.summary) == ["Fluid: bike b1, not here"])
    #expect(events[0].day == Rider.start + 10 * Rider.day)
    #expect(events[0].details == "1 day of 10 days used")
    #expect(events[0].uid.hasPrefix("service-interval-"))
  }
}
