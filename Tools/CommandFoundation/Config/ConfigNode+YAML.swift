import YAMLDocuments

extension ConfigNode {
  /// How large a file may be, in bytes.
  package static let maximumSize = 1 << 20

  /// Reads one document.
  ///
  /// - Parameters:
  ///   - bytes: The whole file, UTF-8.
  ///   - path: The file's name for messages.
  /// - Returns: Nil when the file has nothing but comments.
  /// - Throws: ``ConfigProblem`` with line and column.
  package static func parse(_ bytes: [UInt8], path: String) throws(ConfigProblem) -> ConfigNode? {
    let limits = YAMLParser.Limits(depth: 16, size: maximumSize, allowsTags: false)
    do {
      return try YAMLParser.parse(bytes, limits: limits).map { ConfigNode($0, path: path) }
    } catch {
      throw ConfigProblem(
        .file(path, line: error.mark.line, column: error.mark.column), error.message)
    }
  }

  fileprivate init(_ node: YAMLNode, path: String) {
    let content: Content =
      switch node.content {
      case .scalar(let text, let style): .scalar(text, style: style)
      case .list(let items, let isFlow):
        .list(items.map { ConfigNode($0, path: path) }, isFlow: isFlow)
      case .map(let entries, let isFlow):
        .map(entries.map { ConfigEntry($0, path: path) }, isFlow: isFlow)
      }
    self.init(content: content, origin: ConfigOrigin(node.mark, path), span: node.span)
  }
}

extension ConfigEntry {
  fileprivate init(_ entry: YAMLEntry, path: String) {
    self.init(
      key: entry.key, origin: ConfigOrigin(entry.mark, path), span: entry.span,
      value: ConfigNode(entry.value, path: path))
  }
}

extension ConfigOrigin {
  fileprivate init(_ mark: YAMLMark, _ path: String) {
    self = .file(path, line: mark.line, column: mark.column)
  }
}
