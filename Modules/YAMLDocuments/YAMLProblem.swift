import CSyncKitYAML

/// What is wrong with a text of YAML, in words for its author.
///
/// libyaml tells its problems only by texts, which speak of tokens and productions. They are known here by
/// what they contain; one that is not gets the words for its kind.
enum YAMLProblem {
  static func words(_ parser: yaml_parser_t) -> String {
    let problem = parser.problem.map { String(cString: $0) } ?? ""
    let context = parser.context.map { String(cString: $0) } ?? ""
    if let known = known.first(where: {
      problem.contains($0.problem) && context.contains($0.context)
    }) {
      return known.words
    }
    return switch parser.error {
    case YAML_MEMORY_ERROR: "there is not enough memory"
    case YAML_READER_ERROR: "this is not UTF-8 text"
    case YAML_SCANNER_ERROR: "this cannot be read as YAML; put the value in quotes"
    case YAML_PARSER_ERROR: "this does not belong here; look at the indentation"
    default: "this is not YAML"
    }
  }

  private static let known: [(problem: String, context: String, words: String)] = [
    ("control characters are not allowed", "", "a control character is not allowed"),
    (
      "cannot start any token", "",
      "a value cannot begin with this character; put it in quotes, and indent with spaces"
    ),
    ("tab", "", "a tab is not allowed here; indent with spaces"),
    (
      "mapping values are not allowed", "",
      "a ':' is not allowed here; put the value in quotes, or begin a new line"
    ),
    ("block sequence entries are not allowed", "", "a '-' is not allowed here; begin a new line"),
    ("mapping keys are not allowed", "", "a key is not allowed here; begin a new line"),
    ("could not find expected ':'", "", "a ':' is missing after the key"),
    ("did not find expected key", "", "a key was expected here; look at the indentation"),
    ("did not find expected '-'", "", "a '-' was expected here; look at the indentation"),
    ("did not find expected ',' or ']'", "", "a list lacks ',' or ']'"),
    ("did not find expected ',' or '}'", "", "a map lacks ',' or '}'"),
    ("did not find expected node content", "", "a value is missing"),
    (
      "did not find expected <document start>", "",
      "the text goes on where it should end; one file holds one document"
    ),
    ("unexpected end of stream", "quoted scalar", "a quote is not closed"),
    ("unexpected end of stream", "", "the text ends too early"),
    ("unexpected document indicator", "", "a quote is not closed before the next document begins"),
    (
      "unknown escape character", "",
      "there is no such escape; in single quotes a backslash stands for itself"
    ),
    ("did not find expected hexdecimal number", "", "an escape lacks hexadecimal digits"),
    ("invalid Unicode character escape code", "", "an escape stands for no character"),
    ("undefined alias", "", "there is no anchor of this name"),
    ("undefined tag handle", "", "there is no such tag"),
    ("duplicate %", "", "a directive appears twice"),
    ("incompatible YAML document", "", "this version of YAML is not supported; 1.2 and 1.1 are"),
    ("expected whitespace or line break", "", "a space or a new line is missing"),
    ("expected comment or a line break", "", "a new line is missing"),
    ("invalid leading UTF-8 octet", "", "this is not UTF-8 text"),
    ("invalid trailing UTF-8 octet", "", "this is not UTF-8 text"),
    ("incomplete UTF-8 octet sequence", "", "this is not UTF-8 text"),
  ]
}
