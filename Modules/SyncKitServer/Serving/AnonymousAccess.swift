import SyncWire

/// How a server without authentication identifies callers: all are its one account.
struct AnonymousAccess {
  /// The account of a server that has but one.
  static let account = "me"
  private static let tokenName = "everyone on this machine"

  private let administration: ServerAdministration

  init(_ administration: ServerAdministration) { self.administration = administration }

  /// Ends the tokens of starts before, and makes one for this start if the door is open.
  ///
  /// - Returns: The token; nil when each caller needs its own token.
  func credential(isOpen: Bool) async throws -> String? {
    try await administration.revokeTokens(named: Self.tokenName)
    guard isOpen else { return nil }
    var known = try await administration.account(Self.account)
    if known == nil {
      known = try await administration.accounts(after: nil, limit: 1).first?.account
    }
    let account: WireName
    if let known {
      account = known
    } else {
      account = try await administration.makeAccount(Self.account)
    }
    let token = try await administration.makeToken(
      for: account.id, name: Self.tokenName, scope: .manage)
    return token.secret
  }
}

extension RequestRates {
  /// No limit in practice.
  static let unlimited: RequestRates = {
    let rate = Rate(perMinute: 1e9, burst: 1e9)
    var rates = RequestRates()
    rates.token = rate
    rates.address = rate
    rates.failures = rate
    rates.joins = rate
    return rates
  }()
}
