import CSyncKitYAML

/// The events of one YAML text, one at a time, as libyaml reports them.
///
/// The bytes must outlive the reader: libyaml reads them where they are.
final class YAMLEvents {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let bytes: UnsafeBufferPointer<UInt8>

  /// Begins to read; nil when there is no memory left for it.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    parser = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    guard yaml_parser_initialize(parser) == 1 else {
      parser.deallocate()
      return nil
    }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  /// Takes the next event and hands it to the body before it is released.
  func next<Result>(
    _ body: (yaml_event_t) throws(YAMLError) -> Result
  ) throws(YAMLError) -> Result {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw problem() }
    defer { yaml_event_delete(&event) }
    return try body(event)
  }

  /// The position of a mark of libyaml's.
  func mark(_ mark: yaml_mark_t) -> YAMLMark {
    YAMLMark(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }

  private func problem() -> YAMLError {
    let words = YAMLProblem.words(parser.pointee)
    guard parser.pointee.error != YAML_READER_ERROR else {
      return YAMLError(mark(ofByte: Int(parser.pointee.problem_offset)), words)
    }
    return YAMLError(mark(parser.pointee.problem_mark), words)
  }

  /// The position of a byte, which is all that is known where the text is not UTF-8.
  private func mark(ofByte offset: Int) -> YAMLMark {
    var line = 1
    var column = 1
    for byte in bytes.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return YAMLMark(line: line, column: column)
  }
}
