import DeviceIdentity
import LocalMachine
import CommandFoundation
import SyncKitFormats
import SQLiteStorage
import SyncKit

/// Rebuilds a damaged store: takes over its readable part, and keeps the damaged file unchanged next to it.
///
/// The new store is built under another name and replaces the damaged one when it is complete, so
/// an interrupted repair can be run again from the start.
struct StoreRepair {
  /// The outcome of a repair.
  struct Outcome {
    var store: String
    /// The path of the damaged store.
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

  /// Repairs the store if necessary; a sound one stays as it is.
  ///
  /// - Returns: The outcome; nil if there was nothing to repair.
  /// - Throws: ``SyncError`` `store.busy` during a run, `store.newer` and the like.
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
    // Interrupted before this, the store counts as a copy: it takes new replica ids once more.
    if let made = witness.made { try session.witness(domain).save(made) }
    if let aside { session.context.warn("the damaged store is kept as \(aside)") }
    session.context.note("next: 'cloudsync sync' fetches what the remotes have")
    return Outcome(store: domain, kept: aside, report: report)
  }

  /// Takes over the readable part of the existing store into another one, which is created if necessary.
  ///
  /// - Returns: The counts of what was taken over, and the losses.
  /// - Throws: ``SyncError`` `store.io` and the like, for a disk that may give more at another try.
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
      return nothing("Nothing in the store can be read: \(error.message)")
    } catch let error as SyncError where error.code == .storeMissing {
      return nothing("Nothing of the store is left but its log.")
    } catch var error as SyncError where error.code == .storeIO {
      error.hint =
        error.hint
          ?? """
          Run the command again. If parts of '\(path)' stay unreadable, copy the rest, with \
          ddrescue for example, and repair the copy in its place.
          """
      throw error
    }
  }

  private func nothing(_ why: String) -> SalvageReport {
    session.context.warn(why)
    return SalvageReport(losses: [why])
  }

  /// Reads the store as a whole, and if that misses something, page by page.
  private func salvage(into store: SyncStore) throws -> SalvageReport {
    var first: SalvageReport?
    do {
      let damaged = try SQLiteStorage(path: path, isCreated: false)
      defer { damaged.close() }
      let report = try store.salvage(from: damaged)
      if report.losses.isEmpty { return report }
      first = report
    } catch let error as SyncError where error.code == .storeDamaged {
      // Cut short or worse: SQLite does not open it.
    }
    do {
      let pages = try PageSalvage(path: path)
      var report = try store.salvage(from: pages)
      if pages.missingPages > 0 {
        report.losses.insert(
          "\(Plural(pages.missingPages, "page is", "pages are")) gone; their contents may be missing.",
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
      // A leftover log alone would keep a new store from being created.
      return LocalFile.size(path + "-wal") > 0
    }
  }
}
