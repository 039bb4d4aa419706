/// What a server grants and how much of it.
public struct ServerPolicy: Sendable {
  /// How long a code for pairing lasts, in milliseconds: ten minutes.
  public var pairingLifetime: Int64 = 600_000
  /// How long an invitation to an account or a share lasts, in milliseconds: seven days.
  public var invitationLifetime: Int64 = 7 * 86_400_000
  /// How long a link to the pages of administration lasts, in milliseconds: ten minutes.
  public var adminLinkLifetime: Int64 = 600_000
  /// How long a session of these pages lasts that is not used, in milliseconds: 30 minutes.
  public var adminIdle: Int64 = 30 * 60_000
  /// How long a session of these pages lasts at most, in milliseconds: eight hours.
  public var adminLifetime: Int64 = 8 * 3_600_000
  /// How long the token of a device lasts that is not used, in milliseconds: 180 days; nil for ever.
  public var deviceTokenIdle: Int64? = 180 * 86_400_000
  /// How long a token lasts that an account makes without saying so, in milliseconds: 365 days.
  public var tokenLifetime: Int64 = 365 * 86_400_000
  /// How many devices an account may have.
  public var maximumDevices: Int64 = 100
  /// How many tokens an account may have.
  public var maximumTokens: Int64 = 500
  /// How many codes of an account may wait at once.
  public var maximumCodes: Int64 = 20
  /// How many vault ids an account may be.
  public var maximumRoots: Int64 = 64
  /// How many domains an account may have.
  public var maximumDomains: Int64 = 100
  /// How many zones a domain of an account may have.
  public var maximumZones: Int64 = 10_000
  /// How many zones of a domain of an account may be erased; every page of the feed lists each.
  public var maximumErasures: Int64 = 1_000
  /// How many replicas may confirm an erasure.
  public var maximumConfirmations: Int64 = 1_000
  /// How many shares an account may own.
  public var maximumShares: Int64 = 1_000
  /// How many people may take part in a share or be invited.
  public var maximumParticipants: Int64 = 100
  /// How many lines of the audit log are kept of an account.
  public var auditLines: Int64 = 10_000
  /// How many threads read at once.
  public var readers = 4

  /// The usual policy.
  public init() {}
}
