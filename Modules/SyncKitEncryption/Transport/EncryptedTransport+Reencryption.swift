import SyncKit

/// What encrypting again with the newest key has done on a remote.
public struct Reencryption: Hashable, Sendable {
  /// How many objects were encrypted again: segments, snapshots, and words of removals.
  public var objects = 0
  /// Their bytes.
  public var bytes = 0
  /// How many lie there under a key before the newest one because they, or what says whose they are, have not arrived.
  public var left = 0
  /// How many lie there that no device of the vault has stored so; they stay as they are.
  public var refused = 0

  /// Has done nothing.
  public init() {}

  /// Adds what was done with another domain.
  public static func += (sum: inout Reencryption, other: Reencryption) {
    sum.objects += other.objects
    sum.bytes += other.bytes
    sum.left += other.left
    sum.refused += other.refused
  }
}

extension EncryptedTransport {
  /// The most bytes that are put in place at once.
  private static let replacedAtOnce = 8 << 20

  /// Encrypts again with the newest key what lies on the place of a domain under the keys before it.
  ///
  /// Each object keeps its name, its length and its author, so other devices go on reading meanwhile and fetch nothing
  /// again. What is done stays done when it is cut off; the next time goes on with the rest. The store need not have the
  /// domain.
  ///
  /// - Parameters:
  ///   - domain: The domain.
  ///   - progress: Told how many objects were looked at, of how many.
  /// - Returns: What was done.
  /// - Throws: ``SyncKit/SyncError`` of the transport, and `remote.cannot-erase` for a remote that keeps objects as they
  ///   were stored, such as a server.
  public func reencrypt(
    _ domain: String, progress: @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws -> Reencryption {
    let place = pseudonym(domain)
    // As one that only looks: what the store knows of the remote does not matter.
    let look = RemoteIdentity(vault: [], isKnown: false, newVault: "", mayWrite: false)
    _ = try await attach(look, domain: domain)
    let listed = try await base.inventory(of: place).segments
    var done = Reencryption()
    var left: Set<ContentHash> = []
    var waiting: [SegmentReplacement] = []
    var bytes = 0
    await base.expect(listed.filter(\.isHere), of: place)
    for (number, object) in listed.enumerated() {
      try Task.checkCancellation()
      progress(number, listed.count)
      do {
        guard let sealed = try await base.fetch(object, of: place) else {
          left.insert(object.head)
          continue
        }
        guard let again = try sealing.reseal(sealed, of: domain) else { continue }
        waiting.append(SegmentReplacement(object, with: .ofVault(again)))
        bytes += again.bytes.count
      } catch let error as SyncError where [.notIntroduced, .keyMissing].contains(error.code) {
        left.insert(object.head)
        continue
      } catch let error as SyncError where error.isOfForgery || error.code == .formatNewer {
        // What does not count is not made to.
        if error.code != .letGo { done.refused += 1 }
        continue
      }
      if bytes >= Self.replacedAtOnce {
        try await base.replace(waiting, of: place)
        done.note(waiting.count, bytes)
        (waiting, bytes) = ([], 0)
      }
    }
    try await base.replace(waiting, of: place)
    done.note(waiting.count, bytes)
    try await base.flush(place)
    progress(listed.count, listed.count)
    // What another device has removed meanwhile is none that is left.
    if !left.isEmpty {
      let there = try await base.inventory(of: place).segments.map(\.head)
      done.left = left.intersection(there).count
    }
    return done
  }
}

extension Reencryption {
  fileprivate mutating func note(_ count: Int, _ size: Int) {
    objects += count
    bytes += size
  }
}
