import SyncKitFormats
import SyncKit
import SyncKitTesting
import Synchronization
import Testing

@testable import BikeService

/// Mistakes of other programs, each with the test that would have caught it.
struct TrapTests {
  private let strava = FakeStrava()
  private let remote = InMemoryTransport()

  @Test func `B1: pages are asked for until one is empty, whatever their length`() async throws {
    let rider = try Rider("a")
    strava.change {
      $0.pageLength = 3
      $0.activities = (1...7).map { FakeStrava.activity("\($0)", day: -$0) }
    }
    let pull = try await strava.pull(rider)
    #expect(pull.seen == 7)
    #expect(try rider.rides.records("activity").count == 7)
    // The athlete, three pages, and an empty one.
    #expect(strava.state.withLock { $0.requests } == 5)
  }

  @Test func `B2: runs are not rides, and shoes are not bikes`() async throws {
    let rider = try Rider("a")
    strava.change {
      $0.activities = [
        FakeStrava.activity("1", day: -1),
        FakeStrava.activity("2", day: -2, gear: "g5", sport: "Run"),
        FakeStrava.activity("3", day: -3, gear: "g5", sport: "TrailRun"),
      ]
    }
    _ = try await strava.pull(rider)
    #expect(try rider.rides.records("activity").map(\.key.id) == ["1"])
    #expect(try rider.rides.records("gear").map(\.key.id) == ["b1"])
    #expect(try rider.bikes.records("bike").map(\.key.id) == ["b1"])
  }

  @Test func `B3: a ride without gear has none, and never a made-up one`() async throws {
    let rider = try Rider("a")
    strava.change { $0.activities = [FakeStrava.activity("1", day: -1, gear: nil)] }
    _ = try await strava.pull(rider)
    #expect(try rider.rides.record("activity", "1")?["gearId"] == .null)
    try rider.rides.write {
      try $0.save(RecordDraft("activity", id: "2", fields: ["gearId": "defaultGearId"]))
    }
    #expect(try rider.rides.record("activity", "2")?["gearId"] == .null)
    try rider.interval("Chain", bike: "defaultGearId", ["intervalTime": 1])
    #expect(try rider.only().foremost.used == 0)
  }

  @Test func `B4: a part that was never serviced counts from the first ride and becomes due`()
    throws
  {
    let rider = try Rider("a")
    try rider.interval("Chain", ["intervalTime": 5])
    try rider.interval("Sealant", ["intervalDays": 90])
    try rider.ride("1", day: -100, hours: 3)
    try rider.ride("2", day: -1, hours: 3)
    #expect(try rider.due().map(\.status) == [.overdue, .overdue])
    #expect(try rider.due().map { $0.foremost.used.rounded() } == [6, 100])
  }

  @Test func `B5: a renamed bike and its new distance arrive`() async throws {
    let rider = try Rider("a")
    _ = try await strava.pull(rider)
    strava.change { $0.bikes = [#"{"id":"b1","name":"Enduro","distance":2000}"#] }
    _ = try await strava.pull(rider)
    #expect(try rider.rides.record("gear", "b1")?["distance"] == 2_000.0)
    #expect(try rider.rides.record("gear", "b1")?["name"] == "Enduro")
    #expect(try rider.bikes.record("bike", "b1")?["name"] == "Enduro")
    // A name of the rider's own stays.
    try rider.save(RecordDraft("bike", id: "b1", fields: ["name": "Mine"], isNew: false))
    strava.change { $0.bikes = [#"{"id":"b1","name":"Other","distance":2000}"#] }
    _ = try await strava.pull(rider)
    #expect(try rider.bikes.record("bike", "b1")?["name"] == "Mine")
  }

  @Test func `B6: the defaults of two devices are the same intervals`() async throws {
    let (phone, tablet) = (
      try Rider("phone", meeting: remote), try Rider("tablet", meeting: remote)
    )
    for rider in [phone, tablet] {
      try rider.bikes.write { try $0.applyDefaults(BikeKind.hardtail.defaultTemplates, to: "b1") }
    }
    try await sync(phone, tablet, phone)
    for rider in [phone, tablet] {
      #expect(
        try rider.bikes.records("interval").map(\.key.id.text)
          == ["b1-brake_pads", "b1-chain", "b1-fork_lowers"])
      #expect(try rider.bikes.conflicts().isEmpty)
    }
    #expect(try agree(phone, tablet))
  }

  @Test func `B7: of two resets the later date counts, and both stay in the log`() async throws {
    let (phone, tablet) = (
      try Rider("phone", meeting: remote), try Rider("tablet", meeting: remote)
    )
    let key = try phone.interval("Chain", ["intervalTime": 5])
    try await sync(phone, tablet)
    // The later date is written first, on the device whose clock is behind.
    try tablet.bikes.write {
      try $0.enter(ServiceEntry(date: Rider.start + 9 * Rider.day, note: "late"), for: key)
    }
    phone.clock.advance(by: Rider.day)
    try phone.bikes.write {
      try $0.enter(ServiceEntry(date: Rider.start + 2 * Rider.day, note: "early"), for: key)
    }
    try await sync(phone, tablet, phone)
    for rider in [phone, tablet] {
      #expect(
        try rider.bikes.record(key)?["lastServiceDate"] == .instant(Rider.start + 9 * Rider.day))
      #expect(
        Set(try rider.bikes.records("serviceRecord").map { $0["note"] }) == ["late", "early"])
      #expect(try rider.bikes.conflicts().isEmpty)
    }
    try await sync(tablet)
    #expect(try agree(phone, tablet))
  }

  @Test func `B8: an activity that was edited or deleted changes the sums`() async throws {
    let rider = try Rider("a")
    try rider.interval("Chain", ["intervalTime": 5])
    strava.change {
      $0.activities = [
        FakeStrava.activity("1", day: -50), FakeStrava.activity("2", day: -3),
        FakeStrava.activity("3", day: -2), FakeStrava.activity("4", day: -1),
      ]
    }
    _ = try await strava.pull(rider)
    #expect(try rider.only().foremost.used == 4)
    strava.change {
      $0.activities = [
        FakeStrava.activity("2", day: -3, moving: 7200),
        FakeStrava.activity("3", day: -2, gear: "b2"),
      ]
      $0.gear["b2"] = #"{"id":"b2","name":"Other"}"#
    }
    let pull = try await strava.pull(rider)
    // The one from fifty days ago is outside the window; the look back at older rides finds it.
    #expect(Set(pull.removed) == ["4", "1"])
    #expect(try rider.only().foremost.used == 2)
  }

  @Test func `B8: a list that broke off deletes nothing`() async throws {
    let rider = try Rider("a")
    strava.change { $0.activities = (1...4).map { FakeStrava.activity("\($0)", day: -$0) } }
    _ = try await strava.pull(rider)
    strava.change {
      $0.activities = [FakeStrava.activity("4", day: -4), FakeStrava.activity("3", day: -3)]
      $0.failAfter = $0.requests + 2
    }
    let pull = try await strava.pull(rider)
    #expect(pull.interruption != nil && pull.removed.isEmpty)
    #expect(try rider.rides.records("activity").count == 4)
  }

  @Test func `B9: a token is renewed before its end and kept before it is used`() async throws {
    let order = Mutex<[String]>([])
    let strava = strava
    let client = StravaClient(
      StravaAccess(url: "https://strava.test", clientID: "42"), secret: "secret",
      // It ends in nine minutes.
      token: StravaToken(access: "first", refresh: "refresh-1", expires: Rider.start + 540_000),
      fetcher: ScriptedWeb { request in
        order.withLock { $0.append(request.method) }
        return strava.answer(request)
      }, now: { Rider.start },
      save: { token in order.withLock { $0.append("save \(token.refresh)") } })
    _ = try await client.athlete()
    #expect(order.withLock { $0 } == ["POST", "save refresh-2", "GET"])
  }

  @Test func `B9: no token can be written to a store`() {
    for schema in [DomainSchema.bike, .strava] {
      for type in schema.collections {
        #expect(!type.name.text.lowercased().contains("token"))
        #expect(!type.fieldNames.contains { $0.text.lowercased().contains("token") })
      }
    }
  }

  @Test func `B10: ids beyond sixty-four bits are kept to the last digit`() async throws {
    let rider = try Rider("a")
    strava.change {
      $0.activities = [
        FakeStrava.activity(
          "987654321234567891234", day: -1,
          more: #","upload_id":987654321234567891234,"upload_id_str":"987654321234567891234""#),
        FakeStrava.activity("987654321234567891235", day: -2, more: #","upload_id":12345"#),
        #"{"id":[],"sport_type":"Ride"}"#,
      ]
      $0.pageLength = 10
    }
    let pull = try await strava.pull(rider)
    #expect(
      try rider.rides.records("activity").map(\.key.id)
        == ["987654321234567891234", "987654321234567891235"])
    #expect(
      try rider.rides.record("activity", "987654321234567891234")?["uploadId"]
        == "987654321234567891234")
    #expect(try rider.rides.record("activity", "987654321234567891235")?["uploadId"] == "12345")
    #expect(try rider.rides.records("athlete").map(\.key.id) == ["987654321234567891234"])
    #expect(pull.warnings.count == 1)
  }

  @Test func `B11: the latest reminder of all devices counts, and revives nothing`() async throws {
    let (phone, tablet) = (
      try Rider("phone", meeting: remote), try Rider("tablet", meeting: remote)
    )
    let key = try phone.interval("Chain", ["intervalTime": 5])
    try await sync(phone, tablet)
    let (early, late) = (Rider.start + Rider.day, Rider.start + 2 * Rider.day)
    // Both remind, as neither knows of the other; the race costs no more than that.
    #expect(try phone.bikes.write { try $0.markNotified(key, now: late) }.result)
    #expect(try tablet.bikes.write { try $0.markNotified(key, now: early) }.result)
    try await sync(phone, tablet, phone)
    for rider in [phone, tablet] {
      #expect(try rider.bikes.record(key)?["lastNotified"] == .instant(late))
      #expect(try !rider.bikes.write { try $0.markNotified(key, now: late + 1) }.result)
    }
    #expect(try agree(phone, tablet))
    try phone.bikes.write { try $0.delete(key) }
    #expect(
      try tablet.bikes.write { try $0.markNotified(key, now: late + 8 * Rider.day) }.result)
    try await sync(tablet, phone, tablet)
    for rider in [phone, tablet] { #expect(try rider.bikes.record(key)?.isDeleted == true) }
  }

  @Test func `B12: every kind of ride counts, also one without moving time`() throws {
    let rider = try Rider("a")
    try rider.interval("Chain", ["intervalTime": 100])
    for (index, sport) in [
      "Ride", "MountainBikeRide", "GravelRide", "EBikeRide", "EMountainBikeRide", "VirtualRide",
      "Velomobile", "Handcycle", "Run",
    ].enumerated() {
      try rider.ride("\(index)", day: -1, hours: 1, ["sportType": .string(sport)])
    }
    try rider.ride("manual", day: -1, hours: 0, ["elapsedTime": 7_200])
    #expect(try rider.only().foremost.used == 10)
  }
}
