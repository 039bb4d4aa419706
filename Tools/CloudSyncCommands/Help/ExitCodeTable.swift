import CommandFoundation
import SyncKitHTTP
import SegmentFormat
import SyncKit
import SyncKitEncryption
import SyncWire

/// The exit statuses and the dotted codes of errors, each with its meaning.
enum ExitCodeTable {
  /// The possible exit statuses of a command.
  static let statuses: [(status: Int32, name: String, meaning: String)] = [
    (0, "ok", "Done, or nothing to do"),
    (1, "failure", "A failure without a status of its own"),
    (2, "pending", "Some changes are not synced or applied yet (only with --check)"),
    (3, "partial", "Jobs failed in different ways, or records were left out"),
    (4, "conflict", "A conflict needs a decision (--fail-on-conflict, status --check)"),
    (5, "stale", "No successful sync for too long (status --check)"),
    (64, "usage", "The command line cannot be understood"),
    (65, "data", "The input is invalid; nothing was written"),
    (66, "no-input", "A file or record was not found"),
    (69, "unavailable", "A remote cannot be reached after retries, or a part is not installed"),
    (70, "internal", "A bug; please report it"),
    (73, "quota", "A remote refuses more data"),
    (74, "io", "The disk is full, or reading or writing failed"),
    (75, "busy", "Busy, rate-limited or waiting; try again later"),
    (76, "protocol", "A newer format, or data that is inconsistent or fails its checksum"),
    (77, "denied", "Refused by a token, marker, vault or the mass-delete guard"),
    (78, "config", "The configuration is invalid, or does not fit the remote"),
    (130, "interrupted", "Ended by SIGINT; the next run needs no repair"),
    (143, "terminated", "Ended by SIGTERM; the next run needs no repair"),
  ]

  /// The codes in `cloudsync.error/1`, in the order of their statuses: those of the program, then those of
  /// its domains and transports.
  static let codes: [(code: SyncError.Code, meaning: String)] = {
    // Several transports may have one error; the first row counts.
    var known: Set<SyncError.Code> = []
    let all = (common + PlugInTables.all.flatMap(\.errors)).filter {
      known.insert($0.code).inserted
    }
    return Set(all.map(\.code.exit)).sorted().flatMap { exit in all.filter { $0.code.exit == exit }
    }
  }()

  /// The codes of the program, of the core and of the server.
  private static let common: [(code: SyncError.Code, meaning: String)] = [
    (.failure, "A failure without a code of its own"),
    (.hookFailed, "A required hook failed; synced changes stay synced"),
    (.partial, "Some records were left out; the rest is committed"),
    (.usage, "The command line cannot be understood"),
    (.inputInvalid, "The input breaks a rule of its format; nothing was written"),
    (.undoRefused, "The batch cannot be undone"),
    (.storeDamaged, "The local store is damaged; it was not changed"),
    (.keysDamaged, "The file of this device's keys is damaged; it was not changed"),
    (.formatDamaged, "Data fails its checksum or breaks its format"),
    (.inputMissing, "A file given as input does not exist or cannot be read"),
    (.notFound, "There is no such record, batch or conflict"),
    (.remoteUnavailable, "The remote's path or host cannot be reached"),
    (.remoteObstructed, "A file is in the place of one of the remote's folders"),
    (.serverMissing, "The program cloudsync-server is not installed"),
    (.serverLibrary, "The library of a server's database is not installed"),
    (.storeUnavailable, "A server's database cannot be reached"),
    (.programMissing, "A program that the remote needs is missing or too old"),
    (.bug, "An internal invariant does not hold"),
    (.remoteQuota, "The remote refuses more data"),
    (.shareFull, "A share has its maximum number of participants"),
    (.storeDiskFull, "The disk is full"),
    (.remoteDiskFull, "The remote's disk is full"),
    (.storeIO, "Reading or writing on this machine failed"),
    (.storeReadOnly, "The folder is read-only, or permission is missing"),
    (.outputFailed, "Standard output could not be written"),
    (.remoteIO, "Reading from or writing to the remote failed midway"),
    (.remoteUnread, "A file on the remote cannot be read: its medium fails"),
    (.storeBusy, "Another process holds the lock"),
    (.storeConflict, "Another transaction came in between on a server's database"),
    (.serverAddressInUse, "Another process uses the server's address"),
    (.remoteWaiting, "A file on the remote has been missing for more than a day"),
    (.configChanged, "The configuration was changed by another process meanwhile"),
    (.storeNewer, "The local store was written by a newer version"),
    (.formatNewer, "The remote's data needs a newer version"),
    (.remoteProtocol, "The remote violates its protocol"),
    (.divergence, "Two replicas disagree about the same changes"),
    (.fork, "One change exists in two versions"),
    (.forged, "A remote gave something that no device of the vault stored"),
    (.readOnly, "A remote gave what a person stored who may only read there"),
    (.shareNoInvitation, "A link opens no invitation on its server"),
    (.misplaced, "A remote gave an object under the name of another one"),
    (.plain, "A remote gave something unencrypted in an encrypted vault"),
    (.cost, "A remote asks for a cost of a passphrase that no device would choose"),
    (.noKeys, "A remote is encrypted, and this device has no keys of its vault"),
    (.sealed, "A segment is encrypted, and there is no key for it"),
    (.revoked, "This device was let go by the owner of its vault"),
    (
      .closed,
      "The owner of the vault has moved the remote to plain, and this device has not agreed"
    ),
    (.turnedOff, "The configuration turns off the encryption of a remote that has it"),
    (.wrongCode, "A code opens nothing on the remote"),
    (.wrongPassphrase, "A passphrase does not open a backup"),
    (.otherVault, "The remote belongs to another encrypted vault than this device"),
    (.remoteMarker, "The remote's marker is gone or unknown"),
    (.remoteEncrypted, "The remote is encrypted, and this device would write to it in plain"),
    (.remoteVault, "The remote belongs to another vault"),
    (.remoteDenied, "The remote denies access"),
    (.remoteClock, "The clock of this device differs too much from that of the remote"),
    (.remoteErased, "The remote says that a domain was erased, which no device can do"),
    (.remoteSignedOut, "The server does not accept the token: it is expired, revoked or missing"),
    (.remoteLocked, "The server's host has locked the account"),
    (.codeSpent, "A pairing code or an invitation is wrong, used or expired"),
    (.shareReadOnly, "A record that another person shares can only be read"),
    (.shareIDCollision, "A shared record has the id of one of your own"),
    (.shareOtherHost, "An invitation leads to a server where you have no account"),
    (.noCard, "A vault was made before records could be shared from it"),
    (.storeUnsent, "Edits that exist nowhere else would be set aside"),
    (.massDelete, "The mass-delete guard stopped a pull"),
    (.egressDenied, "A privacy rule forbids sending the data"),
    (.serverUnsafe, "A server would expose its data to others"),
    (.serverMoved, "The data of a server were moved elsewhere"),
    (.serverAddress, "A server cannot listen at its address"),
    (.serverCertificate, "A server's certificate or key cannot be used"),
    (.configMissing, "This device is not set up"),
    (.undecided, "It is not decided whether a new remote is encrypted"),
    (
      .shareEncrypted,
      "Of a share and the account that is to take part, one is encrypted and one is not"
    ),
    (.storeSchema, "A store was written with a schema in which a name had another meaning"),
    (.configInvalid, "The configuration is invalid; file:line:column says where"),
    (.remoteUnsupported, "This build has no transport for the remote"),
    (.remoteNoServer, "Only a server can do this, and the remote is a folder or a file"),
    (.remoteLayout, "The remote keeps a domain in another layout"),
    (.remoteCannotErase, "The remote cannot remove what was withdrawn"),
  ]
}
