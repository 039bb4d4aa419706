import ArgumentParser

/// How a command prints what it found.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
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

  /// Whether a program reads it as JSON, so that errors are objects too.
  var isJSON: Bool { self == .json || self == .jsonl }
}

/// When something that only suits a terminal is done.
enum When: String, CaseIterable, ExpressibleByArgument, Sendable {
  case auto, always, never
}

/// What messages on standard error look like.
enum LogFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
  case text, json
}
