public import SyncKit

extension SyncStore {
  /// Writes records as one batch in one durable transaction, off the caller's thread.
  ///
  /// Like the form without `await`, which waits for the disk on the caller's thread. A task that is cancelled before
  /// the transaction begins writes nothing; one that has begun is finished.
  ///
  /// - Returns: What `body` returned, and what was done.
  /// - Throws: What `body` throws; then nothing was written.
  @discardableResult
  public func write<T: Sendable>(
    _ body: @escaping @Sendable (WriteTransaction) throws -> T
  ) async throws -> (result: T, summary: BatchSummary) {
    try await OffThread.run { try self.writeNow(body) }
  }

  /// Reads off the caller's thread.
  public func read<T: Sendable>(
    _ body: @escaping @Sendable (SyncStore) throws -> T
  ) async throws -> T {
    try await OffThread.run { try body(self) }
  }

  private func writeNow<T>(
    _ body: (WriteTransaction) throws -> T
  ) throws -> (result: T, summary: BatchSummary) {
    try write(body)
  }
}
