/// Parses a stream of server-sent events, as far as news need it.
///
/// Lines end with LF, CR or both; a line or an event that is longer than any of ours is a fault.
struct EventParser {
  /// An event.
  struct Event: Equatable {
    var name: String
    var data: String
  }

  /// The longest line and the longest event, in bytes.
  static let limit = 1 << 16

  private var line: [UInt8] = []
  private var name = ""
  private var data: [String] = []
  private var size = 0
  private var followsReturn = false

  /// Takes bytes in and gives the events that end in them; nil when there is no end to something.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [Event]? {
    var events: [Event] = []
    for byte in bytes {
      if byte == 0x0A, followsReturn {
        followsReturn = false
        continue
      }
      followsReturn = byte == 0x0D
      guard byte == 0x0A || byte == 0x0D else {
        line.append(byte)
        guard line.count <= Self.limit else { return nil }
        continue
      }
      let text = String(decoding: line, as: UTF8.self)
      line.removeAll(keepingCapacity: true)
      if let event = end(text) { events.append(event) }
      guard size <= Self.limit else { return nil }
    }
    return events
  }

  private mutating func end(_ line: String) -> Event? {
    guard !line.isEmpty else {
      defer {
        name = ""
        data = []
        size = 0
      }
      guard !name.isEmpty || !data.isEmpty else { return nil }
      return Event(name: name.isEmpty ? "message" : name, data: data.joined(separator: "\n"))
    }
    let colon = line.firstIndex(of: ":") ?? line.endIndex
    var value = line[colon...].dropFirst()
    if value.first == " " { value.removeFirst() }
    switch line[..<colon] {
    case "event": name = String(value)
    case "data":
      data.append(String(value))
      size += value.utf8.count + 1
    default: break
    }
    return nil
  }
}
