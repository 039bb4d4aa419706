import SegmentFormat
import SyncCrypto
import SyncKit
import SyncWire
import Synchronization

/// A body that is kept outside the database.
struct BodyObject: Sendable, Hashable {
  /// The name of its object; no other content ever bears it.
  var name: String
  /// How many bytes it has.
  var size: Int
  /// The SHA-256 of these.
  var hash: [UInt8]

  /// Whether bytes are those that were stored.
  func isWhole(_ bytes: [UInt8]) -> Bool { bytes.count == size && SHA256.hash(bytes) == hash }
}

/// Where large bodies are kept, as a server uses it.
///
/// - **Bounded.** At most 32 MiB are on their way in at once, and as many out.
/// - **Prompt.** After it was not reached, all requests of the next two seconds are refused at once. A refusal of one
///   request, such as to remove a locked object, holds up no other.
///
/// - Throws: Every method may throw ``SyncError`` `store.unavailable` when the bucket does not do what it is asked.
final class BodyBucket: Sendable {
  private static let capacity = 32 << 20
  /// How long nothing is asked after a failure.
  private static let pause = Duration.seconds(2)

  /// What the bucket has shown.
  private struct State {
    var last: ContinuousClock.Instant?
    var isAway = false
    /// What it has refused last, so that the log says it once.
    var refusal: String?
  }

  /// From that many bytes on a body is kept there.
  let from: Int
  /// The folder of this database's objects, so that several may share a bucket.
  let folder: String
  private let store: any BlobStore
  private let arriving = ByteGate(BodyBucket.capacity)
  private let leaving = ByteGate(BodyBucket.capacity)
  private let state = Mutex(State())
  private let log: @Sendable (String) -> Void

  init(_ blobs: ServerBlobs, folder: String, log: @escaping @Sendable (String) -> Void) {
    store = blobs.store
    from = max(blobs.from, 0)
    self.folder = folder
    self.log = log
  }

  /// Its name in messages.
  var location: String { store.location }

  /// Whether its last answer was as wanted.
  var isInReach: Bool { state.withLock { !$0.isAway } }

  /// Stores a body; once this returns, it is durable.
  func put(_ object: BodyObject, _ bytes: [UInt8]) async throws {
    try await ask(arriving, bytes.count) {
      _ = try await self.store.put(object.name, bytes, replacing: true)
    }
  }

  /// The bytes of a body, whole or not; nil when there is no such object.
  func get(_ object: BodyObject) async throws -> [UInt8]? {
    try await ask(leaving, object.size) {
      try await self.store.get(object.name, upTo: object.size + 1)
    }
  }

  /// Removes an object.
  func delete(_ name: String) async throws {
    try await ask(arriving, 1) { try await self.store.delete(name) }
  }

  /// The names of all objects that are there.
  func names() async throws -> [String] {
    try await ask(leaving, 1) {
      try await self.store.list(self.folder, .tree).blobs.map(\.name)
    }.filter { $0 != marker }
  }

  /// Finds out whether it can be reached, if it was not asked for half a minute.
  func lookIfIdle() async {
    let isRecent = state.withLock { state in
      state.last.map { $0.duration(to: .now) < .seconds(30) } ?? false
    }
    guard !isRecent else { return }
    _ = try? await ask(leaving, 1) { try await self.store.get(self.marker, upTo: 64) }
  }

  /// Says that the bodies of the database are in another one.
  func isAnother(than known: String) -> SyncError {
    SyncError(
      .configInvalid, "The bodies of this server are in \(known), not in \(location).",
      hint:
        "Name that one with --blobs or 'server.blobs'. If they are in the new one now, 'server bucket --replace' says so."
    )
  }

  /// By which a bucket is known again.
  private var marker: String { "\(folder)/bucket" }

  /// Finds out whether it is the right one, and whether objects can be stored, read and removed.
  ///
  /// - Throws: ``SyncError`` of the store, which names what to correct; `config.invalid` for another bucket than the one
  ///   with the objects that there are.
  func prepare(hasObjects: Bool) async throws {
    try await store.prepare(creating: false)
    let content = Array("cloudsync-server keeps bodies in this folder.\n".utf8)
    if try await store.get(marker, upTo: 64) == nil {
      guard !hasObjects else {
        throw SyncError(
          .configInvalid, "The bodies of this server are not in \(location).",
          hint: "Name the bucket and the prefix with which the server was started before.")
      }
      _ = try await store.put(marker, content, replacing: true)
    }
    // In the form of all other names, since keys may be good for some names only.
    let trial = "\(folder)/trial/\(String(UInt64.random(in: .min ... .max), radix: 36))"
    _ = try await store.put(trial, content, replacing: true)
    let found = try await store.get(trial, upTo: 64)
    try await store.delete(trial)
    guard found == content else {
      throw SyncError(
        .configInvalid, "\(location) does not give back what was stored there.",
        hint: "Check 'endpoint' and the bucket.")
    }
    state.withLock { ($0.last, $0.isAway) = (.now, false) }
  }

  private func ask<Value: Sendable>(
    _ gate: ByteGate, _ bytes: Int, _ body: @Sendable () async throws -> Value
  ) async throws -> Value {
    try await gate.pass(bytes) {
      let isPaused = state.withLock { state in
        state.isAway && (state.last.map { $0.duration(to: .now) < Self.pause } ?? false)
      }
      guard !isPaused else { throw Self.failure(location, nil) }
      do {
        let value = try await body()
        let wasAway = state.withLock { state in
          defer { (state.last, state.isAway) = (.now, false) }
          return state.isAway
        }
        if wasAway { log("The bucket \(location) is in reach again.") }
        return value
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        let isAway = (error as? SyncError)?.code.isRetryable ?? true
        let isNew = state.withLock { state in
          let words = "\(error)"
          defer {
            if isAway { (state.last, state.isAway) = (.now, true) }
            state.refusal = isAway ? nil : words
          }
          return isAway ? !state.isAway : state.refusal != words
        }
        let failure = Self.failure(location, error)
        if isNew { log("\(failure)") }
        throw failure
      }
    }
  }

  private static func failure(_ location: String, _ error: (any Error)?) -> SyncError {
    let known = error as? SyncError
    return SyncError(
      .storeUnavailable, "The bucket \(location) does not answer as it should.",
      hint: known?.hint, cause: known?.message ?? error.map { "\($0)" })
  }
}
