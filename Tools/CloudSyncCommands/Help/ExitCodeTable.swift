import CommandFoundation
import HTTPTransport
import SegmentFormat
import SyncKit
import SyncWire

/// The exit statuses and the dotted codes of errors, each with its meaning.
enum ExitCodeTable {
  /// The statuses a command can end with.
  static let statuses: [(status: Int32, name: String, meaning: String)] = [
    (0, "ok", "Done, or nothing to do"),
    (1, "failure", "A failure that no other status describes"),
    (2, "pending", "There are changes that were not synced or applied (only with --check)"),
    (3, "partial", "Jobs failed in different ways, or records were left out"),
    (4, "conflict", "A conflict needs a decision (--fail-on-conflict, status --check)"),
    (5, "stale", "No good sync for too long (status --check)"),
    (64, "usage", "The command line cannot be understood"),
    (65, "data", "The input is invalid; nothing was written"),
    (66, "no-input", "A file or record was not found"),
    (69, "unavailable", "A remote cannot be reached, after retries, or a part is not installed"),
    (70, "internal", "A bug; please report it"),
    (73, "quota", "A remote refuses more data"),
    (74, "io", "The disk is full, or reading or writing failed"),
    (75, "busy", "Busy, rate-limited or waiting; try again later"),
    (76, "protocol", "A newer format, or data that does not agree or fails its checksum"),
    (77, "denied", "A token, marker, vault or the mass-delete guard says no"),
    (78, "config", "The configuration is invalid, or does not fit the remote"),
    (130, "interrupted", "Ended by SIGINT; the next run needs no repair"),
    (143, "terminated", "Ended by SIGTERM; the next run needs no repair"),
  ]

  /// The codes in `cloudsync.error/1`, in the order of their statuses: those of the program, then those of
  /// its domains and transports.
  static let codes: [(code: SyncError.Code, meaning: String)] = {
    let all = common + PlugInTables.all.flatMap(\.errors)
    return Set(all.map(\.code.exit)).sorted().flatMap { exit in all.filter { $0.code.exit == exit }
    }
  }()

  /// The codes of the program, of the core and of the server.
  private static let common: [(code: SyncError.Code, meaning: String)] = [
    (.failure, "A failure that no other code describes"),
    (.hookFailed, "A hook that must work did not; what was synced stays synced"),
    (.partial, "Some records were left out; the rest is committed"),
    (.usage, "The command line cannot be understood"),
    (.inputInvalid, "The input breaks a rule of its format; nothing was written"),
    (.undoRefused, "The batch is no edit that could be taken back"),
    (.storeDamaged, "The local store is damaged; its bytes were left as they are"),
    (.formatDamaged, "Data fails its checksum or breaks its format"),
    (.inputMissing, "A file given as input does not exist or cannot be read"),
    (.notFound, "There is no such record, batch or conflict"),
    (.remoteUnavailable, "The remote's path or host cannot be reached"),
    (.remoteObstructed, "Something that is no folder is in the place of one of the remote's"),
    (.serverMissing, "The program cloudsync-server is not installed"),
    (.bug, "An invariant of the program does not hold"),
    (.remoteQuota, "The remote refuses more data"),
    (.shareFull, "A share has as many participants as it may have"),
    (.storeDiskFull, "The disk is full"),
    (.remoteDiskFull, "The remote's disk is full"),
    (.storeIO, "Reading or writing on this machine failed"),
    (.storeReadOnly, "The place is read-only, or permission is lacking"),
    (.outputFailed, "Standard output could not be written"),
    (.remoteIO, "Reading or writing the remote failed half way"),
    (.remoteUnread, "The remote's medium fails to give one file of it"),
    (.storeBusy, "Another process holds the lock"),
    (.serverAddressInUse, "The address of a server belongs to another process"),
    (.remoteWaiting, "Something on the remote has been awaited for more than a day"),
    (.configChanged, "Somebody else has changed the configuration meanwhile"),
    (.storeNewer, "The local store was written by a newer version"),
    (.formatNewer, "The remote's data needs a newer version"),
    (.divergence, "Two replicas disagree about the same changes"),
    (.fork, "One change exists in two forms"),
    (.remoteMarker, "The remote's marker is gone or unknown"),
    (.remoteVault, "The remote belongs to another vault"),
    (.remoteDenied, "The remote denies access"),
    (.remoteErased, "The remote says that a domain was erased, which no device does"),
    (.remoteSignedOut, "The server does not know the token: it is over, revoked or missing"),
    (.remoteLocked, "Whoever runs the server has locked the account"),
    (.codeSpent, "A pairing code or an invitation is wrong, used or over"),
    (.shareReadOnly, "A record of somebody else's can only be read"),
    (.shareNamesake, "Somebody shares what bears the id of something of one's own"),
    (.shareOtherHost, "An invitation leads to a server that is none of yours"),
    (.storeUnsent, "Edits that nothing else has would be out of sight"),
    (.massDelete, "The mass-delete guard stopped a pull"),
    (.egressDenied, "A rule of privacy forbids the data to leave"),
    (.serverUnsafe, "A server would lay its data open to others"),
    (.serverAddress, "A server cannot listen at its address"),
    (.serverCertificate, "A server's certificate or key cannot be used"),
    (.configMissing, "This device was never set up"),
    (.storeSchema, "A store was written by a schema in which a name meant something else"),
    (.configInvalid, "The configuration is invalid; file:line:column says where"),
    (.remoteUnsupported, "This build has no transport for the remote"),
    (.remoteNoServer, "Only a server can do this, and the remote is a folder or a file"),
    (.remoteLayout, "The remote keeps a domain in another layout"),
  ]
}
