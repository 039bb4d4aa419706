import LocalMachine
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SQLiteStorage
import SegmentFormat
import SyncKit

/// The handling of edits that exist nowhere else, when another store replaces theirs.
enum UnsentChoice: String, EnumerableFlag {
  case keepUnsent, discardUnsent

  static func help(for value: UnsentChoice) -> ArgumentHelp? {
    switch value {
    case .keepUnsent: "Take over the edits that are neither on a remote nor in the backup."
    case .discardUnsent: "Leave those edits in the stores that are set aside."
    }
  }
}

/// The edits that this device's stores have and their replacements lack.
struct UnsavedEdits {
  /// The number of changes that only this store has, by store; stores without any are absent.
  private(set) var counts: [(store: String, changes: Int)] = []
  /// The stores that cannot be read, and may have such edits.
  private(set) var unread: [String] = []
  /// Whether a sync could send some of them.
  private var hasRemote = false

  /// Compares stores with those of the same names in a folder.
  ///
  /// - Throws: ``SyncError`` `store.io` and the like.
  init(of stores: [String], besides folder: String, _ session: Session) throws {
    for name in stores {
      let remotes = session.remoteNames(of: name)
      do {
        let old = try SQLiteStorage(path: session.storePath(name), isCreated: false)
        defer { old.close() }
        let new = try SQLiteStorage(
          path: LocalFolder.path(folder, "\(name).sqlite"), isCreated: false)
        defer { new.close() }
        let count = try UnsentChanges(
          of: DomainRegistry.stored(name), coding: DeflateSegmentCoding(), remotes: remotes
        ).count(in: old, besides: new)
        guard count > 0 else { continue }
        counts.append((name, count))
        hasRemote = hasRemote || !remotes.isEmpty
      } catch let error as SyncError where error.code == .storeMissing {
        continue
      } catch let error as SyncError
        where error.code == .storeDamaged || error.code == .storeNewer
      {
        unread.append(name)
      }
    }
  }

  /// The stores that have such edits, or may have them.
  var stores: [String] { counts.map(\.store) + unread }

  var isEmpty: Bool { counts.isEmpty && unread.isEmpty }

  /// Refuses to set the edits aside.
  ///
  /// - Throws: ``SyncError`` `store.unsent`.
  func refuse() throws {
    guard !isEmpty else { return }
    let ways =
      "use --keep-unsent to take over what can be read, or --discard-unsent to leave it in the "
      + "stores that are set aside"
    guard !counts.isEmpty else {
      throw SyncError(
        .storeUnsent,
        "the store of \(unread.joined(separator: ", ")) cannot be read, and may hold edits that "
          + "exist nowhere else",
        hint: "run 'cloudsync verify --repair' first, or \(ways)")
    }
    let sync = hasRemote ? "run 'cloudsync sync' first, or " : ""
    throw SyncError(
      .storeUnsent, "\(sentence) on no remote and not in the backup", hint: sync + ways)
  }

  /// `3 changes (2 of airports, 1 of settings) are`.
  var sentence: String {
    let total = counts.reduce(0) { $0 + $1.changes }
    let list = counts.map { "\($0.changes) of \($0.store)" }.joined(separator: ", ")
    let stores = counts.count == 1 ? "of \(counts[0].store)" : "(\(list))"
    return "\(Plural(total, "change")) \(stores) \(total == 1 ? "is" : "are")"
  }

  var json: JSON {
    .array(counts.map { ["store": .string($0.store), "changes": .int(Int64($0.changes))] })
  }
}
