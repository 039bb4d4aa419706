/// Bytes of the formats, taken apart as the pages describe them: each field with what it means.
struct ExampleBytes {
  private let bytes: [UInt8]
  private var place = 0
  private var lines: [String] = []

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A change of one operation.
  static func change(_ bytes: [UInt8]) -> [String] {
    var walk = ExampleBytes(bytes)
    walk.take(1, "flags: ends its batch, no other stamp author")
    walk.take(8, "stamp time")
    walk.take(10, "batch")
    walk.number("part 0")
    walk.vector("context")
    walk.number("one collection")
    walk.text("collection")
    walk.number("  its schema version")
    let names = walk.number("names used below")
    for index in 0..<names { walk.text("name \(index)") }
    walk.number("one operation")
    walk.take(1, "  kind: edit, without a stamp of its own")
    walk.number("  collection 0")
    walk.value("  id")
    let writes = walk.number("  writes")
    for _ in 0..<writes {
      let name = walk.number("  name")
      let flags = walk.bytes[walk.place]
      let what = flags & 2 == 0 ? "a value" : "a value and a prior one"
      walk.take(1, "    flags of name \(name): \(what)")
      walk.value("    value")
      if flags & 2 != 0 { walk.value("    prior value") }
    }
    return walk.finished
  }

  /// A segment of one change that is stored as it is.
  static func segment(_ bytes: [UInt8]) -> [String] {
    var walk = ExampleBytes(bytes)
    walk.take(8, "magic")
    walk.number("version")
    walk.number("no features")
    walk.number("key epoch")
    walk.take(1, "cipher suite")
    walk.number("no signature")
    walk.number("no blob references")
    walk.text("domain")
    walk.text("zone")
    walk.take(16, "series")
    walk.number("first")
    walk.number("no further change")
    walk.take(16, "previous: hash of \"cloudsync series 1\", NUL, \"home\", NUL, the series")
    walk.take(16, "head: hash of previous and the change")
    walk.vector("base")
    walk.number("operations")
    walk.number("deletions")
    walk.take(8, "newest stamp time")
    // Were it packed, no reader could follow it.
    walk.take(1, walk.bytes[walk.place] == 0 ? "compression: stored" : "it is packed")
    walk.number("raw length")
    walk.number("payload length")
    let length = walk.number("length of the change")
    walk.take(length, "the change")
    walk.take(16, "trailer: hash of all before")
    return walk.finished
  }

  private var finished: [String] {
    place == bytes.count ? lines : lines + ["\(bytes.count - place) bytes are left"]
  }

  static func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  // MARK: Taking

  private mutating func note(_ part: ArraySlice<UInt8>, _ meaning: String) {
    let digits = Self.hex(part)
    var rest = digits[...]
    var isFirst = true
    while isFirst || !rest.isEmpty {
      let row = rest.prefix(40)
      rest = rest.dropFirst(40)
      let blank = String(repeating: " ", count: 40 - row.count)
      lines.append(isFirst ? "\(row)\(blank)  \(meaning)" : "\(row)")
      isFirst = false
    }
  }

  private mutating func take(_ count: Int, _ meaning: String) {
    let end = min(place + count, bytes.count)
    note(bytes[place..<end], meaning)
    place = end
  }

  /// A number that is known to be small or not: it is shown with its value.
  @discardableResult
  private mutating func number(_ meaning: String) -> Int {
    let start = place
    let value = read()
    note(bytes[start..<place], "\(meaning)\(meaning.last == "0" ? "" : ": \(value)")")
    return value
  }

  private mutating func read() -> Int {
    var (value, shift) = (0, 0)
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      value |= Int(byte & 0x7F) << shift
      shift += 7
      if byte < 0x80 { break }
    }
    return value
  }

  private mutating func text(_ meaning: String) {
    let start = place
    let length = read()
    let end = min(place + length, bytes.count)
    let text = String(decoding: bytes[place..<end], as: UTF8.self)
    place = end
    note(bytes[start..<end], "\(meaning): \"\(text)\"")
  }

  private mutating func vector(_ meaning: String) {
    let count = number("\(meaning): entries")
    for _ in 0..<count {
      take(16, "  series")
      number("  last change")
      take(16, "  its hash")
    }
  }

  private mutating func value(_ meaning: String) {
    let start = place
    let tag = bytes[place]
    place += 1
    switch tag {
    case 5:
      let length = read()
      let end = min(place + length, bytes.count)
      let text = String(decoding: bytes[place..<end], as: UTF8.self)
      place = end
      note(bytes[start..<end], "\(meaning): string \"\(text)\"")
    case 7:
      let raw = read()
      note(bytes[start..<place], "\(meaning): instant \(raw >> 1)")
    case 9:
      let count = read()
      note(bytes[start..<place], "\(meaning): map of \(count)")
      let indent = String(meaning.prefix { $0 == " " }) + "  "
      for _ in 0..<count {
        text("\(indent)member")
        value("\(indent)  value")
      }
    default: note(bytes[start..<place], "\(meaning): tag \(tag)")
    }
  }
}
