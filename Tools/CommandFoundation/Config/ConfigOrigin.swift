/// Where a setting got its value.
package enum ConfigOrigin: Hashable, Sendable {
  /// An option of this command line, such as `--max-delete`.
  case flag(String)
  /// An environment variable.
  case environment(String)
  /// A position in a file; line and column count from 1, columns in Unicode scalars.
  case file(String, line: Int, column: Int)
  /// Not set.
  case builtIn

  /// The line in a file, nil elsewhere.
  package var line: Int? { if case .file(_, let line, _) = self { line } else { nil } }

  /// The column in a file, nil elsewhere.
  package var column: Int? { if case .file(_, _, let column) = self { column } else { nil } }

  /// The path of the file, nil elsewhere.
  package var path: String? { if case .file(let path, _, _) = self { path } else { nil } }
}

extension ConfigOrigin: CustomStringConvertible {
  package var description: String {
    switch self {
    case .flag(let name), .environment(let name): name
    case .file(let path, let line, let column): "\(path):\(line):\(column)"
    case .builtIn: "default"
    }
  }
}
