import CommandFoundation
import Formats
import SQLiteStorage
import SyncKit

/// Makes a damaged store anew: takes over what can be read of it, and keeps it beside, byte for byte.
///
/// The new store is made under another name and takes the place of the damaged one when it is whole, so
/// that a repair that was cut off can be run again as if nothing had been.
struct StoreRepair {
  /// What a repair has done.
  struct Outcome {
    var store: String
    /// Where the damaged store is kept.
    var kept: String?
    var report: SalvageReport
  }

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
  /// - Returns: What was done; nil for nothing.
  /// - Throws: ``SyncError`` `store.busy` while a run is under way, `store.newer` and the like.
  func run() async throws -> Outcome? {
    let lock = try await session.lock(domain, wait: .zero)
    defer { lock.release() }
    let exchange = try StoreExchange(path, as: .damaged)
    guard try isDamaged() else { return nil }
    let draft = "\(path).repaired"
    for ending in ["-wal", "-shm", ""] { LocalFile.discard(draft + ending) }
    let witness = NewWitness()
    let report = try takeOver(into: draft, witness)
    let aside = try exchange.finish(with: draft)
    // Cut off before this, the store takes itself for a copy: it has new replica ids once more.
    if let made = witness.made { try session.witness(domain).save(made) }
    if let aside { session.context.warn("the damaged store is kept as \(aside)") }
    session.context.note("next: cloudsync sync, which brings what a remote has")
    return Outcome(store: domain, kept: aside, report: report)
  }

  /// Takes over what can be read of the store that is there, into another one, which is made if need be.
  ///
  /// - Returns: What was taken over, and what was lost.
  /// - Throws: ``SyncError`` `store.io` and the like, when a disk fails that may give more another time.
  @discardableResult
  func takeOver(into draft: String, _ witness: NewWitness) throws -> SalvageReport {
    let storage = try SQLiteStorage(path: draft)
    defer { storage.close() }
    let store = try session.store(domain, on: storage, session.keepDevice(), witness: witness)
    do {
      let report = try salvage(into: store)
      for loss in report.losses { session.context.warn(loss) }
      session.context.note(
        "took over \(Plural(report.segments, "segment")) and "
          + "\(Plural(report.unsealed, "unsealed change"))")
      return report
    } catch let error as SyncError where error.code == .storeDamaged {
      return nothing("Nothing of it can be read: \(error.message)")
    } catch let error as SyncError where error.code == .storeMissing {
      return nothing("Nothing of it is there but its log.")
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

  private func nothing(_ why: String) -> SalvageReport {
    session.context.warn(why)
    return SalvageReport(losses: [why])
  }

  /// Reads the store as one, and where that leaves something out page by page.
  private func salvage(into store: SyncStore) throws -> SalvageReport {
    var first: SalvageReport?
    do {
      let damaged = try SQLiteStorage(path: path, isCreated: false)
      defer { damaged.close() }
      let report = try store.salvage(from: damaged)
      if report.losses.isEmpty { return report }
      first = report
    } catch let error as SyncError where error.code == .storeDamaged {
      // Cut short or worse, so that SQLite does not open it.
    }
    do {
      let pages = try PageSalvage(path: path)
      var report = try store.salvage(from: pages)
      if pages.missingPages > 0 {
        report.losses.insert(
          "\(Plural(pages.missingPages, "page is", "pages are")) gone; what was in them may be missing.",
          at: 0)
      }
      report.segments = max(report.segments, first?.segments ?? 0)
      report.unsealed = max(report.unsealed, first?.unsealed ?? 0)
      return report
    } catch let error as SyncError where error.code == .storeDamaged {
      guard let first else { throw error }
      return first
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
