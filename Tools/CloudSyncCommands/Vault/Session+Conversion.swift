import CommandFoundation
import SyncKit
import SyncKitEncryption

// What encrypting a remote and moving it to plain have in common.
extension Session {
  /// Syncs some domains with a remote once more while it is as it was, until this device has all that lies there.
  ///
  /// - Throws: ``SyncError`` of the sync, and `remote.waiting` when something has not arrived; nothing else was changed
  ///   there.
  func takeIn(_ domains: [String], from remote: Configuration.Remote) async throws {
    for domain in domains {
      let jobs = await SyncRun(self, .usual).run(
        SyncPlan.Step(domain: domain, remotes: [remote.name]))
      if let error = SyncRun.failure(of: jobs) { throw error }
      guard jobs.allSatisfy({ $0.report.waiting == 0 }) else {
        throw SyncError(
          .remoteWaiting,
          "not all of \(domain) on '\(remote.name)' has arrived; nothing was changed there",
          hint: "let the drive bring all files, then try again")
      }
    }
  }

  /// Takes the locks of some domains.
  func lock(_ domains: [String]) async throws -> [StoreLock] {
    var locks: [StoreLock] = []
    for domain in domains { locks.append(try await lock(domain, wait: .seconds(10))) }
    return locks
  }

  /// Learns what was stated on a remote that is or was encrypted, and whether the owner of this device's vault has said
  /// there that it is encrypted no more; nothing is written there.
  ///
  /// - Returns: The owner's word; nil without one, and on a device that has no keys.
  /// - Throws: ``SyncError`` of the remote.
  func closing(
    of configured: Configuration.Remote, isDryRun: Bool = false
  ) async throws -> VaultClosing? {
    let lock = isDryRun ? nil : try await lock("vault-keys", wait: .seconds(10))
    defer { lock?.release() }
    guard var ring = try keyring() else { return nil }
    let place = KeyPlace(try transport(for: configured, creating: false))
    let found = try await place.closing(ring.keys)
    if !isDryRun, found.keys != ring.keys {
      ring.keys = found.keys
      try ring.save(in: directories.data)
    }
    return found.closing
  }

  /// Refuses to encrypt a remote that the owner of this device's vault has moved to plain.
  ///
  /// A device that has not heard more would take the owner's word, which lies there for good, for the last one.
  func refuseClosed(_ configured: Configuration.Remote) async throws {
    do {
      guard try await closing(of: configured) == nil else {
        throw SyncError.closedForGood(configured.name)
      }
    } catch let error as SyncError where error.code == .remoteUnavailable {
      // Where there is nothing yet, nothing was said; and where nothing answers, the next step says so.
    }
  }
}

extension SyncError {
  /// A remote is to be stored in another form, and holds a domain that this device does not sync with it.
  static func otherDomain(
    _ domain: String, on remote: Configuration.Remote, isEnabled: Bool
  ) -> SyncError {
    let name = remote.name
    return SyncError(
      .usage, "'\(name)' also holds \(domain), which this device does not sync with it",
      hint: "run this on a device that does, or first "
        + (isEnabled
          ? "'cloudsync remote add \(name) \(remote.location.url) --domains \(domain)' here"
          : "'cloudsync config set domains.\(domain).enabled true' here"))
  }

  /// This device has begun to move a remote to plain, and has not ended.
  static func leaving(_ remote: String) -> SyncError {
    SyncError(
      .closed, "'\(remote)' is being moved to plain, and that was cut off",
      hint:
        "run 'cloudsync vault decrypt \(remote) --unencrypted' again; it goes on where it has ended"
    )
  }

  /// A remote was moved to plain, and the vault cannot come back to it.
  static func closedForGood(_ remote: String) -> SyncError {
    SyncError(
      .closed,
      "the owner of the vault has moved '\(remote)' to plain, and the vault cannot come back to that place",
      hint:
        "add an empty place with 'cloudsync remote add', and remove '\(remote)' when all devices use the new one"
    )
  }
}
