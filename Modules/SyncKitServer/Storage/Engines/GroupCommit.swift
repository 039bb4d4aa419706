import NIOPosix
import SyncKit
import Synchronization

/// Writes for many at once: what waits is written in one transaction, and all wait for one
/// synchronisation of the disk.
///
/// - **One after the other.** There is one order of all writes; what one of them decides by holds
///   until the commit.
/// - **Apart.** A request that fails undoes what it has written, and nothing of the others.
/// - **Durable.** No request is answered before the commit is on the disk.
///
/// The connection is touched by the writer's own thread only, which makes the class Sendable.
final class GroupCommit: @unchecked Sendable {
  /// The most requests in one commit.
  private static let limit = 256

  private struct Line {
    var jobs: [any WriteJob] = []
    var isServed = false
  }

  private let thread = NIOThreadPool(numberOfThreads: 1)
  private let line = Mutex(Line())
  private let tables: ServerTables
  private let meter: CommitMeter
  private let clock = ContinuousClock()
  private let tell: @Sendable (StorageNews) -> Void

  /// Writes with a connection that nothing else uses from now on.
  init(
    _ tables: ServerTables, _ meter: CommitMeter, tell: @escaping @Sendable (StorageNews) -> Void
  ) {
    self.tables = tables
    self.meter = meter
    self.tell = tell
    thread.start()
  }

  /// Runs `body` in a transaction and returns once it is durable.
  func run<T: Sendable>(
    _ body: @escaping @Sendable (ServerTables) throws -> T
  ) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      let job = Job(body, continuation)
      meter.wait(1)
      let mustServe = line.withLock { line in
        line.jobs.append(job)
        defer { line.isServed = true }
        return !line.isServed
      }
      guard mustServe else { return }
      thread.submit { state in self.serve(isActive: state == .active) }
    }
  }

  /// Waits for what is being written, and closes the file.
  func close() async throws {
    try await thread.runIfActive { self.tables.close() }
    try await thread.shutdownGracefully()
  }

  private func serve(isActive: Bool) {
    while true {
      let jobs = line.withLock { line in
        let jobs = Array(line.jobs.prefix(Self.limit))
        line.jobs.removeFirst(jobs.count)
        if jobs.isEmpty { line.isServed = false }
        return jobs
      }
      guard !jobs.isEmpty else { return }
      meter.wait(-jobs.count)
      if isActive {
        commit(jobs[...])
      } else {
        let closed = SyncError(.storeIO, "The server's store is closed.")
        for job in jobs { job.finish(failing: closed) }
      }
    }
  }

  /// How often a group is tried over again that has left nothing behind.
  private static let repetitions = 3

  private func commit(_ jobs: ArraySlice<any WriteJob>, repetition: Int = 0) {
    var rest = jobs
    var done: [any WriteJob] = []
    var news = StorageNews()
    var hasBegun = false
    let start = clock.now
    do {
      // When several requests share a commit, that of the first.
      try tables.connection.begin(.writing, for: rest.first?.trace)
      hasBegun = true
      while let job = rest.popFirst() {
        done.append(job)
        tables.news = StorageNews()
        try attempt(job)
        news.formUnion(tables.news)
      }
      try tables.connection.commit(telling: news)
    } catch {
      meter.failed()
      // Nothing of this group is there; a request not yet tried gets another group.
      if tables.connection.isInTransaction { tables.connection.rollback() }
      if hasBegun, repetition < Self.repetitions, tables.connection.mayRepeat(after: error) {
        return commit(jobs, repetition: repetition + 1)
      }
      if done.isEmpty {
        done = Array(rest)
        rest = []
      }
      for job in done { job.finish(failing: error) }
      return rest.isEmpty ? () : commit(rest)
    }
    meter.committed(done.count, took: start.duration(to: clock.now))
    if !news.isEmpty { tell(news) }
    for job in done { job.finish(failing: nil) }
  }

  /// Lets a request write.
  ///
  /// - Throws: What ended the whole transaction; a request's own failure is its own affair.
  private func attempt(_ job: any WriteJob) throws {
    try tables.connection.mark()
    guard let failure = job.attempt(tables) else { return try tables.connection.keep() }
    tables.news = StorageNews()
    // SQLite takes everything back by itself when the disk is full or fails, PostgreSQL when it is stopped.
    guard tables.connection.isInTransaction, !tables.connection.mayRepeat(after: failure) else {
      throw failure
    }
    try tables.connection.takeBack()
  }
}

/// A request that waits to be written.
private protocol WriteJob: AnyObject, Sendable {
  /// The trace of the request; nil when it is the server's own.
  var trace: String? { get }
  /// Does its work, once more when it is asked again, and says what went wrong.
  func attempt(_ tables: ServerTables) -> (any Error)?
  /// Answers, after the commit or when there was none.
  func finish(failing error: (any Error)?)
}

/// Only the writer's thread touches the outcome.
private final class Job<T: Sendable>: WriteJob, @unchecked Sendable {
  private let body: @Sendable (ServerTables) throws -> T
  private let continuation: CheckedContinuation<T, any Error>
  let trace = RequestNote.current?.trace
  private var outcome: Result<T, any Error>?

  init(
    _ body: @escaping @Sendable (ServerTables) throws -> T,
    _ continuation: CheckedContinuation<T, any Error>
  ) {
    self.body = body
    self.continuation = continuation
  }

  func attempt(_ tables: ServerTables) -> (any Error)? {
    let outcome = Result { try body(tables) }
    self.outcome = outcome
    if case .failure(let error) = outcome { return error }
    return nil
  }

  func finish(failing error: (any Error)?) {
    if let error { return continuation.resume(throwing: error) }
    switch outcome {
    case .success(let value): continuation.resume(returning: value)
    case .failure(let error): continuation.resume(throwing: error)
    case nil: continuation.resume(throwing: SyncError(.bug, "A write was never tried."))
    }
  }
}
