import SyncWire

/// The refusals whose bytes must not tell why, so that they do not reveal what exists.
enum Refusal {
  /// No token, a broken one, an unknown one, one that has ended: all the same.
  static let unauthenticated = WireError(
    .unauthenticated, "This needs a token that the server knows.")
  /// What does not exist, and what belongs to another account.
  static let notFound = WireError(.notFound, "There is no such thing here.")
  /// A code or an invitation that is spent, over or was never given.
  static let gone = WireError(.gone, "This code is used, expired or unknown.")
  /// A part that does not allow what was asked.
  static let forbidden = WireError(.forbidden, "Your role does not allow this.")

  /// The operator has locked an account, and says so to its devices.
  static let locked = WireError(.locked, "The operator of the server has locked this account.")

  static func scope(_ needed: TokenScope) -> WireError {
    WireError(.forbidden, "The token may not do this; it needs the scope '\(needed.rawValue)'.")
  }

  static func full(_ what: String, _ limit: Int64) -> WireError {
    WireError(.tooMany, "The account already has \(limit) \(what), and may have no more.")
  }
}
