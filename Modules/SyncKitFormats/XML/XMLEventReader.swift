import CSyncKitExpat

/// Reads XML of any length in chunks and hands out what it comes across, in constant memory.
///
/// ```swift
/// let reader = try XMLEventReader { event in
///   if case .start("Record", let attributes) = event { count(attributes["type"]) }
/// }
/// for chunk in chunks { try reader.feed(chunk) }
/// try reader.finish()
/// ```
///
/// The same text gives the same events however it is split; they may come some kilobytes late. Comments
/// and processing instructions are passed over. Nothing outside the text is ever read, and a text that
/// declares entities is refused, so that no reference stands for more than one character.
///
/// Encodings: UTF-8, UTF-16, ISO 8859-1 and ASCII. A reader is used up after an error, which it throws
/// again. It must not be fed by its own closure.
///
/// Source: [Extensible Markup Language 1.0](https://www.w3.org/TR/xml/), without namespaces.
public final class XMLEventReader {
  /// What is read, and how much of it.
  public struct Options: Sendable {
    /// Whether to pass over a document type declaration, sound or not, and to drop control characters
    /// that XML does not allow, as the exports of Apple Health have both.
    public var isTolerant = false
    /// Whether text that is only white space is passed over.
    public var skipsBlankText = false
    /// How deep elements may lie in each other.
    public var depth = 256
    /// How many bytes a tag may have with all its attributes, or a comment.
    public var tagLength = 1 << 20
    /// How many bytes of text may come between two tags.
    public var textLength = 16 << 20

    /// The limits as they are, and no tolerance.
    public init() {}

    /// The limits as they are, tolerant, and without blank text: for records in elements.
    public static var exports: Options {
      var options = Options()
      options.isTolerant = true
      options.skipsBlankText = true
      return options
    }
  }

  /// Smaller pieces are gathered, as the parser starts an unfinished tag again with each.
  private static let pieceLength = 1 << 14

  let options: Options
  let parser: XML_Parser
  private let handle: (XMLEvent) throws -> Void
  private var tidier = XMLTidier()
  private var gathered: [UInt8] = []
  private var fedCount = 0
  private var depth = 0
  private var text: [UInt8] = []
  private var failure: (any Error)?
  private var isFeeding = false

  /// Prepares for the first byte.
  ///
  /// - Parameters:
  ///   - options: What is read, and how much of it.
  ///   - handle: Takes every event in order; what it throws ends the reading and is passed on.
  /// - Throws: ``XMLError`` when there is not enough memory.
  public init(
    options: Options = Options(), _ handle: @escaping (XMLEvent) throws -> Void
  ) throws {
    guard let parser = XML_ParserCreate(nil) else {
      throw XMLError(line: 1, column: 1, message: "there is not enough memory to read XML")
    }
    self.options = options
    self.parser = parser
    self.handle = handle
    setHandlers()
  }

  deinit { XML_ParserFree(parser) }

  /// The line and the column, from 1, of the event that is being handed out.
  public var place: (line: Int, column: Int) {
    (
      Int(clamping: XML_GetCurrentLineNumber(parser)),
      Int(clamping: XML_GetCurrentColumnNumber(parser)) + 1
    )
  }

  /// Reads the next bytes of the text, split anywhere.
  ///
  /// - Throws: ``XMLError`` when the text is not well-formed or exceeds a limit; and what the closure
  ///   throws.
  public func feed(_ bytes: ArraySlice<UInt8>) throws {
    try checkState()
    if options.isTolerant {
      tidier.compactLogs(bytes, into: &gathered)
    } else if gathered.isEmpty, bytes.count >= Self.pieceLength {
      return try parse(bytes)
    } else {
      gathered += bytes
    }
    if gathered.count >= Self.pieceLength { try parseGathered() }
  }

  /// Reads the next bytes of the text.
  ///
  /// - Throws: As ``feed(_:)-(ArraySlice<UInt8>)``.
  public func feed(_ bytes: [UInt8]) throws { try feed(bytes[...]) }

  /// Says that the text ends here, and hands out what is left of it.
  ///
  /// - Throws: ``XMLError`` when the text must not end here; and what the closure throws.
  public func finish() throws {
    try checkState()
    tidier.finish(into: &gathered)
    try parseGathered()
    if tidier.isInDoctype {
      try end(with: error("the document type declaration is never closed"))
    }
    try parse([], isLast: true)
  }

  private func checkState() throws {
    if let failure { throw failure }
    guard !isFeeding else { try end(with: error("the reader was fed by its own closure")) }
  }

  private func parseGathered() throws {
    var bytes: [UInt8] = []
    swap(&bytes, &gathered)
    try parse(bytes[...])
    // The room is used again.
    bytes.removeAll(keepingCapacity: bytes.count <= 1 << 18)
    swap(&bytes, &gathered)
  }

  private func parse(_ bytes: ArraySlice<UInt8>, isLast: Bool = false) throws {
    isFeeding = true
    defer { isFeeding = false }
    var rest = bytes
    repeat {
      let piece = rest.prefix(1 << 16)
      rest = rest.dropFirst(piece.count)
      let status = withExtendedLifetime(self) {
        piece.withUnsafeBytes { buffer in
          XML_Parse(
            parser, buffer.bindMemory(to: CChar.self).baseAddress,
            Int32(truncatingIfNeeded: buffer.count), isLast ? 1 : 0)
        }
      }
      if let failure { throw failure }
      guard status == XML_STATUS_OK else {
        try end(with: error(XMLProblem.words(XML_GetErrorCode(parser))))
      }
      fedCount += piece.count
      // What is not used yet is one tag or comment that has not ended.
      let start = Int(clamping: XML_GetCurrentByteIndex(parser))
      guard start < 0 || fedCount - start <= options.tagLength else { try end(with: tooLong) }
    } while !rest.isEmpty
  }

  private var tooLong: XMLError {
    error("a tag or comment is longer than \(options.tagLength) bytes")
  }

  func error(_ message: String) -> XMLError {
    XMLError(line: place.line, column: place.column, message: message)
  }

  private func end(with error: any Error) throws -> Never {
    failure = error
    throw error
  }

  // MARK: What the parser comes across

  func start(_ name: String, _ attributes: XMLAttributes) {
    depth += 1
    guard depth <= options.depth else {
      return stop(error("elements are nested more than \(options.depth) levels deep"))
    }
    giveText()
    give(.start(name: name, attributes: attributes))
  }

  func end(_ name: String) {
    depth -= 1
    giveText()
    give(.end(name: name))
  }

  func append(_ bytes: UnsafeRawBufferPointer) {
    guard failure == nil else { return }
    guard bytes.count <= options.textLength - text.count else {
      return stop(error("a text is longer than \(options.textLength) bytes"))
    }
    text += bytes
  }

  func stop(_ error: any Error) {
    guard failure == nil else { return }
    failure = error
    XML_StopParser(parser, 0)
  }

  private func giveText() {
    guard !text.isEmpty else { return }
    let isBlank = text.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x09 || $0 == 0x0D }
    if !(isBlank && options.skipsBlankText) {
      give(.text(String(decoding: text, as: UTF8.self)))
    }
    text.removeAll(keepingCapacity: text.count <= 1 << 16)
  }

  private func give(_ event: XMLEvent) {
    // The end of an element without content comes even after the parser was stopped.
    guard failure == nil else { return }
    do { try handle(event) } catch { stop(error) }
  }
}
