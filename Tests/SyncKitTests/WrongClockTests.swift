import SyncKitTesting
import Testing

@testable import SyncKitEngine
@testable import SyncKitModel
@testable import SyncKitStore

/// A device whose clock is wrong beside one whose clock is right, in step with each other.
private struct WrongClock {
  static let day: Int64 = 86_400_000
  let wrong: TestDevice
  let right: TestDevice
  let wrongTime = VirtualClock()
  let rightTime = VirtualClock()

  init(
    ahead: Int64 = 400 * day, _ fields: [FieldName: Value] = ["title": "first", "rating": 1]
  ) async throws {
    let remote = InMemoryTransport()
    wrongTime.advance(by: ahead)
    wrong = try TestDevice("wrong", remote, clock: wrongTime)
    right = try TestDevice("right", remote, clock: rightTime)
    try right.save("1", fields)
    try await sync()
  }

  func sync() async throws {
    for device in [right, wrong, right, wrong] { try await device.engine.syncNow() }
  }

  /// Both write a field without having seen the other.
  func disagree(_ field: FieldName, _ ours: Value, _ theirs: Value) async throws {
    try wrong.save("1", [field: theirs])
    try right.save("1", [field: ours])
    try await sync()
  }
}

@Test func `a conflict that a stamp of the future decides asks for a decision`() async throws {
  let devices = try await WrongClock()
  try await devices.disagree("title", "ours", "theirs")
  // What is shown is the same for all.
  for device in [devices.right, devices.wrong] {
    #expect(try device.book("1")?["title"] == "theirs")
  }
  let conflict = try #require(try devices.right.store.conflicts().first)
  #expect(conflict.needsDecision && conflict.isDecidedByWrongClock)
  #expect(conflict.candidates.map(\.isAhead) == [true, false])
  #expect(try devices.right.store.status(remotes: []).decisions == 1)
  // By its own clock the other one sees nothing wrong.
  #expect(try devices.wrong.store.conflicts().map(\.needsDecision) == [false])
  // A decision clears it everywhere, whatever the clocks say.
  try devices.right.store.write {
    try $0.resolve(conflict.key, register: conflict.field, value: "ours")
  }
  try await devices.sync()
  for device in [devices.right, devices.wrong] {
    #expect(try device.store.conflicts().isEmpty)
    #expect(try device.book("1")?["title"] == "ours")
  }
}

@Test func `a conflict that no stamp decides stays settled`() async throws {
  let devices = try await WrongClock(["title": "first", "opened": .instant(1)])
  try await devices.disagree("opened", .instant(9), .instant(5))
  #expect(try devices.right.store.conflicts().allSatisfy { !$0.needsDecision })
  let near = try await WrongClock(ahead: 200_000)
  try await near.disagree("title", "ours", "theirs")
  #expect(try near.right.store.conflicts().map(\.needsDecision) == [false])
}

@Test func `a clock that is ahead no more leaves conflicts to be decided, until they are past`()
  async throws
{
  let devices = try await WrongClock()
  try await devices.disagree("title", "ours", "theirs")
  devices.wrongTime.advance(by: -400 * WrongClock.day)
  #expect(try devices.wrong.store.conflicts().map(\.needsDecision) == [true])
  devices.rightTime.advance(by: 401 * WrongClock.day)
  #expect(try devices.right.store.conflicts().map(\.needsDecision) == [false])
}

@Test func `the status names the device whose clock is ahead, on every device`() async throws {
  let devices = try await WrongClock()
  try devices.wrong.save("2", ["title": "from the future"])
  try await devices.sync()
  func ahead(_ device: TestDevice) throws -> [String?] {
    try device.store.status(remotes: ["remote0"]).devices.filter { $0.clockLead != nil }
      .map(\.device.name)
  }
  #expect(try ahead(devices.right) == ["wrong"])
  #expect(try ahead(devices.wrong) == [])
  devices.wrongTime.advance(by: -400 * WrongClock.day)
  #expect(try ahead(devices.wrong) == ["wrong"])
  let lead = try #require(
    try devices.right.store.status(remotes: []).devices.compactMap(\.clockLead).first)
  #expect(lead > 399 * WrongClock.day && lead < 401 * WrongClock.day)
}

@Test func `two stamps of the future do not decide between each other either`() async throws {
  let remote = InMemoryTransport()
  let clocks = ([100, 400] as [Int64]).map { days in
    let clock = VirtualClock()
    clock.advance(by: days * WrongClock.day)
    return clock
  }
  let left = try TestDevice("left", remote, clock: clocks[0])
  let right = try TestDevice("right", remote, clock: clocks[1])
  let reader = try TestDevice("reader", remote)
  try left.save("1", ["title": "first"])
  for device in [left, right] { try await device.engine.syncNow() }
  try left.save("1", ["title": "left"])
  try right.save("1", ["title": "right"])
  for device in [left, right, left, reader] { try await device.engine.syncNow() }
  #expect(try reader.store.conflicts().map(\.needsDecision) == [true])
}
