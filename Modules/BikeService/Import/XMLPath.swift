import SyncKitFormats

/// Walks through an XML text and reports elements with their paths, without prefixes.
///
/// Blanks before the declaration, which XML does not allow and Strava's own exports have, are passed over.
///
/// - Parameters:
///   - bytes: The whole text.
///   - start: Called at the start of each element, with the names from the root to it.
///   - end: Called at its end, with its text.
/// - Throws: ``SyncKitFormats/XMLError`` with the place.
func walkXML(
  _ bytes: [UInt8], start: @escaping ([String], XMLAttributes) -> Void,
  end: @escaping ([String], String) -> Void
) throws {
  var path: [String] = []
  var text = ""
  func plain(_ name: String) -> String {
    name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
  }
  var options = XMLEventReader.Options()
  options.isTolerant = true
  let reader = try XMLEventReader(options: options) { event in
    switch event {
    case .start(let name, let attributes):
      path.append(plain(name))
      text = ""
      start(path, attributes)
    case .text(let more):
      if text.utf8.count < 1 << 16 { text += more }
    case .end:
      end(path, text.trimmed)
      text = ""
      if !path.isEmpty { path.removeLast() }
    }
  }
  try reader.feed(withoutLeadingBlanks(bytes))
  try reader.finish()
}

/// A text from its first byte that is not a blank, and after a byte order mark that blanks follow.
func withoutLeadingBlanks(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
  func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 9...13 ~= byte }
  var rest = bytes[...]
  let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  while let first = rest.first {
    if isBlank(first) {
      rest = rest.drop(while: isBlank)
    } else if rest.starts(with: mark) {
      rest = rest.dropFirst(3)
    } else {
      break
    }
  }
  return rest
}
