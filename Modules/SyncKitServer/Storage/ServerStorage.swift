public import SyncKit
public import SyncWire

/// What a server keeps: all that it knows lives behind this protocol.
///
/// ## What every storage promises
///
/// - **One transaction each.** The caller is identified, what it may do is decided, and what it asks for
///   is read or written on one state: what was revoked before is refused.
/// - **Durable.** What a method that writes has returned survives a loss of power.
/// - **In order.** A cursor is given inside the commit: a device that has read up to one never misses
///   anything that comes later with a lower one.
/// - **Silent.** What does not exist and what belongs to others are refused in the same words.
/// - **Heard.** After each commit every server on the same storage hears of ``StorageNews``.
///
/// It consists of small protocols, one for each thing that a server keeps.
///
/// All methods throw ``WireError`` for a refusal, and ``SyncError`` when the medium fails.
/// `ServerStorageContract` checks a conformance.
public protocol ServerStorage: CallerStorage, DeviceStorage, TokenStorage, VaultStorage,
  SegmentStorage, ShareStorage, ParticipantStorage, TokenUsageStorage
{
  /// Calls back after each commit that others may wait for, until the storage is closed.
  func observe(_ observer: @escaping @Sendable (StorageNews) -> Void)
  /// Finds out whether the storage can be written to.
  func probe() async throws
  /// Waits for what is under way and closes everything; nothing may be asked afterwards.
  func close() async throws
}

/// Who calls, and how a device comes in.
public protocol CallerStorage: Sendable {
  /// Identifies the caller.
  func identity(_ caller: Caller) async throws -> Identity
  /// How the account stands.
  func account(_ caller: Caller) async throws -> AccountState
  /// Makes a code with which one more device may join.
  func pair(_ caller: Caller) async throws -> PairingCode
  /// Lets a device in by a code, which is spent by it.
  func join(_ request: JoinRequest, address: String) async throws -> Joined
  /// The newest entries of the audit log, the newest first.
  func audit(_ caller: Caller, limit: Int) async throws -> [AuditEntry]
}

/// The devices of an account.
public protocol DeviceStorage: Sendable {
  /// The devices, by the time they joined.
  func devices(_ caller: Caller) async throws -> [WireDevice]
  /// Names a device.
  func rename(device: String, _ name: String, _ caller: Caller) async throws -> WireDevice
  /// Removes a device; its tokens end, with all that was made with them.
  func remove(device: String, _ caller: Caller) async throws -> Ended
  /// What would end with a device, and what it has let in.
  func made(byDevice device: String, _ caller: Caller) async throws -> Ended
}

/// The tokens of an account.
public protocol TokenStorage: Sendable {
  /// The tokens, by the time they were made.
  func tokens(_ caller: Caller) async throws -> [WireToken]
  /// Makes a token; the answer is the only one that bears its secret.
  ///
  /// It ends with the token that asks: it may do no more, lasts no longer, and when that one is ended, by
  /// whatever way, it is ended as well.
  func makeToken(
    _ name: String, _ scope: TokenScope, expires: Int64?, _ caller: Caller
  ) async throws -> WireToken
  /// Ends a token, with all that was made with it.
  func revoke(token: String, _ caller: Caller) async throws -> Ended
  /// What would end with a token, and what it has let in.
  func made(byToken token: String, _ caller: Caller) async throws -> Ended
}

/// What the servers on one storage tell each other of tokens.
public protocol TokenUsageStorage: Sendable {
  /// How often tokens have been ended, so that a server hears of what other processes end.
  func endings() async throws -> Int64
  /// Every domain of these accounts in which anything may come, also from others.
  func places(of accounts: Set<String>) async throws -> Set<StorageNews.Place>
  /// Which of these tokens are still good.
  func living(_ tokens: Set<String>) async throws -> Set<String>
  /// Writes down when tokens were last used, by the part that names them.
  func note(uses: [String: Int64]) async throws
}

/// The ids of the vaults that an account is.
public protocol VaultStorage: Sendable {
  /// The ids.
  func roots(_ caller: Caller) async throws -> [String]
  /// Adds the id of a vault.
  func add(root: String, _ caller: Caller) async throws
  /// Takes the id of a vault away; a device that belongs to it alone writes it again or asks what to do.
  func remove(root: String, _ caller: Caller) async throws
}

/// The segments of an account, in zones.
public protocol SegmentStorage: Sendable {
  /// What has come behind a position.
  func feed(_ domain: String, _ question: FeedQuestion, _ caller: Caller) async throws -> FeedPage
  /// Stores segments, each with its own outcome.
  ///
  /// - Throws: ``WireError`` `quota` when there is no room for all of them; then none is stored.
  func store(
    _ segments: [IncomingSegment], in domain: String, _ caller: Caller
  ) async throws -> [StoreResult]
  /// Brings segments in the order of the cursors, nil for one that is not there or not allowed.
  ///
  /// It stops before the answer exceeds `bytes`, but brings at least one.
  func fetch(
    _ cursors: [UInt64], of domain: String, upTo bytes: Int, _ caller: Caller
  ) async throws -> [[UInt8]?]
  /// Removes segments of the account's own series that others hold as well; names those that are gone
  /// now.
  ///
  /// What is not held, not there or not allowed stays, without a word.
  func remove(_ cursors: [UInt64], of domain: String, _ caller: Caller) async throws -> [UInt64]
  /// Removes segments of the account's own zones that no device can read, of which the storage makes sure by
  /// itself; names those that are gone now.
  ///
  /// Of a long list only the beginning is looked at, as that is much work.
  func removeDamaged(
    _ cursors: [UInt64], of domain: String, _ caller: Caller
  ) async throws -> [UInt64]
  /// Erases a zone, and adds the replicas that removed it.
  func erase(
    _ zone: ZoneID, of domain: String, _ confirmations: Confirmations, _ caller: Caller
  ) async throws
}

/// The shares that an account owns or takes part in.
public protocol ShareStorage: Sendable {
  /// The shares.
  func shares(_ caller: Caller) async throws -> [WireShare]
  /// Shares a zone; `isNew` is false when it was shared already.
  func share(
    _ request: ShareRequest, _ caller: Caller
  ) async throws -> (share: WireShare, isNew: Bool)
  /// Ends a share; the zone stays.
  func end(share: String, _ caller: Caller) async throws
}

/// The participants of shares.
public protocol ParticipantStorage: Sendable {
  /// Makes an invitation; the answer is the only one that bears its secret.
  func invite(
    _ request: InvitationRequest, to share: String, _ caller: Caller
  ) async throws -> Invitation
  /// Takes part by an invitation, which is spent by it, and keeps the card that the guest shows.
  func accept(
    _ secret: TokenText, showing card: String?, _ caller: Caller
  ) async throws -> WireShare
  /// Changes what a participant may do.
  func change(
    participant: String, of share: String, to role: ZoneAccess.Role, _ caller: Caller
  ) async throws -> WireParticipant
  /// Removes a participant, or leaves when it is the account's own part.
  func remove(participant: String, of share: String, _ caller: Caller) async throws
}

/// A segment that a device has sent.
public enum IncomingSegment: Sendable {
  /// One that has been read and checked.
  case checked(Segment)
  /// One that is none.
  case refused(WireError)
}
