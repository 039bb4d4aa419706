import SyncCrypto
public import SyncWire

/// The sender of a request, as far as the request says; a storage finds out whether it is true.
public struct Caller: Sendable {
  /// The public part of the token.
  public var token: String
  /// The SHA-256 of its secret part.
  public var digest: [UInt8]
  /// What the token must allow for what is asked.
  public var needs: TokenScope
  /// Where the request comes from, for the audit log.
  public var address: String

  /// Describes the caller.
  public init(_ token: TokenText, needs: TokenScope, address: String) {
    self.token = token.id
    digest = SHA256.hash(token.secret)
    self.needs = needs
    self.address = address
  }
}

/// Whom a storage has found behind a token.
public struct Identity: Sendable, Equatable {
  /// The account's id.
  public var account: String
  /// The account's name.
  public var accountName: String
  /// The device that the token was given to; nil for one that was made by hand.
  public var device: String?
  /// The public part of the token.
  public var token: String
  /// What the token allows.
  public var scope: TokenScope
  /// Milliseconds since 1970 when it ends; nil for never.
  public var expires: Int64?
  /// The device that made the token, directly or through other tokens; nil for a device's own and for
  /// one that the host made.
  public var origin: String?
  /// Milliseconds since 1970 of the end that no use postpones; nil for none.
  public var until: Int64?

  /// The device that answers for what is done with the token; nil when that is the host.
  var answerable: String? { device ?? origin }

  /// The end that nothing made with the token outlives, however it is used; nil for none.
  var bound: Int64? { device == nil ? expires : until }
}

extension TokenScope {
  /// Whether a token of this scope may do what needs another one.
  public func includes(_ other: TokenScope) -> Bool { rank >= other.rank }

  private var rank: Int {
    switch self {
    case .read: 0
    case .sync: 1
    case .manage: 2
    }
  }
}
