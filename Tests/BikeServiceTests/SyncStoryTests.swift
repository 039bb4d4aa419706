import BikeService
import SyncKit
import SyncKitTesting
import Testing

/// Two devices of one rider, each with rides of its own.
struct SyncStoryTests {
  private let remote = InMemoryTransport()

  private func devices() throws -> (phone: Rider, tablet: Rider) {
    (try Rider("phone", meeting: remote), try Rider("tablet", meeting: remote))
  }

  @Test
  func `an interval arrives without its bike, is shown, and counts once rides are there`()
    async throws
  {
    let (phone, tablet) = try devices()
    try phone.interval("Chain", bike: "b12345", ["intervalTime": 5])
    try phone.ride("1", bike: "b12345", day: -1, hours: 6)
    try await sync(phone, tablet)
    #expect(try phone.only().status == .overdue)
    let there = try tablet.only()
    #expect(there.bike.standing == .missing)
    #expect(there.bike.shown == "bike b12345, not here")
    #expect(there.foremost.used == 0 && there.foremost.remaining == 5)
    try tablet.ride("1", bike: "b12345", day: -1, hours: 6)
    #expect(try tablet.only().status == .overdue)
  }

  @Test
  func `rides never leave the device`() async throws {
    let (phone, tablet) = try devices()
    try phone.ride("secret-ride", day: -1)
    try phone.rides.write { try $0.save(RecordDraft("gear", id: "b1", fields: ["name": "x"])) }
    try phone.interval("Chain", ["intervalTime": 5])
    try await sync(phone, tablet, phone)
    for record in try phone.rides.records("activity") + phone.rides.records("gear") {
      #expect(record.scope == .local)
      #expect(record.key.zone == .local)
    }
    #expect(try tablet.rides.records("activity").isEmpty)
    #expect(BikeDomain().schema["activity"] == nil)
    #expect(StravaDomain().schema.collections.allSatisfy { $0.placement == .local })
    // Even with an engine attached, nothing leaves.
    let engine = SyncEngine(
      store: phone.rides, remotes: [Remote("m", location: "m:", transport: remote)])
    let report = try await engine.syncNow()
    #expect(report.pushed == 0)
  }

  @Test
  func `an interval of a bike that was deleted elsewhere stays visible`() async throws {
    let (phone, tablet) = try devices()
    try phone.save(RecordDraft("bike", id: "b1", fields: ["name": "Trail"]))
    try phone.interval("Chain", ["intervalTime": 5])
    try await sync(phone, tablet)
    try phone.bikes.write { try $0.delete(.root("bike", "b1")) }
    try tablet.ride("1", day: -1, hours: 6)
    try await sync(phone, tablet)
    for rider in [phone, tablet] {
      let due = try rider.only()
      #expect(due.bike.standing == .deleted)
      #expect(due.bike.shown == "Trail, deleted")
      #expect(due.interval.isOrphan)
    }
    #expect(try tablet.only().status == .overdue)
    try tablet.bikes.write { try $0.restore(.root("bike", "b1")) }
    try await sync(tablet, phone)
    for rider in [phone, tablet] { #expect(try rider.only().bike.standing == .here) }
    #expect(try agree(phone, tablet))
  }

  @Test
  func `an edit of an interval keeps its bike from being deleted at the same time`() async throws {
    let (phone, tablet) = try devices()
    try phone.save(RecordDraft("bike", id: "b1", fields: ["name": "Trail"]))
    let key = try phone.interval("Chain", ["intervalTime": 5])
    try await sync(phone, tablet)
    try phone.bikes.write { try $0.delete(.root("bike", "b1")) }
    try tablet.bikes.write { try $0.edit(key, ["intervalTime": 7]) }
    try await sync(tablet, phone, tablet)
    for rider in [phone, tablet] {
      #expect(try rider.bikes.record("bike", "b1")?.isDeleted == false)
      #expect(try rider.only().foremost.limit.amount == 7)
    }
  }

  @Test
  func `defaults never keep a bike from being deleted`() async throws {
    let (phone, tablet) = try devices()
    try phone.save(RecordDraft("bike", id: "b1", fields: ["name": "Trail"]))
    try await sync(phone, tablet)
    try phone.bikes.write { try $0.delete(.root("bike", "b1")) }
    try tablet.bikes.write { try $0.applyDefaults(BikeKind.road.defaultTemplates, to: "b1") }
    try await sync(tablet, phone, tablet)
    for rider in [phone, tablet] {
      #expect(try rider.bikes.record("bike", "b1")?.isDeleted == true)
    }
    #expect(try agree(phone, tablet))
  }

  @Test
  func `names and kinds that are changed at the same time both survive`() async throws {
    let (phone, tablet) = try devices()
    try phone.save(RecordDraft("bike", id: "b1", fields: ["name": "Trail"]))
    try await sync(phone, tablet)
    try phone.save(RecordDraft("bike", id: "b1", fields: ["name": "Enduro"], isNew: false))
    try tablet.save(RecordDraft("bike", id: "b1", fields: ["kind": "hardtail"], isNew: false))
    try await sync(phone, tablet, phone)
    for rider in [phone, tablet] {
      let bike = try #require(try rider.bikes.record("bike", "b1"))
      #expect(bike["name"] == "Enduro" && bike["kind"] == "hardtail")
    }
    #expect(try agree(phone, tablet))
  }
}
