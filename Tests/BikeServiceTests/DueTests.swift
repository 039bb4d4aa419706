import BikeService
import SyncKit
import Testing

/// When a service is due.
struct DueTests {
  @Test(arguments: [
    (8.9, DueService.Status.good), (9.0, .dueSoon), (9.99, .dueSoon), (10.0, .overdue),
    (12.0, .overdue),
  ])
  func `nine tenths are due soon, and nothing left is overdue`(
    hours: Double, status: DueService.Status
  ) throws {
    let rider = try Rider("a")
    try rider.interval("Fork", ["intervalTime": 10])
    try rider.ride("1", day: -3, hours: hours)
    let due = try rider.only()
    #expect(due.status == status)
    #expect(abs(due.foremost.remaining - (10 - hours)) < 0.001)
  }

  @Test
  func `rides count from the moment of the last service on`() throws {
    let rider = try Rider("a")
    try rider.interval("Chain", ["intervalTime": 5, "lastServiceDate": .instant(Rider.start)])
    try rider.ride("before", day: -0.001, hours: 3)
    try rider.ride("at", day: 0, hours: 2)
    try rider.ride("after", day: 1, hours: 1)
    #expect(try rider.only(day: 2).foremost.used == 3)
  }

  @Test
  func `hours, kilometres, rides and days each have their limit, and the first one counts`() throws
  {
    let rider = try Rider("a")
    try rider.interval(
      "Tyre",
      [
        "intervalTime": 100, "intervalDistance": 200, "intervalRides": 4, "intervalDays": 40,
        "lastServiceDate": .instant(Rider.start - 10 * Rider.day),
      ])
    try rider.ride("1", day: -9, hours: 1, km: 60)
    try rider.ride("2", day: -8, hours: 1, km: 60)
    let due = try rider.only()
    #expect(due.uses.map(\.limit.measure) == [.hours, .kilometres, .rides, .days])
    #expect(due.uses.map(\.used) == [2, 120, 2, 10])
    #expect(due.foremost.limit.measure == .kilometres)
    #expect(try rider.only(day: 40).foremost.limit.measure == .days)
  }

  @Test
  func `the most urgent is first`() throws {
    let rider = try Rider("a")
    try rider.interval("Cassette", ["intervalTime": 150])
    try rider.interval("Chain", ["intervalTime": 5])
    try rider.interval("Pads", bike: "b2", ["intervalTime": 75])
    try rider.ride("1", day: -1, hours: 6)
    #expect(try rider.due().map(\.interval.part) == ["Chain", "Cassette", "Pads"])
    #expect(try rider.due().map(\.status) == [.overdue, .good, .good])
  }

  @Test
  func `rides on a trainer can be left out for a part`() throws {
    let rider = try Rider("a")
    try rider.interval("Tyre", ["intervalTime": 10, "outdoorsOnly": true])
    try rider.ride("1", day: -1, hours: 2)
    try rider.ride("2", day: -1, hours: 4, km: 0, ["sportType": "VirtualRide"])
    try rider.ride("3", day: -1, hours: 8, ["trainer": true])
    #expect(try rider.only().foremost.used == 2)
  }

  @Test
  func `the date follows from the pace of the last ninety days`() throws {
    let rider = try Rider("a")
    try rider.interval("Chain", ["intervalTime": 180])
    for day in 1...90 { try rider.ride("\(day)", day: -Double(day) + 0.01, hours: 1) }
    // An hour a day, and ninety to go.
    let date = try #require(try rider.only().dueDate)
    #expect((Double(date - Rider.start) / Double(Rider.day)).rounded() == 90)
    try rider.interval("Never ridden", bike: "b2", ["intervalTime": 1])
    #expect(try rider.due().last?.dueDate == nil)
  }

  @Test
  func `a retired bike needs no service`() throws {
    let rider = try Rider("a")
    try rider.interval("Chain", ["intervalTime": 5])
    try rider.save(RecordDraft("bike", id: "b1", fields: ["name": "Old", "retired": true]))
    #expect(try rider.due().isEmpty)
  }

  @Test
  func `rides of a former gear id count where the rider has said so`() throws {
    let rider = try Rider("a")
    try rider.save(
      RecordDraft("bike", id: "b1", fields: ["name": "One", "gearIds": .list(["trek-1"])]))
    try rider.interval("Chain", ["intervalTime": 10])
    try rider.ride("1", bike: "trek-1", day: -2, hours: 4)
    try rider.ride("2", day: -1, hours: 3)
    #expect(try rider.only().foremost.used == 7)
  }

  @Test
  func `a reminder comes at most once in seven days, from one process only`() throws {
    let rider = try Rider("a")
    let key = try rider.interval("Chain", ["intervalTime": 5])
    try rider.ride("1", day: -1, hours: 6)
    func mark(day: Double) throws -> Bool {
      let now = Rider.start + Int64(day * Double(Rider.day))
      return try rider.bikes.write { try $0.markNotified(key, now: now) }.result
    }
    #expect(try mark(day: 1))
    #expect(try !mark(day: 1))
    #expect(try !mark(day: 7.9))
    #expect(try mark(day: 8))
  }

  @Test
  func `a notification from the future silences no reminder`() throws {
    let rider = try Rider("a")
    let key = try rider.interval(
      "Chain", ["intervalTime": 5, "lastNotified": .instant(Rider.start + 900 * Rider.day)])
    let now = Rider.start + Rider.day
    #expect(try rider.bikes.write { try $0.markNotified(key, now: now) }.result)
    #expect(try !rider.bikes.write { try $0.markNotified(key, now: now + Rider.day) }.result)
  }

  @Test
  func `an interval without notifications gives no reminder`() throws {
    let rider = try Rider("a")
    let key = try rider.interval("Headset", ["intervalTime": 5, "notify": false])
    #expect(try !rider.bikes.write { try $0.markNotified(key, now: Rider.start) }.result)
  }
}
