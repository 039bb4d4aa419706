/// Edits made on this device that no remote gets, although no person has chosen to keep them here.
///
/// They do not include what a person keeps on a device by scope, by configuration, or by never publishing it.
public struct UnsentEdits: Hashable, Sendable {
  /// Why edits stay here.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// Another person shares the tree to read.
    case reader
    /// Another person no longer shares the tree.
    case removed
    /// The tree was made local on another device; edits that it had not seen continue here as a local record.
    case erased
    /// Another person's tree on the remote has the same id.
    case idCollision
    /// The domain was synced before and has no remote now.
    case noRemote = "no-remote"
    /// The domain was synced before and is switched off now.
    case disabled
  }

  /// Whose domain it is.
  public var domain = ""
  /// Why they stay.
  public var reason: Reason
  /// The record at the top of the tree; nil when it is not here, or when all trees are meant.
  public var root: RecordKey?
  /// What the owner of the tree is called; empty when that is this person, or not known.
  public var owner = ""
  /// The remote that does not get them; empty for all.
  public var remote = ""
  /// The records that hold such edits, in order.
  public var records: [RecordKey] = []

  package init(_ reason: Reason, owner: String = "", remote: String = "") {
    self.reason = reason
    self.owner = owner
    self.remote = remote
  }
}

extension UnsentEdits {
  /// Why an edit that was just made stays on this device, and what helps, as a sentence.
  public var warning: String {
    switch reason {
    case .reader, .removed: "\(cause): the edit will not be sent. \(export)."
    case .erased: "\(cause): the edit will not be sent. \(publishHint), or \(export)."
    case .idCollision:
      "\(cause): the edit will not be sent there. 'cloudsync sync' says what helps."
    case .noRemote:
      "\(cause): the edit stays here until 'cloudsync config set domains.\(domain).remote NAME'"
        + " names one."
    case .disabled:
      "\(cause): the edit stays here until 'cloudsync config set domains.\(domain).enabled true'."
    }
  }

  /// What stays on this device, why, and what helps, as a sentence.
  public var summary: String {
    let what = "Edits of \(records.count) \(records.count == 1 ? "record" : "records") are not sent"
    return "\(what): \(cause). \(reason == .erased ? "\(publishHint), or \(export)" : export)."
  }

  /// What the tree is called: `collection/id` of its root.
  public var name: String { root.map { "\($0.collection)/\($0.id)" } ?? "a record" }

  private var cause: String {
    let owner = owner.isEmpty ? "the owner" : owner
    return switch reason {
    case .reader: "\(owner) shares \(name) with you read-only"
    case .removed: "\(owner) no longer shares \(name) with you"
    case .erased: "\(name) was made local on another device, and is a local record here"
    case .idCollision:
      "\(name) is kept apart from \(owner)'s record with the same id on '\(remote)'"
    case .noRemote: "\(domain) was synced before and has no remote now"
    case .disabled: "\(domain) was synced before and is disabled now"
    }
  }

  private var publishHint: String { "'cloudsync \(domain) scope \(name) synced' publishes it" }

  private var export: String { "'cloudsync \(domain) export FILE --unsent' writes a copy" }
}
