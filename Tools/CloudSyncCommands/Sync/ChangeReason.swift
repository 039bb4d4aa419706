import CommandFoundation
import SyncKitFormats
import SyncKit

/// Why a run changed something, or why it failed, for documents and for people.
///
/// The first four are reasons of changes; the others are those of runs that failed.
enum ChangeReason: String {
  case local, remote, initialSync, erased
  case account, quota, offline, failure

  init(_ reason: SyncEvent.Reason) {
    switch reason {
    case .local: self = .local
    case .remote: self = .remote
    case .initialSync: self = .initialSync
    case .erased: self = .erased
    }
  }

  /// What a failure means to the person: another account, no room, no network, or something else.
  init(_ error: SyncError) {
    switch error.code {
    case let code where code.isOfAccount: self = .account
    case let code where code.exit == SyncError.Code.remoteQuota.exit: self = .quota
    case .remoteUnavailable: self = .offline
    default: self = .failure
    }
  }

  /// The reason for people, before what has changed.
  var phrase: String {
    switch self {
    case .local: "sent from this device"
    case .remote: "changed by another device"
    case .initialSync: "received by the first sync"
    case .erased: "made local on another device"
    case .account: "account"
    case .quota: "quota"
    case .offline: "offline"
    case .failure: "failure"
    }
  }
}

extension RecordChanges {
  /// The records in order, at most `limit` of them.
  func names(upTo limit: Int) -> [String] { records.sorted().prefix(limit).map { "\($0)" } }

  /// The changes in documents: why, how many records, and their names.
  func document(upTo limit: Int) -> JSONObject {
    [
      "reason": .string(ChangeReason(reason).rawValue), "count": .int(Int64(count)),
      "records": .array(names(upTo: limit).map { .string($0) }),
    ]
  }
}

/// Names in a line: the first ones, and how many more there are.
func shortList(_ names: [String], of count: Int) -> String {
  let shown = names.prefix(5)
  let rest = count - shown.count
  return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
}
