import CommandFoundation
import SyncKit
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

@testable import CloudSyncCommands

/// One run at a time, and no lock that outlives its holder.
struct StoreLockTests {
  @Test func `the second process learns who holds it`() async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/store.lock"
    let first = try await StoreLock(path)
    let error = await #expect(throws: SyncError.self) { try await StoreLock(path) }
    #expect(error?.code == .storeBusy && error?.code.exit == 75 && error?.isSafe == true)
    #expect(error?.message.contains("process \(getpid())") == true)
    first.release()
    first.release()
    _ = try await StoreLock(path)
  }

  @Test func `the file is private whatever the umask`() async throws {
    let folder = try TemporaryFolder()
    let old = umask(0)
    defer { umask(old) }
    _ = try await StoreLock("\(folder.path)/store.lock")
    #expect(folder.mode(of: "store.lock") == 0o600)
  }

  @Test func `a waiting process gets it once it is free`() async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/store.lock"
    let first = try await StoreLock(path)
    async let second = StoreLock(path, wait: .seconds(30))
    try await Task.sleep(for: .milliseconds(50))
    first.release()
    _ = try await second
  }

  @Test func `a process that waits too briefly is busy`() async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/store.lock"
    let first = try await StoreLock(path)
    let start = ContinuousClock.now
    await #expect(throws: SyncError.self) { try await StoreLock(path, wait: .milliseconds(80)) }
    #expect(ContinuousClock.now - start >= .milliseconds(80))
    first.release()
  }

  @Test func `a cancelled task stops waiting`() async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/store.lock"
    let first = try await StoreLock(path)
    let waiting = Task { try await StoreLock(path, wait: .seconds(600)) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    first.release()
  }

  @Test func `a lock left by a process that died is free`() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("999999\n", to: "store.lock")
    _ = try await StoreLock(path)
  }

  @Test func `releasing the value releases the lock`() async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/store.lock"
    do { _ = try await StoreLock(path) }
    _ = try await StoreLock(path)
  }

  @Test func `a missing folder is an error of its own`() async {
    let error = await #expect(throws: SyncError.self) {
      try await StoreLock("/nonexistent/folder/store.lock")
    }
    #expect(error?.code == .storeIO)
  }
}
