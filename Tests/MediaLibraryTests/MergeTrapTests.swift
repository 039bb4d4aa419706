import SyncKit
import SyncKitTesting
import Testing

@testable import MediaLibrary

/// Mistakes of the app's own merge, and the right results.
struct MergeTrapTests {
  private let remote = InMemoryTransport()

  private func devices() throws -> (FilmLover, FilmLover) {
    (try FilmLover("laptop", meeting: remote), try FilmLover("phone", meeting: remote))
  }

  @Test func `trap M2: items of one list are merged one by one, and field by field`() async throws {
    let (laptop, phone) = try devices()
    let list = try laptop.list("Weekend")
    let matrix = try laptop.item("The Matrix", in: list, ["tmdbId": 603])
    try laptop.item("Alien", in: list, ["tmdbId": 348])
    try await sync(laptop, phone)
    try laptop.store.write { try $0.edit(matrix, ["rating": 9]) }
    try laptop.store.write { try $0.edit(list, ["name": "Weekend films"]) }
    try phone.store.write { try $0.edit(matrix, ["isFavorite": true]) }
    try phone.item("Dune", in: list, ["tmdbId": 438_631])
    try await sync(laptop, phone, laptop)
    for device in [laptop, phone] {
      #expect(try device.titles(of: list).sorted() == ["Alien", "Dune", "The Matrix"])
      let item = try #require(try device.store.record(matrix))
      #expect(item["rating"].number == 9 && item["isFavorite"].bool == true)
      #expect(try device.store.record(list)?["name"].string == "Weekend films")
    }
    #expect(try agree(laptop, phone))
  }

  @Test func `trap M3: an edit within a list arrives though the number of lists is the same`()
    async throws
  {
    let (laptop, phone) = try devices()
    let list = try laptop.list("Weekend")
    let matrix = try laptop.item("The Matrix", in: list)
    try await sync(laptop, phone)
    try phone.store.write { try $0.edit(matrix, ["watched": true]) }
    try await sync(phone, laptop)
    #expect(try laptop.store.record(matrix)?["watched"].bool == true)
    #expect(try laptop.library.lists.count == 1)
  }

  @Test func `trap M4: what a remote change does not name stays, private notes and colours too`()
    async throws
  {
    let (laptop, phone) = try devices()
    let list = try laptop.list("Weekend")
    let matrix = try laptop.item("The Matrix", in: list, ["likedStatus": 1, "mikeRating": 7])
    try laptop.store.write { transaction in
      try transaction.edit(list, ["colour": "#FF0000", "icon": "film"])
      _ = try transaction.note("mine", on: matrix, isPrivate: true)
      _ = try transaction.note("ours", on: matrix)
    }
    try await sync(laptop, phone)
    try phone.store.write { try $0.edit(matrix, ["watched": true, "rating": 8]) }
    try await sync(phone, laptop)
    let item = try #require(try laptop.store.record(matrix))
    #expect(item["likedStatus"].int == 1 && item["mikeRating"].number == 7)
    #expect(item["rating"].number == 8)
    #expect(try laptop.store.record(list)?["colour"].string == "#FF0000")
    #expect(try phone.store.record(list)?["colour"].isNull == true)
    #expect(try laptop.library.privateNotes(of: matrix).map { $0["text"].string } == ["mine"])
    #expect(try phone.library.privateNotes(of: matrix).isEmpty)
    #expect(try phone.library.notes(of: matrix).map { $0["text"].string } == ["ours"])
  }

  @Test func `trap M5: of equally old lists every device keeps the one of the lower device id`() {
    func list(_ id: RecordID, _ device: String) -> Record {
      Record(
        key: .root("list", id), fields: ["name": "Weekend"], created: 7,
        device: DeviceName(id: device, name: nil))
    }
    let (lower, higher) = (list("z", "device-a"), list("a", "device-b"))
    #expect(ListFolding.isOlder(lower, higher) && !ListFolding.isOlder(higher, lower))
    let twins = [list("a", "d"), list("b", "d")]
    #expect(ListFolding.isOlder(twins[0], twins[1]) && !ListFolding.isOlder(twins[1], twins[0]))
  }

  @Test func `trap M6: a newer edit beats an older deletion, and an older one does not`()
    async throws
  {
    let (laptop, phone) = try devices()
    let list = try laptop.list("Weekend")
    let matrix = try laptop.item("The Matrix", in: list)
    let alien = try laptop.item("Alien", in: list)
    try await sync(laptop, phone)
    try laptop.store.write { try $0.delete(matrix) }
    phone.advance(by: 60_000)
    try phone.store.write { try $0.edit(matrix, ["rating": 9]) }
    try phone.store.write { try $0.edit(alien, ["rating": 3]) }
    laptop.advance(by: 180_000)
    try laptop.store.write { try $0.delete(alien) }
    try await sync(laptop, phone, laptop)
    for device in [laptop, phone] {
      #expect(try device.store.record(matrix)?.isDeleted == false)
      #expect(try device.store.record(alien)?.isDeleted == true)
    }
    #expect(try agree(laptop, phone))
  }

  @Test func `trap M7: deletions and edits of one instant end the same on every device`()
    async throws
  {
    let (laptop, phone) = try devices()
    let list = try laptop.list("Weekend")
    let matrix = try laptop.item("The Matrix", in: list)
    let alien = try laptop.item("Alien", in: list)
    try await sync(laptop, phone)
    let instant = FilmLover.start + 5_000_000
    laptop.set(time: instant, seed: 1)
    phone.set(time: instant, seed: 2)
    for device in [laptop, phone] { try device.store.write { try $0.delete(matrix) } }
    try laptop.store.write { try $0.edit(alien, ["rating": 3]) }
    try phone.store.write { try $0.delete(alien) }
    try await sync(laptop, phone, laptop, phone)
    #expect(try laptop.store.record(matrix)?.isDeleted == true)
    #expect(try phone.store.record(matrix)?.isDeleted == true)
    #expect(try laptop.store.record(alien)?.isDeleted == phone.store.record(alien)?.isDeleted)
    #expect(try agree(laptop, phone))
  }

  @Test func `trap M8: a deletion that a device has never seen the record of reaches a third one`()
    async throws
  {
    let (laptop, phone) = try devices()
    let tablet = try FilmLover("tablet", meeting: remote)
    let list = try laptop.list("Weekend")
    let matrix = try laptop.item("The Matrix", in: list)
    try await sync(laptop, tablet)
    try laptop.store.write { try $0.delete(matrix) }
    try await sync(laptop, phone)
    #expect(try phone.titles(of: list).isEmpty)
    try phone.item("Alien", in: list)
    try await sync(phone, tablet, laptop, phone)
    for device in [laptop, phone, tablet] { #expect(try device.titles(of: list) == ["Alien"]) }
    #expect(try agree(laptop, phone, tablet))
  }

  @Test func `trap M10: nothing waits for an interval of its own: the next sync has it`()
    async throws
  {
    let (laptop, phone) = try devices()
    for round in 0..<3 {
      try laptop.list("List \(round)")
      try await sync(laptop, phone)
      #expect(try phone.library.lists.count == round + 1)
    }
  }

  @Test func `both texts of a note that two devices wrote are kept`() async throws {
    let (laptop, phone) = try devices()
    let list = try laptop.list("Weekend")
    let matrix = try laptop.item("The Matrix", in: list)
    let note = try laptop.store.write { try $0.note("first", on: matrix) }.result
    try await sync(laptop, phone)
    try laptop.store.write { try $0.edit(note, ["text": "from the laptop"]) }
    try phone.store.write { try $0.edit(note, ["text": "from the phone"]) }
    try await sync(laptop, phone, laptop)
    for device in [laptop, phone] {
      let texts = try #require(try device.store.record(note))["text"]
      #expect(Set(texts.texts) == ["from the laptop", "from the phone"])
    }
  }
}
