import SyncKitText
import SyncKit
import SyncWire

/// What is under way between a device and a server, domain by domain.
actor Exchange {
  private var inboxes: [String: SegmentInbox] = [:]
  private var outboxes: [String: SegmentOutbox] = [:]
  private var identities: [String: RemoteIdentity] = [:]
  private var refusals: [String: [(error: SyncError, what: String)]] = [:]

  /// Forgets what an exchange that was cut off has left; it may be private now.
  func begin(_ domain: String) {
    inboxes[domain] = nil
    outboxes[domain] = nil
    refusals[domain] = nil
    identities[domain] = nil
  }

  /// Puts off the look at whose the account is to the next reading of the feed.
  func expect(_ identity: RemoteIdentity, of domain: String) {
    identities[domain] = identity
  }

  /// What was put off; told once.
  func identity(of domain: String) -> RemoteIdentity? {
    identities.removeValue(forKey: domain)
  }

  func expect(_ references: [SegmentReference], of domain: String) {
    inboxes[domain] = SegmentInbox()
    inboxes[domain]?.expect(references)
  }

  func take(_ cursor: UInt64, of domain: String) -> [UInt8]? { inboxes[domain]?.take(cursor) }

  func batch(with reference: SegmentReference, cursor: UInt64, of domain: String) -> [UInt64] {
    inboxes[domain, default: SegmentInbox()].batch(with: reference, cursor: cursor)
  }

  func fill(_ cursors: [UInt64], _ frames: [[UInt8]?], of domain: String) {
    inboxes[domain, default: SegmentInbox()].fill(cursors, frames)
  }

  /// Puts a segment behind the others; gives those that are to be sent now.
  func add(_ segment: Segment, of domain: String) -> [Segment] {
    var outbox = outboxes[domain] ?? SegmentOutbox()
    let batch = outbox.isFull(before: segment) ? outbox.take() : []
    outbox.add(segment)
    outboxes[domain] = outbox
    return batch
  }

  /// What has not been sent yet.
  func rest(of domain: String) -> [Segment] {
    outboxes.removeValue(forKey: domain)?.segments ?? []
  }

  /// Takes note of a segment that the server did not take; the others go on.
  func note(_ refusal: WireError?, for segment: Segment, at server: ServerAddress) {
    let refusal = refusal ?? WireError(.forbidden, "")
    let failure = ServerFailure(
      status: refusal.code.status, refusal, retryAfter: nil, from: server)
    let info = segment.info
    refusals[info.domain, default: []].append(
      (failure.error, "\(info.zone)/\(info.series) \(info.first)-\(info.last)"))
  }

  /// The error for all that was refused in this exchange; nil when nothing was.
  func refusal(of domain: String) -> SyncError? {
    guard let all = refusals.removeValue(forKey: domain), let first = all.first else { return nil }
    var error = first.error
    let said = error.cause ?? ""
    let shown = all.prefix(10).map(\.what).joined(separator: ", ")
    let more = all.count > 10 ? " and \(all.count - 10) more" : ""
    error.message =
      "The server refused \(Plural(all.count, "segment")) of '\(domain)'; "
      + "it stored the others."
    error.cause = "\(shown)\(more)\(said.isEmpty ? "" : ": \(said)")"
    error.isSafe = false
    return error
  }
}
