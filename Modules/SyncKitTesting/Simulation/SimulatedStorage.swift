import SyncKit
import Synchronization

/// A device stopped in the middle of what it did.
struct SimulatedCrash: Error, CustomStringConvertible {
  var description: String { "the device stopped" }
}

/// Stops a device at one of its next durable writes; from then on nothing works until it restarts.
final class CrashSwitch: Sendable {
  private struct State {
    var countdown: Int?
    var isAfterCommit = false
    var isDead = false
  }

  private let state = Mutex(State())

  /// Whether the device has stopped.
  var hasCrashed: Bool { state.withLock { $0.isDead } }

  /// Stops the device at the write that comes after that many others.
  func arm(after writes: Int, isAfterCommit: Bool) {
    state.withLock {
      $0.countdown = writes
      $0.isAfterCommit = isAfterCommit
    }
  }

  func disarm() { state.withLock { $0.countdown = nil } }

  func check() throws {
    guard !hasCrashed else { throw SimulatedCrash() }
  }

  /// Carries out a durable write, or stops before or after it.
  func perform<T>(_ write: () throws -> T) throws -> T {
    try check()
    let stops: Bool? = state.withLock { state in
      guard let left = state.countdown else { return nil }
      state.countdown = left - 1
      guard left <= 0 else { return nil }
      state.countdown = nil
      return state.isAfterCommit
    }
    guard let isAfterCommit = stops else { return try write() }
    defer { state.withLock { $0.isDead = true } }
    if isAfterCommit { _ = try write() }
    throw SimulatedCrash()
  }
}

/// The storage of a device that can stop, and of which every segment is noted that it ever held.
struct SimulatedStorage: Storage {
  let inner: any Storage
  let crash: CrashSwitch
  let log: SegmentLog

  var fingerprint: String? { inner.fingerprint }

  func read<T>(_ body: (any StorageReader) throws -> T) throws -> T {
    try crash.check()
    return try inner.read(body)
  }

  func write<T>(_ body: (any StorageWriter) throws -> T) throws -> T {
    try crash.perform { try inner.write { try body(NotingWriter(inner: $0, log: log)) } }
  }
}

/// The segments that were written to a store: it may drop one before any device looks.
final class SegmentLog: Sendable {
  private let segments = Mutex<[[UInt8]]>([])

  func note(_ segment: [UInt8]) { segments.withLock { $0.append(segment) } }

  /// Those since this was asked last.
  func take() -> [[UInt8]] {
    segments.withLock { segments in
      defer { segments = [] }
      return segments
    }
  }
}

private struct NotingWriter: StorageWriter {
  let inner: any StorageWriter
  let log: SegmentLog

  func get(_ table: Table, _ key: [UInt8]) throws -> [UInt8]? { try inner.get(table, key) }

  func scan(
    _ table: Table, prefix: [UInt8], after: [UInt8]?,
    _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws {
    try inner.scan(table, prefix: prefix, after: after, body)
  }

  func scanBackward(
    _ table: Table, prefix: [UInt8], before: [UInt8]?,
    _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws {
    try inner.scanBackward(table, prefix: prefix, before: before, body)
  }

  func put(_ table: Table, _ key: [UInt8], _ value: [UInt8]) throws {
    try inner.put(table, key, value)
    if table == .segment { log.note(value) }
  }

  func delete(_ table: Table, _ key: [UInt8]) throws { try inner.delete(table, key) }
}

/// What lies beside a simulated store.
final class SimulatedWitness: Sendable {
  private let witness: Mutex<Witness?>

  init(copying other: SimulatedWitness? = nil) {
    witness = Mutex(other?.witness.withLock { $0 })
  }

  func load() -> Witness? { witness.withLock { $0 } }
  func save(_ new: Witness) { witness.withLock { $0 = new } }
}

/// The witness as a store sees it that can stop.
struct WitnessAccess: ContinuityWitness {
  let witness: SimulatedWitness
  let crash: CrashSwitch

  func load() throws -> Witness? {
    try crash.check()
    return witness.load()
  }

  func save(_ new: Witness) throws {
    try crash.perform { witness.save(new) }
  }
}
