import ArgumentParser

/// How a command prints what it found.
package enum OutputFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// Aligned columns for people.
  case table
  /// Tab-separated values without a header, one record a line, never cut short.
  case plain
  /// One object with a `schema`.
  case json
  /// One record a line, each an object.
  case jsonl
  /// Comma-separated values with a header.
  case csv

  // The parser's own way to list them is slow, and every start pays for it.
  package static let allValueStrings = allCases.map { $0.rawValue }

  /// Whether a program reads it as JSON, so that errors are objects too.
  package var isJSON: Bool { self == .json || self == .jsonl }
}

/// When something that only suits a terminal is done.
package enum When: String, CaseIterable, ExpressibleByArgument, Sendable {
  case auto, always, never

  package static let allValueStrings = allCases.map { $0.rawValue }
}

/// What messages on standard error look like.
package enum LogFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
  case text, json

  package static let allValueStrings = allCases.map { $0.rawValue }
}
