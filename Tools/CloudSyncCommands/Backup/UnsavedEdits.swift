import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SQLiteStorage
import SegmentFormat
import SyncKit

/// What to do with edits that nobody else has, when the store that holds them gives way to another one.
enum UnsentChoice: String, EnumerableFlag {
  case keepUnsent, discardUnsent

  static func help(for value: UnsentChoice) -> ArgumentHelp? {
    switch value {
    case .keepUnsent: "Take over the edits that neither a remote nor the backup has."
    case .discardUnsent: "Leave those edits in the stores that are put aside."
    }
  }
}

/// The edits that only the stores of this device have, and not those that are to take their place.
struct UnsavedEdits {
  /// How many changes each store alone has; none with nothing.
  private(set) var counts: [(store: String, changes: Int)] = []
  /// The stores that cannot be read, so that nobody can tell.
  private(set) var unread: [String] = []
  /// Whether a sync could send some of it.
  private var hasRemote = false

  /// Compares stores with those that lie in a folder under the same names.
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

  /// The stores that hold such edits, or may.
  var stores: [String] { counts.map(\.store) + unread }

  var isEmpty: Bool { counts.isEmpty && unread.isEmpty }

  /// Stops what would put the edits out of sight.
  ///
  /// - Throws: ``SyncError`` `store.unsent`.
  func refuse() throws {
    guard !isEmpty else { return }
    let ways =
      "say --keep-unsent to take over what can be read, or --discard-unsent to leave it in the "
      + "stores that are put aside"
    guard !counts.isEmpty else {
      throw SyncError(
        .storeUnsent,
        "the store of \(unread.joined(separator: ", ")) cannot be read, so it may hold edits that "
          + "nothing else has",
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

extension SyncError.Code {
  /// Edits that nothing else has would be out of sight.
  static let storeUnsent = Self("store.unsent", exit: 77)
}
