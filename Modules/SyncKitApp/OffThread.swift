import Dispatch

/// Work that waits for a disk, on a thread that no task needs.
enum OffThread {
  private static let queue = DispatchQueue(label: "cloudsync.store", attributes: .concurrent)

  /// Runs `body` on another thread; a task that is cancelled before does not begin it.
  static func run<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try Task.checkCancellation()
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result(catching: body)) }
    }
  }
}
