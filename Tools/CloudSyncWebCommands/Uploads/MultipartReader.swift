/// Reads a form with a file, `multipart/form-data`, as it arrives.
///
/// What is before the first boundary and after the last one is not taken. A form has at most one file. Nothing is kept
/// but what has arrived of a boundary, of the headers of a part, or of a short field.
///
/// Sources: [RFC 7578](https://www.rfc-editor.org/rfc/rfc7578),
/// [RFC 2046](https://www.rfc-editor.org/rfc/rfc2046#section-5.1), and for the names
/// [HTML](https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data).
struct MultipartReader {
  /// What has arrived.
  enum Event: Equatable {
    case field(name: String, value: String)
    /// A file begins; its name as the browser says it, empty where none was chosen.
    case file(name: String, fileName: String)
    /// The next bytes of the file.
    case bytes([UInt8])
  }

  /// Why a form is refused.
  enum Refusal: Error, Equatable {
    /// It is another type, or has no boundary.
    case otherType
    /// It breaks the rules of the format.
    case malformed
    /// It ends before its last boundary.
    case truncated
    /// It has a second file.
    case secondFile
    /// A header, a field, or the number of them is beyond what a page of ours sends.
    case tooLarge
  }

  private enum State: Equatable {
    /// Before the first boundary.
    case start
    /// Behind a boundary: the line ends, or the form.
    case boundary
    case headers
    case field(name: String)
    case file
    case end
  }

  private static let longestHeaders = 8 << 10
  private static let longestField = 64 << 10
  private static let mostFields = 32
  private static let lineEnd = Array("\r\n".utf8)
  private static let headersEnd = Array("\r\n\r\n".utf8)

  private var state = State.start
  /// What has arrived and is not told yet.
  private var pending: [UInt8] = []
  /// What ends a part: the end of its last line, two dashes and the boundary.
  private let delimiter: [UInt8]
  private var fields = 0
  private var hasFile = false

  /// Begins with the field `Content-Type` of a request.
  init(contentType: String?) throws(Refusal) {
    let type = HeaderValue(contentType ?? "")
    guard type.value.lowercased() == "multipart/form-data", let boundary = type["boundary"],
      1...70 ~= boundary.utf8.count, boundary.utf8.allSatisfy({ 0x20...0x7E ~= $0 }),
      boundary.last != " "
    else { throw .otherType }
    delimiter = Self.lineEnd + Array("--\(boundary)".utf8)
  }

  /// Takes the next bytes.
  mutating func read(_ bytes: some Sequence<UInt8>) throws(Refusal) -> [Event] {
    // Nothing of ours follows the last boundary.
    if state == .end { return [] }
    pending.append(contentsOf: bytes)
    var events: [Event] = []
    while try step(&events) {}
    return events
  }

  /// Notes that nothing follows.
  func finish() throws(Refusal) { guard state == .end else { throw .truncated } }

  // MARK: Steps

  /// Goes on by one step.
  ///
  /// - Returns: Whether there may be another one in what has arrived.
  private mutating func step(_ events: inout [Event]) throws(Refusal) -> Bool {
    switch state {
    case .start: return try readStart()
    case .boundary: return try readBoundary()
    case .headers: return try readHeaders(&events)
    case .field(let name): return try readField(name, &events)
    case .file: return readFile(&events)
    case .end:
      pending = []
      return false
    }
  }

  private mutating func readStart() throws(Refusal) -> Bool {
    let first = delimiter.dropFirst(2)
    guard pending.prefix(first.count).elementsEqual(first.prefix(pending.count)) else {
      throw .malformed
    }
    guard pending.count >= first.count else { return false }
    pending.removeFirst(first.count)
    state = .boundary
    return true
  }

  private mutating func readBoundary() throws(Refusal) -> Bool {
    guard pending.count >= 2 else { return false }
    let next = Array(pending.prefix(2))
    guard next == Self.lineEnd || next == Array("--".utf8) else { throw .malformed }
    pending.removeFirst(2)
    state = next == Self.lineEnd ? .headers : .end
    return true
  }

  private mutating func readHeaders(_ events: inout [Event]) throws(Refusal) -> Bool {
    guard let end = Self.place(of: Self.headersEnd, in: pending) else {
      guard pending.count <= Self.longestHeaders else { throw .tooLarge }
      return false
    }
    guard end <= Self.longestHeaders else { throw .tooLarge }
    let lines = String(decoding: pending[..<end], as: UTF8.self)
    pending.removeFirst(end + Self.headersEnd.count)
    try begin(lines, &events)
    return true
  }

  /// Begins the part with these headers.
  private mutating func begin(_ lines: String, _ events: inout [Event]) throws(Refusal) {
    let dispositions = lines.unicodeScalars.split { $0 == "\r" || $0 == "\n" }
      .map(String.init)
      .filter { $0.lowercased().hasPrefix("content-disposition:") }
    guard dispositions.count == 1, let line = dispositions.first else { throw .malformed }
    let disposition = HeaderValue(line.dropFirst("content-disposition:".count))
    guard disposition.value.lowercased() == "form-data", let name = disposition["name"] else {
      throw .malformed
    }
    if let fileName = disposition["filename"] {
      guard !hasFile else { throw .secondFile }
      hasFile = true
      state = .file
      events.append(.file(name: name, fileName: fileName))
    } else {
      fields += 1
      guard fields <= Self.mostFields else { throw .tooLarge }
      state = .field(name: name)
    }
  }

  private mutating func readField(_ name: String, _ events: inout [Event]) throws(Refusal) -> Bool {
    guard let end = Self.place(of: delimiter, in: pending) else {
      guard pending.count <= Self.longestField + delimiter.count else { throw .tooLarge }
      return false
    }
    guard end <= Self.longestField else { throw .tooLarge }
    events.append(.field(name: name, value: String(decoding: pending[..<end], as: UTF8.self)))
    pending.removeFirst(end + delimiter.count)
    state = .boundary
    return true
  }

  private mutating func readFile(_ events: inout [Event]) -> Bool {
    let end = Self.place(of: delimiter, in: pending)
    // The last bytes may be the beginning of a boundary.
    let count = end ?? max(0, pending.count - delimiter.count + 1)
    if count > 0 { events.append(.bytes(Array(pending[..<count]))) }
    pending.removeFirst(count)
    guard end != nil else { return false }
    pending.removeFirst(delimiter.count)
    state = .boundary
    return true
  }

  /// Where some bytes begin in others.
  private static func place(of wanted: [UInt8], in bytes: [UInt8]) -> Int? {
    var rest = bytes[...]
    while let start = rest.firstIndex(of: wanted[0]) {
      rest = rest[start...]
      guard rest.count >= wanted.count else { return nil }
      if rest.starts(with: wanted) { return start }
      rest = rest.dropFirst()
    }
    return nil
  }
}

/// The value of a header field with its parameters: `form-data; name="file"; filename="a.csv"`.
struct HeaderValue {
  let value: String
  private var parameters: [(name: String, value: String)] = []

  init(_ text: some StringProtocol) {
    var rest = Array(text.unicodeScalars)[...]
    value = Self.text(Self.take(&rest) { $0 != ";" })
    while rest.popFirst() != nil {
      let name = Self.text(Self.take(&rest) { $0 != "=" && $0 != ";" }).lowercased()
      guard rest.first == "=" else { continue }
      rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
      if rest.first == "\"" {
        rest = rest.dropFirst()
        parameters.append((name, Self.quoted(&rest)))
        _ = Self.take(&rest) { $0 != ";" }
      } else {
        parameters.append((name, Self.text(Self.take(&rest) { $0 != ";" })))
      }
    }
  }

  /// A parameter; nil where it is missing or there twice.
  subscript(name: String) -> String? {
    let found = parameters.filter { $0.name == name }
    return found.count == 1 ? found[0].value : nil
  }

  private static func take(
    _ rest: inout ArraySlice<Unicode.Scalar>, while isWanted: (Unicode.Scalar) -> Bool
  ) -> ArraySlice<Unicode.Scalar> {
    let taken = rest.prefix(while: isWanted)
    rest = rest[taken.endIndex...]
    return taken
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    let isSpace: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" }
    let trimmed = scalars.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
    return string(trimmed)
  }

  /// The text up to the next quotation mark.
  ///
  /// Browsers escape the mark and line ends as `%22`, `%0D` and `%0A` and nothing else, so that a backslash is one;
  /// other programs write a mark as `\"`.
  private static func quoted(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
    var taken: [Unicode.Scalar] = []
    while let scalar = rest.popFirst(), scalar != "\"" {
      if scalar == "\\", rest.first == "\"", rest.dropFirst().contains("\"") {
        taken.append("\"")
        rest = rest.dropFirst()
      } else {
        taken.append(scalar)
      }
    }
    return string(taken).replacing("%22", with: "\"").replacing("%0D", with: "\r")
      .replacing("%0A", with: "\n")
  }

  private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    return text
  }
}
