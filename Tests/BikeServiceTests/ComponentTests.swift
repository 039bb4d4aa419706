import BikeService
import SyncKit
import SyncKitTesting
import Testing

/// Parts, parts of parts, and their distances.
struct ComponentTests {
  private let rider: Rider

  init() throws {
    rider = try Rider("a")
    for (id, name) in [("b1", "Trail"), ("b2", "Road")] as [(RecordID, String)] {
      try rider.save(RecordDraft("bike", id: id, fields: ["name": .string(name)]))
    }
    // An hour a day on the one, two on the other.
    for day in 0..<20 {
      try rider.ride("t\(day)", bike: "b1", day: Double(day) + 0.5, hours: 1)
      try rider.ride("r\(day)", bike: "b2", day: Double(day) + 0.5, hours: 2)
    }
  }

  private func time(_ day: Int) -> Int64 { Rider.start + Int64(day) * Rider.day }

  private func add(_ name: String, on place: RecordKey, day: Int) throws -> RecordKey {
    try rider.bikes.write { transaction in
      let key = try transaction.save(
        RecordDraft("component", parent: place, fields: ["name": .string(name)])
      ).key
      try transaction.mount(key, on: place, at: time(day))
      return key
    }.result
  }

  private func install(_ key: RecordKey, on place: RecordKey, day: Int) throws -> RecordKey {
    let shed = try PartsShed(rider.bikes)
    return try rider.bikes.write { try $0.install(key, on: place, at: time(day), in: shed) }.result
  }

  private func remove(_ key: RecordKey, day: Int) throws {
    let shed = try PartsShed(rider.bikes)
    try rider.bikes.write { _ = try $0.remove(key, at: time(day), in: shed) }
  }

  private func hours(_ key: RecordKey) throws -> Double {
    try rider.garage.wear(component: key.id.text).hours
  }

  private let trail = RecordKey.root("bike", "b1")
  private let road = RecordKey.root("bike", "b2")

  @Test func `a component is ridden while it is mounted`() throws {
    let chain = try add("Chain", on: trail, day: 5)
    #expect(try hours(chain) == 15)
    try remove(chain, day: 10)
    #expect(try hours(chain) == 5)
    #expect(try install(chain, on: trail, day: 18) == chain)
    #expect(try hours(chain) == 7)
  }

  @Test func `a component without a date was always there`() throws {
    let chain = try rider.save(
      RecordDraft("component", id: "c", parent: trail, fields: ["name": "Chain"]))
    #expect(try hours(chain) == 20)
    try remove(chain, day: 3)
    #expect(try hours(chain) == 3)
  }

  @Test func `a tyre goes where its wheel goes`() throws {
    let wheel = try add("Wheel", on: trail, day: 0)
    let other = try add("Other wheel", on: trail, day: 10)
    let tyre = try add("Tyre", on: wheel, day: 2)
    try remove(wheel, day: 10)
    #expect(try hours(wheel) == 10)
    #expect(try hours(tyre) == 8)
    _ = try install(tyre, on: other, day: 15)
    #expect(try hours(tyre) == 13)
    #expect(try hours(other) == 10)
    #expect(try rider.bikes.record(tyre)?.parent == other)
  }

  @Test func `a component mounted elsewhere without being taken off is in one place only`() throws {
    let chain = try add("Chain", on: trail, day: 0)
    for day in [5, 12] {
      try rider.bikes.write { try $0.mount(chain, on: trail, at: time(day)) }
    }
    #expect(try hours(chain) == 20)
  }

  @Test func `on another bike a component is a copy with its parts, past and intervals`() throws {
    let wheel = try add("Wheel", on: trail, day: 0)
    let tyre = try add("Tyre", on: wheel, day: 0)
    let interval = try rider.interval(
      "Tyre", ["intervalTime": 40, "componentId": .string(tyre.id.text)])
    try rider.bikes.write {
      try $0.enter(ServiceEntry(date: time(1), note: "sealant"), for: interval)
    }
    let moved = try install(wheel, on: road, day: 10)
    #expect(moved != wheel && moved.zone == road.zone)
    let garage = try rider.garage
    let copy = try #require(garage.components.values.first { $0.name == "Tyre" })
    #expect(garage.components.count == 2)
    #expect(copy.record.key.zone == road.zone && copy.record.parent == moved)
    #expect(copy.record["copyOf"] == .string(tyre.id.text))
    // Ten hours on the trail, and ten days at two hours.
    #expect(garage.wear(component: moved.id.text).hours == 30)
    #expect(garage.wear(component: copy.record.key.id.text).hours == 30)
    for key in [wheel, tyre] { #expect(try rider.bikes.record(key)?.isDeleted == true) }
    let due = try #require(try rider.due(day: 20).first)
    #expect(due.bike.id == "b2" && due.component == "Tyre" && due.foremost.used == 29)
    #expect(try rider.bikes.records("serviceRecord").map { $0["note"] } == ["sealant"])
    #expect(try rider.bikes.records("serviceRecord").first?.key.zone == road.zone)
  }

  @Test func `a component cannot carry itself`() throws {
    let wheel = try add("Wheel", on: trail, day: 0)
    let tyre = try add("Tyre", on: wheel, day: 0)
    for (part, place) in [(wheel, tyre), (wheel, wheel)] {
      let error = #expect(throws: SyncError.self) { try install(part, on: place, day: 1) }
      #expect(error?.code == .inputInvalid)
    }
    #expect(try rider.bikes.record(wheel)?.parent == trail)
  }

  @Test func `a circle that two devices make together ends`() {
    let installations = [
      Installation(id: "1", component: "x", place: .component("y"), from: 0),
      Installation(id: "2", component: "y", place: .component("x"), from: 0),
    ]
    #expect(MountingHistory(installations).spans(of: "x").isEmpty)
  }

  @Test func `two devices that move the same part make one copy`() async throws {
    let remote = InMemoryTransport()
    let (phone, tablet) = (
      try Rider("phone", meeting: remote), try Rider("tablet", meeting: remote)
    )
    let wheel = try phone.save(
      RecordDraft("component", id: "w", parent: trail, fields: ["name": "Wheel"]))
    try await sync(phone, tablet)
    var copies: Set<RecordKey> = []
    for device in [phone, tablet] {
      let shed = try PartsShed(device.bikes)
      copies.insert(
        try device.bikes.write { try $0.install(wheel, on: road, at: time(1), in: shed) }.result)
    }
    try await sync(phone, tablet, phone)
    #expect(copies.count == 1)
    for device in [phone, tablet] {
      #expect(try device.bikes.records("component").map(\.key) == Array(copies))
    }
    #expect(try agree(phone, tablet))
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `whatever is mounted on whatever, no ride counts twice`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let parts = ["p0", "p1", "p2", "p3", "p4"]
    let installations = (0..<20).map { index -> Installation in
      let from = Int64(random.next() % 20) * Rider.day
      let isOpen = random.next() % 2 == 0
      let place: Installation.Place =
        random.next() % 3 == 0
        ? .component(parts[Int(random.next() % 5)]) : .bike(random.next() % 2 == 0 ? "b1" : "b2")
      return Installation(
        id: "\(index)", component: parts[Int(random.next() % 5)], place: place,
        from: Rider.start + from,
        to: isOpen ? nil : Rider.start + from + Int64(random.next() % 10) * Rider.day)
    }
    let history = MountingHistory(installations)
    for part in parts {
      let spans = history.spans(of: part)
      for (earlier, later) in zip(spans, spans.dropFirst()) { #expect(earlier.to <= later.from) }
      #expect(history.wear(of: part, in: try rider.garage.ledger).rides <= 20)
    }
  }
}
