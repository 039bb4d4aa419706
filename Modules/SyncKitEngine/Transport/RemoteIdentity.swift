import SyncKitModel
import SyncKitStore

/// What a store knows of the remote that it is about to use.
public struct RemoteIdentity: Sendable {
  /// How to treat a remote that is not the known one.
  public enum Consent: Sendable {
    /// Refuse it.
    case none
    /// Set up the known remote again: its marker is gone and the caller says that this is right.
    case reinitialise
    /// Treat the remote of another vault as one's own from now on.
    case adopt
  }

  /// The ids of the vault the store belongs to; empty before its first sync.
  public var vault: Set<String>
  /// Whether the store has met this very remote before.
  public var isKnown: Bool
  /// A new id, for a remote that has no marker yet.
  public var newVault: String
  /// What the caller allows.
  public var consent: Consent
  /// Whether an inventory of the domain is asked for right after: then a transport that is far away may
  /// look at the markers of a known remote with it, and report them in ``Inventory/vault``.
  public var isFollowed = false
  /// The remote's name and location, for hints; nil when unknown.
  public var remote: (name: String, location: String)?
  /// Whether everything is encrypted that goes there; who would write plain data is refused by an encrypted remote.
  public var isEncrypted = false
  /// The id of the encrypted vault, with which a remote says that everything on it is encrypted.
  ///
  /// It is nil for who stores plain data, and for who only looks and has no keys. Stores do not know it.
  public var marker: String?
  /// Whether the remote may be written to; false when the caller only looks.
  public var mayWrite: Bool

  /// Describes what is known.
  public init(
    vault: Set<String>, isKnown: Bool, newVault: String, consent: Consent = .none,
    mayWrite: Bool = true
  ) {
    self.vault = vault
    self.isKnown = isKnown
    self.newVault = newVault
    self.consent = consent
    self.mayWrite = mayWrite
  }

  /// Whether a remote that is not there may be made: not one that has been there, unless the caller says so.
  public var mayCreate: Bool { mayWrite && (!isKnown || consent != .none) }

  /// What to do about the markers that were found.
  public enum Decision: Equatable, Sendable {
    /// Go on; write these markers first, and belong to all of `vault` from now on.
    case proceed(write: Set<String>, vault: Set<String>)
  }

  /// Decides by the markers on the remote; the same rule for every transport.
  ///
  /// - Throws: ``SyncError`` `remote.marker` when a known remote has lost its marker, `remote.vault` when it
  ///   belongs to another vault.
  public func decide(found: Set<String>, location: String) throws -> Decision {
    let markers = found.filter(Self.isOfEncryptedVault)
    guard isEncrypted || markers.isEmpty else {
      throw SyncError(
        .remoteEncrypted, "\(location) is encrypted, and this device would write to it in plain.",
        hint: "Run 'cloudsync device pair' on a device that has the keys, and here "
          + "'cloudsync vault encrypt \(remote?.name ?? "NAME") --code KEY'.")
    }
    // Who has no keys is told of the marker; a store never is.
    let found = marker == nil ? found : found.subtracting(markers)
    let mark: Set<String> = marker.map { mayWrite && !markers.contains($0) ? [$0] : [] } ?? []
    guard marker == nil || markers.isEmpty || mark.isEmpty else { throw isOfAnother(location) }
    // It may have been moved to plain since: a device that marked it again would shut the others out.
    guard mark.isEmpty || found.isEmpty || !isKnown || consent != .none else {
      throw SyncError(
        .remoteMarker, "\(location) no longer says that it belongs to an encrypted vault.",
        hint: "Let its drive bring all files, then try again. If it was put back from a copy, run "
          + "'cloudsync vault encrypt \(remote?.name ?? "NAME")'.")
    }
    if found.isEmpty {
      guard !isKnown || consent != .none else {
        throw SyncError(
          .remoteMarker,
          "\(location) has lost its cloudsync marker; it may be unmounted, emptied or replaced.",
          hint:
            "Bring the remote back. If it has moved, run 'cloudsync config set \(pathKey) NEW'. "
            + "To fill the empty one, run '\(adding) --reinit'."
        )
      }
      let mine = vault.isEmpty ? [newVault] : vault
      return .proceed(write: mayWrite ? mine.union(mark) : [], vault: mine)
    }
    if vault.isEmpty || !vault.isDisjoint(with: found) {
      return .proceed(write: mark, vault: vault.union(found))
    }
    switch consent {
    case .adopt:
      return .proceed(write: mayWrite ? vault.union(mark) : [], vault: vault.union(found))
    case .none, .reinitialise: throw isOfAnother(location)
    }
  }

  private func isOfAnother(_ location: String) -> SyncError {
    SyncError(
      .remoteVault, "\(location) belongs to another vault than this device's data.",
      hint: "If the remote has moved, run 'cloudsync config set \(pathKey) NEW'. "
        + "If both vaults are yours, join them with '\(adding) --adopt'.")
  }

  /// All ids that the remote has when it is the known one.
  package var markers: Set<String> { vault.union(marker.map { [$0] } ?? []) }

  /// Whether the id of a vault is one of those with which a remote says that everything on it is encrypted: a UUID of
  /// version 8, where others have version 4.
  public static func isOfEncryptedVault(_ id: String) -> Bool {
    UUIDText.bytes(of: id).map { $0[6] >> 4 == 8 } ?? false
  }

  /// The key of the configuration that says where the remote is.
  private var pathKey: String {
    let isWeb = remote?.location.hasPrefix("http") == true
    return "remotes.\(remote?.name ?? "NAME").\(isWeb ? "url" : "path")"
  }

  private var adding: String {
    "cloudsync remote add \(remote?.name ?? "NAME") \(remote?.location ?? "URL")"
  }
}

extension SyncError.Code {
  /// The remote is encrypted, and what would be stored is not.
  public static let remoteEncrypted = Self("remote.encrypted", exit: 77)
}
