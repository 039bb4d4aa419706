import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

private let day: Int64 = 86_400_000

/// Four devices of one person, for a month and for the two hundred days after it, over two folders of which
/// one device relays.
private struct Household {
  let clock = VirtualClock()
  let cloud = InMemoryBlobStore(location: "cloud")
  let disk = InMemoryBlobStore(location: "disk")
  /// At home; meets both folders.
  let desktop: FolderDevice
  /// Meets the cloud; is restored from a backup once.
  var laptop: FolderDevice
  /// Meets the disk; is lost.
  let tablet: FolderDevice
  /// Meets the disk; is away for two hundred days.
  let phone: FolderDevice

  /// What each device has written last into its own books, and said to be done.
  private(set) var written: [RecordID: Int64] = [:]
  private var number = 0

  init() throws {
    desktop = try FolderDevice(
      "desktop", cloud, disk, clock: clock, pruning: CompactionLimits().leastPruned)
    laptop = try FolderDevice("laptop", cloud, clock: clock, pruning: 1 << 14)
    tablet = try FolderDevice("tablet", disk, clock: clock, pruning: 1 << 14)
    phone = try FolderDevice("phone", disk, clock: clock, pruning: 1 << 14)
  }

  /// An edit of an own book, one of a book that all edit, and now and then a deletion.
  mutating func use(_ device: FolderDevice, _ name: String) throws {
    number += 1
    let own = RecordID("\(name) \(number % 30)")
    try device.device.save(
      own, ["rating": .int(Int64(number)), "title": .string("\(number) \(number &* 7_919)")])
    written[own] = Int64(number)
    try device.device.save(RecordID("shared \(number % 10)"), ["rating": .int(Int64(number))])
    guard number.isMultiple(of: 9) else { return }
    let passing = RecordID("\(name) passing \(number)")
    try device.device.save(passing, ["title": "Soon gone"])
    try device.device.delete(passing)
  }

  mutating func liveThrough(
    _ days: Int, times: Int = 4, _ devices: [(FolderDevice, String)]
  ) async throws {
    for today in 0..<days {
      for hour in today..<today + times {
        clock.advance(by: day / Int64(times))
        for (index, (device, name)) in devices.enumerated() {
          try use(device, name)
          // Not every device syncs every time.
          if (hour + index) % 3 != 0 { try await device.sync() }
        }
      }
    }
  }

  func settle(_ devices: FolderDevice...) async throws {
    for _ in 0..<4 { for device in devices { try await device.sync() } }
  }

  /// The live data, written once.
  func live(_ device: FolderDevice) async throws -> Int {
    let place = InMemoryBlobStore()
    let fresh = try FolderDevice("fresh", place, clock: clock)
    for book in try device.store.records("book") {
      try fresh.device.save(book.key.id, ["rating": book["rating"], "title": book["title"]])
    }
    try await fresh.sync()
    return place.size
  }
}

@Test func `a month of four devices and two hundred days after it lose nothing and leave little`()
  async throws
{
  var home = try Household()
  let everybody = [
    (home.desktop, "desktop"), (home.laptop, "laptop"), (home.tablet, "tablet"),
    (home.phone, "phone"),
  ]
  try await home.liveThrough(12, everybody)

  // The laptop is put back to a backup of a week ago, once all of it has been sent.
  let backup = InMemoryStorage(copying: home.laptop.device.storage)
  try await home.liveThrough(7, everybody)
  try await home.laptop.sync()
  home.laptop = try FolderDevice(
    "laptop", home.cloud, storage: backup, clock: home.clock, witness: TestWitness(),
    pruning: 1 << 14)
  let second = [
    (home.desktop, "desktop"), (home.laptop, "laptop"), (home.tablet, "tablet"),
    (home.phone, "phone"),
  ]
  try await home.liveThrough(3, second)

  // The tablet is lost after its last sync; the phone writes on without a network.
  try await home.tablet.sync()
  let third = [(home.desktop, "desktop"), (home.laptop, "laptop"), (home.phone, "phone")]
  try await home.liveThrough(8, third)
  try await home.phone.sync()
  try home.use(home.phone, "phone")
  try home.phone.device.save("from far away", ["title": "Written on a ship", "rating": 3])

  try await home.liveThrough(200, times: 1, [(home.desktop, "desktop"), (home.laptop, "laptop")])
  try await home.phone.sync()
  try await home.settle(home.desktop, home.laptop, home.phone)

  let digest = try home.desktop.device.digests
  for device in [home.desktop, home.laptop, home.phone] {
    #expect(try device.device.digests == digest)
    #expect(try device.isSound)
    #expect(try device.device.book("from far away")?["title"] == "Written on a ship")
    for (id, rating) in home.written {
      #expect(try device.device.book(id)?["rating"] == .int(rating), "\(id)")
    }
  }
  // A new device gets all of it from either folder.
  for folder in [home.cloud, home.disk] {
    let late = try FolderDevice("late", folder, clock: home.clock)
    try await late.sync()
    #expect(try late.ratings.sorted() == home.desktop.ratings.sorted())
    try await home.settle(home.desktop, home.laptop, home.phone)
  }
  // So little data is outweighed by the hashes of five replicas and by what is not worth a snapshot yet.
  let live = try await home.live(home.desktop)
  for folder in [home.cloud, home.disk] {
    #expect(folder.size < 2 * live + 64 << 10, "\(folder.size) bytes for \(live)")
    #expect(folder.files.count < 60)
  }
  // What was deleted in the meantime is not there any more.
  let rows = try home.desktop.store.states(in: .home).keys.filter { $0.collection == "book" }
  #expect(try rows.count < home.desktop.store.records("book").count + 30)
}
