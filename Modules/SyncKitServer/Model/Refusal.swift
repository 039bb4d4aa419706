import SyncWire

/// The refusals whose bytes must not tell why, so that nobody learns what exists.
enum Refusal {
  /// No token, a broken one, an unknown one, one that has ended: all the same.
  static let unauthenticated = WireError(
    .unauthenticated, "A token that is known here is needed.")
  /// What is not there, and what is somebody else's.
  static let notFound = WireError(.notFound, "There is no such thing here.")
  /// A code or an invitation that is spent, over or was never given.
  static let gone = WireError(.gone, "This code is spent, over, or was never given.")
  /// A part that does not allow what was asked.
  static let forbidden = WireError(.forbidden, "Your part in this does not allow it.")

  /// The host has shut an account, and says so to those who are in it.
  static let locked = WireError(.locked, "This account is locked by whoever runs the server.")

  static func scope(_ needed: TokenScope) -> WireError {
    WireError(.forbidden, "The token may not do this; it needs the scope '\(needed.rawValue)'.")
  }

  static func full(_ what: String, _ limit: Int64) -> WireError {
    WireError(.tooMany, "The account has \(limit) \(what) already, and may have no more.")
  }
}
