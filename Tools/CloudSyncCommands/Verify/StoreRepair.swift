import SQLiteStorage
import SyncKit

/// Makes a damaged store anew: moves it aside byte for byte and takes over what can be read of it.
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
    guard try isDamaged(), let aside = try SQLiteStorage.setAside(path) else { return }
    session.context.warn("the damaged store is kept as \(aside)")
    let store = try session.store(domain)
    do {
      let damaged = try SQLiteStorage(path: aside, isCreated: false)
      defer { damaged.close() }
      let report = try store.salvage(from: damaged)
      for loss in report.losses { session.context.warn(loss) }
      session.context.note(
        "took over \(report.segments) segments and \(report.unsealed) unsealed changes")
    } catch let error as SyncError where error.code == .storeDamaged {
      session.context.warn("nothing of it can be read: \(error.message)")
    }
    session.context.note("next: cloudsync sync, which brings what a remote has")
  }

  private func isDamaged() throws -> Bool {
    do {
      let storage = try SQLiteStorage(path: path, isCreated: false)
      defer { storage.close() }
      return try !storage.problems().isEmpty
    } catch let error as SyncError where error.code == .storeDamaged {
      return true
    } catch let error as SyncError where error.code == .storeMissing {
      return false
    }
  }
}
