import CommandFoundation
import Formats

/// One thing that a doctor has looked at.
struct DoctorCheck: Sendable {
  enum Outcome: String, Sendable {
    /// As it should be.
    case ok
    /// Worth knowing, and nothing to do about.
    case info
    /// It works, and may not for long.
    case warning
    /// It does not work.
    case error
    /// It did not work, and does now.
    case fixed
  }

  /// What was looked at, a stable word: config, folders, files, clock, disk, store, sync, token, remote, schedule.
  var subject: String
  var outcome: Outcome
  /// What was found, as a sentence without full stop.
  var message: String
  /// What to do about it.
  var advice: String?

  init(_ subject: String, _ outcome: Outcome, _ message: String, advice: String? = nil) {
    self.subject = subject
    self.outcome = outcome
    self.message = message
    self.advice = advice.map(Program.words)
  }

  /// Whether somebody has something to do about it, or had.
  var isFinding: Bool { outcome != .ok && outcome != .info }

  var document: JSONObject {
    [
      "check": .string(subject), "outcome": .string(outcome.rawValue), "message": .string(message),
      "advice": advice.map { .string($0) } ?? .null,
    ]
  }

  var style: TextStyle {
    switch outcome {
    case .ok, .fixed: .good
    case .info: .plain
    case .warning: .warning
    case .error: .bad
    }
  }
}
