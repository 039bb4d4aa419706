import CommandFoundation
import SyncKitFormats

/// One check of the doctor.
struct DoctorCheck: Sendable {
  enum Outcome: String, Sendable {
    /// Everything is in order.
    case ok
    /// Worth knowing, without anything to do.
    case info
    /// It works, but perhaps not for long.
    case warning
    /// It does not work.
    case error
    /// It did not work, and works now.
    case fixed
  }

  /// The subject, a stable word: config, folders, files, clock, disk, store, sync, token, remote, schedule.
  var subject: String
  var outcome: Outcome
  /// The finding, as a sentence without a full stop.
  var message: String
  /// What to do about it.
  var advice: String?

  init(_ subject: String, _ outcome: Outcome, _ message: String, advice: String? = nil) {
    self.subject = subject
    self.outcome = outcome
    self.message = message
    self.advice = advice.map(Program.words)
  }

  /// Whether it needs attention, or did.
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
