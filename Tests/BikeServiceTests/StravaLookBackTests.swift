import SyncKit
import SyncKitFormats
import Synchronization
import Testing

@testable import BikeService

/// Rides at Strava that a look at the last days alone would miss.
struct StravaLookBackTests {
  private let strava = FakeStrava()

  /// Pulls as a command does, with the progress of the pull before.
  private func pull(
    _ rider: Rider, _ progress: inout StravaProgress, full: Bool = false
  ) async throws -> StravaPull {
    var options = StravaPull.Options()
    options.isFull = full
    // From its file, as the next run finds it.
    options.progress = StravaProgress(parsing: progress.serialized)
    options.now = Rider.start
    let pull = try await strava.pull(rider, options)
    progress = pull.progress
    return pull
  }

  private func ids(_ rider: Rider) throws -> [String] {
    try rider.rides.records("activity").map(\.key.id.text)
  }

  init() { strava.change { $0.isOrdered = true } }

  @Test func `a pass through all rides that was cut goes on where it ended`() async throws {
    let rider = try Rider("a")
    var progress = StravaProgress()
    strava.change {
      $0.activities = (1...10).map { FakeStrava.activity("\($0)", day: -200 + $0 * 10) }
    }
    _ = try await pull(rider, &progress)
    // An edit and a deletion long ago; the next pass is cut in the middle.
    strava.change {
      $0.activities[5] = FakeStrava.activity("6", day: -140, moving: 7_200)
      $0.activities.remove(at: 1)
      $0.failAfter = $0.requests + 3
    }
    let cut = try await pull(rider, &progress, full: true)
    #expect(cut.interruption?.code == .stravaLimit && cut.removed.isEmpty)
    #expect(progress.pass != nil)
    let before = strava.state.withLock { $0.requests }
    strava.change { $0.failAfter = .max }
    let rest = try await pull(rider, &progress)
    #expect(rest.interruption == nil && rest.removed == ["2"])
    #expect(try rider.rides.record("activity", "6")?["movingTime"] == 7_200)
    #expect(progress.pass == nil && progress.lastFull == Rider.start)
    // The athlete, three more pages, and an empty one: not all over again.
    #expect(strava.state.withLock { $0.requests } - before <= 6)
  }

  @Test func `a ride that was uploaded late is found, wherever it is, after some pulls`()
    async throws
  {
    let rider = try Rider("a")
    var progress = StravaProgress()
    strava.change {
      $0.activities = (1...12).map { FakeStrava.activity("\($0)", day: -365 + $0 * 30) }
    }
    _ = try await pull(rider, &progress)
    strava.change {
      $0.activities.append(
        FakeStrava.activity("late", day: -100).replacing("\"id\":late", with: "\"id\":99"))
    }
    var pulls = 0
    while try !ids(rider).contains("99"), pulls < 20 {
      _ = try await pull(rider, &progress)
      pulls += 1
    }
    #expect(try ids(rider).contains("99") && pulls > 1)
    // One more request a pull.
    let before = strava.state.withLock { $0.requests }
    _ = try await pull(rider, &progress)
    #expect(strava.state.withLock { $0.requests } - before <= 5)
  }

  @Test func `a ride of the future moves no window, and is left out with a warning`() async throws {
    let rider = try Rider("a")
    var progress = StravaProgress()
    strava.change {
      $0.activities = [FakeStrava.activity("1", day: -2), FakeStrava.activity("2", day: 400)]
    }
    let first = try await pull(rider, &progress)
    #expect(try ids(rider) == ["1"])
    #expect(first.warnings.contains { $0.contains("2 is dated in the future") })
    // An older version has stored one.
    try rider.ride("3", day: 400, ["source": "strava"])
    strava.change { $0.activities.append(FakeStrava.activity("4", day: 0)) }
    _ = try await pull(rider, &progress)
    #expect(try ids(rider).contains("4"))
  }

  @Test func `a wait that Strava asks for counts`() async throws {
    for (value, time) in [
      ("42", "2024-06-01T00:00:42.000Z"),
      ("Sat, 01 Jun 2024 00:20:00 GMT", "2024-06-01T00:20:00.000Z"),
    ] {
      strava.change {
        $0.failAfter = 0
        $0.more = [("Retry-After", value)]
      }
      let error = await #expect(throws: SyncError.self) { try await strava.client().athlete() }
      #expect(error?.code == .stravaLimit && error?.hint?.contains(time) == true)
    }
  }

  @Test func `a new kind of sport is judged by its older type, or told of`() async throws {
    let rider = try Rider("a")
    var progress = StravaProgress()
    strava.change {
      $0.pageLength = 10
      $0.activities = [
        FakeStrava.activity("1", day: -1, sport: "CargoBikeRide"),
        FakeStrava.activity("2", day: -2, sport: "Levitation"),
        FakeStrava.activity("3", day: -3, sport: "Levitation").replacing(
          "\"type\":\"Ride\"", with: "\"type\":\"Levitation\""),
        FakeStrava.activity("4", day: -4).replacing("3700", with: #""abc""#).replacing(
          "\"distance\":20000.5", with: "\"distance\":1e12"),
      ]
    }
    let found = try await pull(rider, &progress)
    #expect(try ids(rider) == ["1", "2", "4"])
    #expect(found.warnings.contains { $0.contains("Levitation 1") })
    #expect(found.warnings.contains { $0.contains("activity 4 has no plausible distance") })
  }

  @Test(arguments: ["", "{}", "[]", #"{"pass":{"reached":-1},"lookBack":-5,"lastFull":7}"#])
  func `a progress that cannot be read is none`(text: String) {
    #expect(StravaProgress(parsing: Array(text.utf8)) == StravaProgress())
  }
}
