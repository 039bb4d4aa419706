import SyncKit

/// One thing that is wrong with the configuration, and where.
package struct ConfigProblem: Error, Equatable, Sendable {
  package var origin: ConfigOrigin
  /// A sentence without full stop; it never repeats a value that may be a secret.
  package var message: String
  /// What would be right, when that can be guessed.
  package var hint: String?

  package init(_ origin: ConfigOrigin, _ message: String, hint: String? = nil) {
    self.origin = origin
    self.message = message
    self.hint = hint
  }
}

extension ConfigProblem: CustomStringConvertible {
  /// `file:line:column: sentence`, as compilers and editors have it.
  package var description: String { "\(origin): \(message)" }
}

extension SyncError {
  /// The first of several problems, with the number of those left unsaid.
  package static func invalidConfiguration(_ problems: [ConfigProblem]) -> SyncError {
    guard let first = problems.first else {
      return SyncError(.configInvalid, "the configuration is invalid")
    }
    var message = first.description
    if problems.count > 1 {
      message += " (and \(problems.count - 1) more: cloudsync config validate)"
    }
    return SyncError(.configInvalid, message, hint: first.hint)
  }
}
