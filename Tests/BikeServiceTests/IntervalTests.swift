import BikeService
import SyncKit
import Testing

/// The values that an interval may have, and its defaults.
struct IntervalTests {
  @Test(arguments: [
    (BikeKind.fullSuspension, "chain fork_lowers rear_shock dropper_post brake_pads"),
    (.hardtail, "chain fork_lowers brake_pads"),
    (.rigid, "chain cassette brake_pads grips_tape"),
    (.road, "chain cassette brake_pads grips_tape"),
    (.gravel, "chain cassette brake_pads grips_tape"), (.unknown, "chain fork_lowers rear_shock"),
  ])
  func `each kind of bike has its parts`(kind: BikeKind, parts: String) {
    #expect(kind.defaultTemplates.map(\.id).joined(separator: " ") == parts)
  }

  @Test func `the hours of all parts are those that are documented`() {
    let hours = Dictionary(uniqueKeysWithValues: PartTemplate.all.map { ($0.id, $0.hours) })
    #expect(
      hours == [
        "chain": 5, "cassette": 150, "chainrings": 200, "bottom_bracket": 100, "fork_lowers": 10,
        "fork_air_spring": 100, "fork_damper": 200, "rear_shock": 15, "linkage_bearings": 100,
        "hub_front": 150, "hub_rear": 150, "wheels": 100, "brake_pads": 75, "brake_fluid": 200,
        "headset": 150, "grips_tape": 100, "dropper_post": 100,
      ])
    #expect(
      Set(PartTemplate.all.filter { !$0.notifies }.map(\.id))
        == ["fork_damper", "wheels", "headset", "grips_tape"])
  }

  @Test func `defaults are written once, leave what was changed, and revive nothing`() throws {
    let rider = try Rider("a")
    let templates = BikeKind.hardtail.defaultTemplates
    func apply() throws -> Int {
      try rider.bikes.write { try $0.applyDefaults(templates, to: "b1") }.result
    }
    #expect(try apply() == 3)
    #expect(try apply() == 0)
    let chain = try #require(try rider.bikes.record("interval", "b1-chain"))
    try rider.bikes.write { try $0.edit(chain.key, ["intervalTime": 8]) }
    let pads = try #require(try rider.bikes.record("interval", "b1-brake_pads"))
    try rider.bikes.write { try $0.delete(pads.key) }
    #expect(try apply() == 0)
    #expect(try rider.bikes.record(chain.key)?["intervalTime"] == 8.0)
    #expect(try rider.bikes.record(pads.key)?.isDeleted == true)
  }

  @Test(
    arguments: [
      ["part": "Chain", "intervalTime": 5], ["bikeId": "b1", "intervalTime": 5],
      ["bikeId": "b1", "part": "Chain"], ["bikeId": "b1", "part": "Chain", "intervalTime": 0],
      ["bikeId": "b1", "part": "Chain", "intervalTime": -3],
      ["bikeId": "b1", "part": "Chain", "intervalDays": 0],
      ["bikeId": "b1", "part": "Chain", "intervalTime": .double(.nan)],
      ["bikeId": " ", "part": "Chain", "intervalTime": 5],
    ] as [[FieldName: Value]])
  func `an interval that cannot be calculated is refused`(fields: [FieldName: Value]) throws {
    let rider = try Rider("a")
    let error = #expect(throws: SyncError.self) {
      try rider.save(RecordDraft("interval", fields: fields))
    }
    #expect(error?.code == .inputInvalid)
    #expect(try rider.bikes.records("interval").isEmpty)
  }

  @Test func `an interval stays with its bike`() throws {
    let rider = try Rider("a")
    let key = try rider.interval("Chain", ["intervalTime": 5])
    #expect(throws: SyncError.self) {
      try rider.bikes.write { try $0.edit(key, ["bikeId": "b2"]) }
    }
    #expect(try rider.bikes.record(key)?["bikeId"] == "b1")
  }

  @Test func `a line of the service log never changes`() throws {
    let rider = try Rider("a")
    let key = try rider.interval("Chain", ["intervalTime": 5])
    let line = try rider.bikes.write {
      try $0.enter(
        ServiceEntry(date: Rider.start, note: "waxed", cost: 4, currency: "eur"), for: key)
    }.result
    #expect(try rider.bikes.record(line)?["currency"] == "EUR")
    for fields in [["note": "oiled"], ["date": .instant(1)], ["isReset": false]]
      as [[FieldName: Value]]
    {
      #expect(throws: SyncError.self) { try rider.bikes.write { try $0.edit(line, fields) } }
    }
    #expect(try rider.bikes.write { try $0.edit(line, ["note": "waxed"]) }.result == .unchanged)
    #expect(try rider.bikes.record(key)?["lastServiceDate"] == .instant(Rider.start))
  }

  @Test func `a note is recorded and resets nothing`() throws {
    let rider = try Rider("a")
    let key = try rider.interval("Chain", ["intervalTime": 5])
    try rider.bikes.write {
      try $0.enter(ServiceEntry(date: Rider.start, isReset: false, note: "noisy"), for: key)
    }
    #expect(try rider.bikes.record(key)?["lastServiceDate"] == .null)
    #expect(try rider.bikes.records("serviceRecord").count == 1)
  }
}
