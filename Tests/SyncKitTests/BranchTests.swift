import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

/// Copies of copies of one store, which all go on under its id: the series becomes a tree of branches.
@Suite struct BranchTests {
  /// The devices: the copies write apart, each on a remote of its own, then all sync.
  private final class World {
    let clock = VirtualClock()
    var random: SeededRandom
    var places: [InMemoryTransport] = []
    var storages: [InMemoryStorage] = []
    var witnesses: [TestWitness] = []
    var copies: [TestDevice] = []
    private let values = ["a", "b", "c", "d"]

    init(_ seed: UInt64) { random = SeededRandom(seed: seed) }

    /// A copy of another device's store, at a place of its own; the first one is empty.
    func add(copying number: Int? = nil) throws {
      let place = InMemoryTransport()
      let storage = number.map { InMemoryStorage(copying: storages[$0]) } ?? InMemoryStorage()
      // The one of a copy is copied as well, so that it goes unnoticed.
      let witness = TestWitness(try number.flatMap { try witnesses[$0].load() })
      copies.append(
        try TestDevice(
          "copy \(places.count)", place, storage: storage, witness: witness, clock: clock))
      places.append(place)
      storages.append(storage)
      witnesses.append(witness)
    }

    /// Whether a copy is still taken for the store that its witness knows when it is opened again.
    func isKnown(_ number: Int) throws -> Bool {
      let again = try TestDevice(
        "again", storage: storages[number], witness: witnesses[number], clock: clock)
      return !again.store.isCopy
    }

    func edit(_ device: TestDevice) throws {
      let id = RecordID("\(Int.random(in: 1...3, using: &random))")
      let value = Value.string(values[Int.random(in: 0..<values.count, using: &random)])
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5: try device.save(id, ["isbn": value])
      case 5..<7: try device.save(id, ["title": value])
      case 7..<9: try device.save(id, ["notes": value, "tags": .list([value])])
      default: if try device.ids.contains(id) { try device.delete(id) }
      }
    }

    func sync(
      _ device: TestDevice, _ places: [InMemoryTransport], _ direction: SyncOptions.Direction
    ) async throws {
      var options = SyncOptions()
      options.direction = direction
      options.massDeleteGuard = nil
      options.consent = .adopt
      let remotes = places.map {
        Remote("\(ObjectIdentifier($0))", location: "\(ObjectIdentifier($0))", transport: $0)
      }
      for outcome in await SyncEngine(store: device.store, remotes: remotes).sync(options) {
        #expect(outcome.error == nil)
      }
    }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `branches of branches are called alike, whatever the order in which they come`(
    seed: UInt64
  ) async throws {
    let world = World(seed)
    try world.add()
    try await write(world, 0)
    for _ in 0..<14 {
      let number = Int.random(in: world.copies.indices, using: &world.random)
      if world.copies.count < 6, world.random.chance(45) {
        try world.add(copying: number)
      } else {
        try await write(world, number)
      }
    }
    var readers: [TestDevice] = []
    for number in 0..<3 {
      let reader = try TestDevice("reader \(number)", clock: world.clock)
      // What is not sealed meets what comes: some of it is overridden.
      for place in world.places.shuffled(using: &world.random) {
        try await world.sync(reader, [place], .pullOnly)
        if world.random.chance(50) { try world.edit(reader) }
      }
      readers.append(reader)
    }
    // Some have met the others and have written nothing since.
    for (number, copy) in world.copies.enumerated() where number.isMultiple(of: 2) {
      try await world.sync(copy, world.places, .pullOnly)
      #expect(try world.isKnown(number))
    }
    for copy in world.copies where world.random.chance(50) { try world.edit(copy) }

    let meeting = InMemoryTransport()
    let devices = (readers + world.copies).shuffled(using: &world.random)
    for _ in 0..<3 {
      for device in devices { try await world.sync(device, [meeting], .both) }
    }
    let expected = try Self.shown(devices[0])
    for device in devices.dropFirst() {
      let shown = try Self.shown(device)
      #expect(Set(shown).symmetricDifference(expected).sorted() == [])
    }
    for device in devices { #expect(try device.store.verify().flatMap(\.problems) == []) }
  }

  private func write(_ world: World, _ number: Int) async throws {
    let copy = world.copies[number]
    for _ in 0..<Int.random(in: 1...3, using: &world.random) { try world.edit(copy) }
    try await world.sync(copy, [world.places[number]], .both)
  }

  /// All that must be equal on devices that have met.
  private static func shown(_ device: TestDevice) throws -> [String] {
    try device.store.verify().map { zone in
      "\(zone.zone) \(zone.vector.map { "\($0.replica)/\($0.seq)" }) \(zone.digest)"
    } + device.store.counts().map { "\($0.key): \($0.value)" }.sorted()
  }
}
