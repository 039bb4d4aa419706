import SQLiteStorage
import SyncKit
import Synchronization

/// Makes a damaged store anew: takes over what can be read of it, and keeps it beside, byte for byte.
///
/// The new store is made under another name and takes the place of the damaged one when it is whole, so
/// that a repair that was cut off can be run again as if nothing had been.
struct StoreRepair {
  private let session: Session
  private let domain: String
  private let path: String

  init(_ session: Session, _ domain: String) {
    self.session = session
    self.domain = domain
    path = session.storePath(domain)
  }

  /// Repairs the store if it needs it; a sound one stays as it is.
  ///
  /// - Throws: ``SyncError`` `store.busy` while a run is under way, `store.newer` and the like.
  func run() async throws {
    let lock = try await session.lock(domain, wait: .zero)
    defer { lock.release() }
    let exchange = try StoreExchange(path, as: .damaged)
    guard try isDamaged() else { return }
    let draft = "\(path).repaired"
    for ending in ["-wal", "-shm", ""] { LocalFile.discard(draft + ending) }
    let witness = NewWitness()
    try fill(draft, witness)
    let aside = try exchange.finish(with: draft)
    // Cut off before this, the store takes itself for a copy: it has new replica ids once more.
    if let made = witness.made { try session.witness(domain).save(made) }
    if let aside { session.context.warn("the damaged store is kept as \(aside)") }
    session.context.note("next: cloudsync sync, which brings what a remote has")
  }

  /// Makes a store and takes over what can be read.
  private func fill(_ draft: String, _ witness: NewWitness) throws {
    let storage = try SQLiteStorage(path: draft)
    defer { storage.close() }
    let store = try session.store(domain, on: storage, session.device(), witness: witness)
    do {
      let damaged = try SQLiteStorage(path: path, isCreated: false)
      defer { damaged.close() }
      let report = try store.salvage(from: damaged)
      for loss in report.losses { session.context.warn(loss) }
      session.context.note(
        "took over \(report.segments) segments and \(report.unsealed) unsealed changes")
    } catch let error as SyncError where error.code == .storeDamaged {
      session.context.warn("nothing of it can be read: \(error.message)")
    } catch let error as SyncError where error.code == .storeMissing {
      session.context.warn("nothing of it is there but its log")
    } catch var error as SyncError where error.code == .storeIO {
      error.hint =
        error.hint
          ?? """
          Run the command again. If the disk never gives some places of '\(path)', make a copy of it past \
          them, with ddrescue for example, and repair the copy in its place.
          """
      throw error
    }
  }

  private func isDamaged() throws -> Bool {
    do {
      let storage = try SQLiteStorage(path: path, isCreated: false)
      defer { storage.close() }
      return try !storage.problems().isEmpty
    } catch let error as SyncError where error.code == .storeDamaged {
      return true
    } catch let error as SyncError where error.code == .storeMissing {
      // Its log alone keeps another one from being made.
      return LocalFile.size(path + "-wal") > 0
    }
  }
}

/// What a store that is being made shares with its witness, kept until the store has its name.
private final class NewWitness: ContinuityWitness {
  private let known = Mutex<Witness?>(nil)

  var made: Witness? { known.withLock { $0 } }

  func load() throws -> Witness? { made }
  func save(_ witness: Witness) throws { known.withLock { $0 = witness } }
}
