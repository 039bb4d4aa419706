extension JSON {
  /// The value as UTF-8, the same bytes for the same value and order of members each time.
  ///
  /// Only what RFC 8259 demands is escaped: quotes, backslashes and the control characters below
  /// U+0020. Doubles are written as shortly as reads back to the same double, and never look like a
  /// whole number: 5 is `5.0`. Infinities and not-a-number, which JSON lacks, become `null`. There is no
  /// newline at the end. Pretty means a line for each member or element, indented by two spaces;
  /// otherwise there is no space at all.
  public func serialized(pretty: Bool = false) -> [UInt8] {
    var writer = JSONWriter(pretty: pretty)
    writer.write(self)
    return writer.output
  }

  /// What ``serialized(pretty:)`` gives, as a string.
  public func text(pretty: Bool = false) -> String {
    String(decoding: serialized(pretty: pretty), as: UTF8.self)
  }
}

extension JSON: CustomStringConvertible {
  public var description: String { text() }
}
