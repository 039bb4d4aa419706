import SyncKitText
import HTTPTypes
import Hummingbird
import NIOCore
import SyncWire
import Synchronization

/// Whether a server can do its work just now.
struct Readiness: Sendable {
  /// There should be more than this left on the disk: 64 MiB.
  static let leastFreeBytes: UInt64 = 64 << 20

  /// How long a write may take.
  static let patience = Duration.seconds(4)

  /// How many bytes are free; nil when unknown.
  let freeBytes: @Sendable () -> UInt64?
  /// Writes something durably and takes it back.
  let write: @Sendable () async throws -> Void
  /// Whether large bodies can be stored and read, by the last request for one; nil without a bucket.
  let isBucketInReach: @Sendable () -> Bool?

  private let trial = SharedTrial()

  /// Takes what it asks.
  init(
    freeBytes: @escaping @Sendable () -> UInt64?,
    write: @escaping @Sendable () async throws -> Void,
    isBucketInReach: @escaping @Sendable () -> Bool? = { nil }
  ) {
    (self.freeBytes, self.write, self.isBucketInReach) = (freeBytes, write, isBucketInReach)
  }

  /// The answer to `/healthz`: that the process answers.
  static func alive() -> Response { response(.ok, ["status": "ok"]) }

  /// Whether it can do its work.
  func isReady() async -> Bool {
    let found = await check()
    return found.hasRoom && found.canWrite
  }

  private func check() async -> (hasRoom: Bool, canWrite: Bool) {
    let hasRoom = freeBytes().map { $0 >= Self.leastFreeBytes } ?? true
    return (hasRoom, await canWrite())
  }

  /// Whether a write ends well, and within ``patience``: a database that hangs must not make a balancer wait.
  private func canWrite() async -> Bool {
    let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
    let running = trial.run(write)
    // It is left to itself: what waits for a database cannot be called off.
    Task { answer.yield(await running.value) }
    let limit = Task {
      try? await Task.sleep(for: Self.patience)
      answer.yield(false)
    }
    defer { limit.cancel() }
    for await isWritten in answers { return isWritten }
    return false
  }

  /// The answer to `/readyz`: each check with its outcome, 503 when one fails.
  func answer() async -> Response {
    let (hasRoom, canWrite) = await check()
    guard hasRoom, canWrite else {
      let what =
        canWrite
        ? "the disk is nearly full: less than 64 MiB are free" : "the database cannot be written"
      return RefusalAnswer.response(WireError(.unavailable, what, retryAfter: 30))
    }
    var found: JSONObject = ["status": "ok", "database": "writable", "disk": "has room"]
    // Other servers have the same bucket, and small bodies go on, so it is no reason to be taken out.
    if let isInReach = isBucketInReach() {
      found["bucket"] = .string(isInReach ? "in reach" : "out of reach")
    }
    return Self.response(.ok, .object(found))
  }

  static func response(_ status: HTTPResponse.Status, _ json: JSON) -> Response {
    Response(
      status: status, headers: [.contentType: WireProtocol.json],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.serialized())))
  }
}

/// What a check has found, for ten seconds: whoever opens a page again and again must not write each time.
actor RememberedReadiness {
  private let readiness: Readiness
  private var last: (at: ContinuousClock.Instant, isReady: Bool)?

  init(_ readiness: Readiness) { self.readiness = readiness }

  func isReady() async -> Bool {
    if let last, last.at.duration(to: .now) < .seconds(10) { return last.isReady }
    let isReady = await readiness.isReady()
    last = (.now, isReady)
    return isReady
  }
}

/// One write at a time for all who ask whether a server is ready: while a database hangs, no more may pile up.
private final class SharedTrial: Sendable {
  private let running = Mutex<Task<Bool, Never>?>(nil)

  func run(_ write: @escaping @Sendable () async throws -> Void) -> Task<Bool, Never> {
    running.withLock { running in
      if let running { return running }
      let task = Task {
        let isWritten = (try? await write()) != nil
        self.running.withLock { $0 = nil }
        return isWritten
      }
      running = task
      return task
    }
  }
}
