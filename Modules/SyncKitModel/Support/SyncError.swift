/// A broken expectation, reported once: what happened, where, and what to do.
///
/// Expected outcomes (behind, in conflict, up to date) are return values; an error means that the world
/// outside is not as it must be. Every error leaves the local store usable and loses no acknowledged change.
public struct SyncError: Error, Sendable, CustomStringConvertible {
  /// A stable, dotted name such as `remote.unavailable`, with the exit status a command ends with.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The dotted name; part of the public contract.
    public let name: String
    /// The process exit status, see `help exit-codes`.
    public let exit: Int32
    /// Whether the same call may succeed later without a person's help.
    public let isRetryable: Bool

    /// Names a kind of failure; modules may define their own.
    public init(_ name: String, exit: Int32, retryable: Bool = false) {
      self.name = name
      self.exit = exit
      self.isRetryable = retryable
    }

    public static func == (left: Code, right: Code) -> Bool { left.name == right.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    public var description: String { name }
  }

  /// The kind of failure.
  public var code: Code
  /// One sentence that names the thing that failed.
  public var message: String
  /// What the reader can do about it, as a sentence or a command.
  public var hint: String?
  /// Whether no local state was changed by the call that failed.
  public var isSafe: Bool
  /// What lay below, already in words.
  public var cause: String?
  /// What the call that failed had committed before; nil for nothing.
  public var committed: BatchSummary?

  /// Makes an error; `isSafe` is true unless said otherwise.
  public init(
    _ code: Code, _ message: String, hint: String? = nil, isSafe: Bool = true, cause: String? = nil
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    self.isSafe = isSafe
    self.cause = cause
  }

  public var description: String {
    var text = "\(code.name): \(message)"
    if let cause { text += " (\(cause))" }
    return text
  }
}

extension SyncError.Code {
  /// A failure that no other code describes.
  public static let failure = Self("failure", exit: 1)
  /// A bug: an invariant of the program does not hold.
  public static let bug = Self("internal.bug", exit: 70)

  /// Input that breaks a rule of its format or schema; nothing was written.
  public static let inputInvalid = Self("input.invalid", exit: 65)
  /// A file given as input does not exist or cannot be read.
  public static let inputMissing = Self("input.missing", exit: 66)
  /// A record, batch or conflict that does not exist.
  public static let notFound = Self("record.not-found", exit: 66)

  /// A batch that is not an edit, such as a change of scope.
  public static let undoRefused = Self("undo.refused", exit: 65)

  /// Whether the account at a remote is another one now, or no longer lets this device in.
  public var isOfAccount: Bool {
    [.remoteDenied, .remoteSignedOut, .remoteLocked, .remoteVault, .remoteMarker].contains(self)
  }

  /// The remote's path or host cannot be reached.
  public static let remoteUnavailable = Self("remote.unavailable", exit: 69, retryable: true)
  /// The remote refuses more data.
  public static let remoteQuota = Self("remote.quota", exit: 73)
  /// The remote's marker is gone or unknown.
  public static let remoteMarker = Self("remote.marker", exit: 77)
  /// The remote belongs to another vault.
  public static let remoteVault = Self("remote.vault", exit: 77)
  /// The remote denies access.
  public static let remoteDenied = Self("remote.denied", exit: 77)
  /// The clocks of this device and of the remote are too far apart for the remote to accept what it is asked.
  public static let remoteClock = Self("remote.clock", exit: 77)
  /// The remote, or the way to it, needs something that this build does not have.
  public static let remoteUnsupported = Self("remote.unsupported", exit: 78)
  /// What can never be erased is marked as erased on the remote.
  public static let remoteErased = Self("remote.erased", exit: 77)
  /// The remote does not know the token: it is missing, expired or revoked.
  public static let remoteSignedOut = Self("remote.signed-out", exit: 77)
  /// The operator of the remote has locked the account.
  public static let remoteLocked = Self("remote.locked", exit: 77)
  /// A program that the remote needs is not installed on this device, or too old.
  public static let programMissing = Self("program.missing", exit: 69)
  /// The remote answers what breaks its protocol.
  public static let remoteProtocol = Self("remote.protocol", exit: 76)
  /// The remote keeps a domain in another layout than the configuration says.
  public static let remoteLayout = Self("remote.layout", exit: 78)
  /// Reading or writing the remote failed half way.
  public static let remoteIO = Self("remote.io", exit: 74, retryable: true)
  /// The remote's medium fails to give one file of it; the others can be read.
  public static let remoteUnread = Self("remote.unread", exit: 74, retryable: true)
  /// Something on the remote has been awaited for more than a day.
  public static let remoteWaiting = Self("remote.waiting", exit: 75, retryable: true)

  /// The task of a run was cancelled; what has come until then is kept, and the next run goes on from there.
  public static let cutShort = Self("sync.cut-short", exit: 75, retryable: true)

  /// Another process holds the lock.
  public static let storeBusy = Self("store.busy", exit: 75, retryable: true)
  /// The disk is full.
  public static let storeDiskFull = Self("store.disk-full", exit: 74, retryable: true)
  /// Reading or writing the local store failed.
  public static let storeIO = Self("store.io", exit: 74)
  /// The local store is on a read-only medium or lacks permission.
  public static let storeReadOnly = Self("store.read-only", exit: 74)
  /// The local store is damaged; its bytes were not changed.
  public static let storeDamaged = Self("store.damaged", exit: 65)
  /// The local store was written by a newer version.
  public static let storeNewer = Self("store.newer", exit: 76)

  /// A segment or snapshot needs a feature that this version lacks.
  public static let formatNewer = Self("format.newer", exit: 76)
  /// Bytes that fail their checksum or break their format.
  public static let formatDamaged = Self("format.damaged", exit: 65)
  /// Two replicas disagree about the same set of changes.
  public static let divergence = Self("trust.divergence", exit: 76)
  /// One dot with two hashes whose parting point is unknown.
  public static let fork = Self("trust.fork", exit: 76)

  /// The mass-delete guard stopped a pull.
  public static let massDelete = Self("guard.mass-delete", exit: 77)
  /// A rule of privacy forbids the data to leave.
  public static let egressDenied = Self("egress.denied", exit: 77)

  /// The configuration is invalid; the message names file, line and column.
  public static let configInvalid = Self("config.invalid", exit: 78)
  /// A command line that cannot be understood.
  public static let usage = Self("usage", exit: 64)
}
