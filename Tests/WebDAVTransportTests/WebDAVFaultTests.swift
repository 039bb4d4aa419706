import RealPlaces
import SegmentFormat
import SyncKit
import SyncKitHTTP
import SyncKitTesting
import Synchronization
import Testing

@testable import WebDAVTransport

/// A way to a real server that cuts, refuses, repeats and shows old listings, by chance.
private final class BadWay: Sendable {
  private struct State {
    var random: SeededRandom
    var isBad = true
    var listings: [String: [UInt8]] = [:]
    var faults = 0
  }

  private let state: Mutex<State>

  init(seed: UInt64) { state = Mutex(State(random: SeededRandom(seed: seed))) }

  /// How many faults there were.
  var faults: Int { state.withLock(\.faults) }

  /// Ends all faults.
  func heal() { state.withLock { $0.isBad = false } }

  /// A number below a hundred; no fault is at 99.
  private func draw() -> UInt64 {
    state.withLock { state in
      guard state.isBad else { return 99 }
      let number = state.random.next() % 100
      if number < 40 { state.faults += 1 }
      return number
    }
  }

  @Sendable func carry(
    _ request: CarriedRequest, _ forward: TwistedCarrier.Forward
  ) async throws -> CarriedAnswer {
    switch draw() {
    case 0..<7: throw CarrierFailure.unreachable("reset", wasSent: false)
    case 7..<16:
      // It has happened, and nobody hears of it.
      _ = try await forward(request)
      throw CarrierFailure.unreachable("cut", wasSent: true)
    case 16..<22: return CarriedAnswer(status: 500)
    case 22..<26: return CarriedAnswer(status: 503, headers: [("Retry-After", "1")])
    case 26..<29: return CarriedAnswer(status: 502)
    case 29..<33:
      _ = try await forward(request)
      return try await forward(request)
    case 33..<36 where request.method == "GET":
      let answer = try await forward(request)
      let bytes = try await answer.bytes(upTo: 1 << 24)
      return CarriedAnswer(status: answer.status, body: Array(bytes.prefix(bytes.count / 2)))
    case 33..<40 where request.method == "PROPFIND":
      if let old = state.withLock({ $0.listings[request.path] }) {
        return CarriedAnswer(status: 207, body: old)
      }
      fallthrough
    default:
      let answer = try await forward(request)
      guard request.method == "PROPFIND", answer.status == 207 else { return answer }
      let bytes = try await answer.bytes(upTo: 1 << 24)
      state.withLock { $0.listings[request.path] = bytes }
      return CarriedAnswer(status: 207, body: bytes)
    }
  }
}

@Suite struct WebDAVOverABadNetwork {
  @Test(arguments: [WebDAVServer.Kind.apache, .nginx, .wsgidav, .rclone])
  func nothingIsLost(kind: WebDAVServer.Kind) async throws {
    let server = try WebDAVServer(kind)
    let way = BadWay(seed: UInt64(kind.rawValue.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) }))
    let (clock, log) = (VirtualClock(), RequestLog())
    func device(_ name: String) throws -> BusyDevice {
      let store = try server.store("bad", log, way.carry)
      return try BusyDevice(
        name, BlobTransport(store, arrangement: .flat), of: "contract", clock: clock)
    }
    let devices = [try device("a"), try device("b"), try device("c")]
    var failures = 0
    for number in 0..<60 {
      do {
        try await devices[number % 3].write(number)
      } catch let error as SyncError {
        // What cannot be done now says so; it is written here all the same.
        failures += 1
        #expect(error.code.isRetryable || error.code == .remoteProtocol, "\(error)")
      }
    }
    #expect(way.faults > 50 && failures > 0)
    way.heal()
    for device in devices { try await device.sync() }
    let late = try device("late")
    // The newcomer introduces itself, which the others take in a round later.
    for _ in 0..<2 { for device in devices + [late] { try await device.sync() } }
    let digests = try devices[0].digests
    for device in devices + [late] {
      #expect(try device.digests == digests)
      #expect(try device.isSound)
    }
    #expect(try late.store.records("note").count == 40)
    // Nobody tries for ever.
    #expect(log.requests.count < 6_000)
    server.process.stop()
  }
}
