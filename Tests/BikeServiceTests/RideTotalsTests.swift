import SyncKit
import SyncKitTesting
import Testing

@testable import BikeService

/// What rides add up to, on devices that do not have them.
struct RideTotalsTests {
  private let remote = InMemoryTransport()

  private func share(_ rider: Rider) throws {
    let drafts = RideTotals.drafts(
      try rider.garage.rides, bikes: BikeNames(try rider.bikes.records("bike")),
      device: rider.bikes.device.id)
    try rider.bikes.writeTotals(drafts)
  }

  @Test func `a device without rides is right once the totals are shared`() async throws {
    let (laptop, phone) = (
      try Rider("laptop", meeting: remote), try Rider("phone", meeting: remote)
    )
    let key = try laptop.interval("Chain", ["intervalTime": 10])
    try laptop.interval("Tyre", ["intervalDistance": 100, "outdoorsOnly": true])
    for day in [-70, -40, -3, -2, -2] {
      try laptop.ride(
        "\(day)\(try laptop.rides.records("activity").count)", day: Double(day), hours: 1.5)
    }
    try laptop.ride("t", day: -1, hours: 1, ["trainer": true])
    try await sync(laptop, phone)
    #expect(try phone.due().allSatisfy { $0.status == .unknown })
    try share(laptop)
    try await sync(laptop, phone)
    for rider in [laptop, phone] {
      let uses = try rider.due().map { "\($0.interval.part) \($0.foremost.used)" }
      #expect(uses == ["Tyre 100.0", "Chain 8.5"])
      #expect(try rider.due().map(\.status) == [.overdue, .good])
      #expect(try rider.garage.wear(bike: "b1").rides == 6)
    }
    // A service that is entered there counts from its day.
    try phone.bikes.write {
      try $0.enter(ServiceEntry(date: Rider.start - 4 * Rider.day), for: key)
    }
    try await sync(phone, laptop)
    for rider in [laptop, phone] {
      #expect(try rider.due().first { $0.interval.part == "Chain" }?.foremost.used == 5.5)
    }
  }

  @Test func `rides that both devices know count once, and the one that knows more counts`()
    async throws
  {
    let (laptop, phone) = (
      try Rider("laptop", meeting: remote), try Rider("phone", meeting: remote)
    )
    try laptop.interval("Chain", ["intervalTime": 100])
    for rider in [laptop, phone] {
      for day in 1...5 { try rider.ride("\(day)", day: Double(-day), hours: 1) }
    }
    try laptop.ride("6", day: -6, hours: 2)
    for rider in [laptop, phone] { try share(rider) }
    try await sync(laptop, phone, laptop)
    #expect(try laptop.only().foremost.used == 7)
    #expect(try phone.only().foremost.used == 7)
    // Lists have what is here.
    #expect(try phone.garage.rides.count == 5)
  }

  @Test func `sharing again writes nothing, and taking it back leaves nothing`() async throws {
    let rider = try Rider("laptop", meeting: remote)
    try rider.ride("1", day: -1)
    try share(rider)
    let before = try rider.bikes.verify().map(\.digest)
    try share(rider)
    #expect(try rider.bikes.verify().map(\.digest) == before)
    #expect(try rider.bikes.records("total").count == 1)
    try rider.bikes.writeTotals([])
    #expect(try rider.bikes.records("total").isEmpty)
  }

  @Test(arguments: [
    [], ["x"], ["1 1 1"], ["99 1 1 1"], ["1 -1 1 1"], ["1 1 1 999999999"], ["1i x 1 1"],
    ["i 1 1 1"],
  ])
  func `days that cannot be read count nothing`(days: [String]) throws {
    let rider = try Rider("laptop")
    try rider.interval("Chain", ["intervalTime": 10])
    try rider.save(
      RecordDraft(
        "total", id: "t", parent: .root("bike", "b1"),
        fields: [
          "bikeId": "b1", "month": "2024-05", "device": "other",
          "days": .list(days.map { .string($0) }),
        ]))
    #expect(try rider.only().foremost.used == 0)
  }
}
