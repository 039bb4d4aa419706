@testable import SyncKitHTTP
import Testing

/// A stream of events, whatever ends its lines and wherever it is cut.
@Suite struct EventParserTests {
  private static func event(_ name: String, _ data: String) -> EventParser.Event {
    EventParser.Event(name: name, data: data)
  }

  /// What a parser makes of a text that comes in parts of that many bytes.
  private func events(_ text: String, parts: Int) -> [EventParser.Event]? {
    var parser = EventParser()
    var found: [EventParser.Event] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: parts) {
      guard let more = parser.take(bytes[start..<min(start + parts, bytes.count)]) else {
        return nil
      }
      found += more
    }
    return found
  }

  @Test(arguments: [
    ("event: news\ndata: a\n\n", [event("news", "a")]),
    ("event: news\rdata: a\r\r", [event("news", "a")]),
    ("event: news\r\ndata: a\r\n\r\n", [event("news", "a")]),
    // A line that ends with CR alone may be followed by one that is empty and ends with LF.
    ("data: a\r\r\ndata: b\n\n", [event("message", "a"), event("message", "b")]),
    ("data: a\rb: c\n\ndata: d\n\r", [event("message", "a"), event("message", "d")]),
    // Two ends of an event, between which there is none.
    ("data: a\n\n\n\r\ndata: b\n\n", [event("message", "a"), event("message", "b")]),
    ("event: x\ndata: a\n\ndata: b\n\n", [event("x", "a"), event("message", "b")]),
    ("data: a\ndata\ndata:b\ndata:  c\n\n", [event("message", "a\n\nb\n c")]),
    (": nothing\nid: 7\nretry: 1\n\ndata: a\n\n", [event("message", "a")]),
    ("event: news\n\n", [event("news", "")]),
    ("data: a\n\ndata: unfinished\n", [event("message", "a")]),
  ])
  func `lines end with LF, CR or both, in one part or in many`(
    _ text: String, _ expected: [EventParser.Event]
  ) {
    for parts in [1, 2, 3, 5, 1_000] { #expect(events(text, parts: parts) == expected) }
  }

  @Test func `a stream goes on however much it has sent`() {
    let line = "data: \(String(repeating: "x", count: 1_000))\n\n"
    let many = String(repeating: line, count: 2 * EventParser.limit / 1_000)
    #expect(events(many, parts: 4_096)?.count == 2 * EventParser.limit / 1_000)
  }

  @Test func `a line or an event that is longer than any of ours is a fault`() {
    let line = String(repeating: "x", count: EventParser.limit)
    #expect(events(line, parts: 4_096) == [])
    #expect(events(line + "x", parts: 4_096) == nil)
    // Of an event each line counts with its end.
    let half = "data:" + String(repeating: "x", count: EventParser.limit / 2 - 1) + "\n"
    #expect(events(half + half + "\n", parts: 4_096)?.count == 1)
    #expect(events(half + half + "data\n\n", parts: 4_096) == nil)
  }
}
