/// What a program or a server says, made fit for a message.
enum SSHWords {
  /// Text of a foreign place as one line without control characters, cut after 500 characters; its end is kept.
  static func line(_ bytes: some Collection<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split { $0.isNewline }.map { line in
      String(
        String.UnicodeScalarView(
          line.unicodeScalars.map { isPlain($0) ? $0 : "\u{FFFD}" })
      )
    }
    .map { $0.trimming { $0 == " " || $0 == "@" } }
    .filter { !$0.isEmpty }
    let joined = lines.joined(separator: "; ")
    return joined.count > 500 ? "…\(joined.suffix(499))" : joined
  }

  /// Neither a control character nor one that changes the direction of the text.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}

extension String {
  /// Without such characters at both ends.
  fileprivate func trimming(_ isLeftOut: (Character) -> Bool) -> String {
    var rest = self[...]
    while let first = rest.first, isLeftOut(first) { rest.removeFirst() }
    while let last = rest.last, isLeftOut(last) { rest.removeLast() }
    return String(rest)
  }
}
