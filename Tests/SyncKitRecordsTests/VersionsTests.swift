import Foundation
import SyncKitApp
import SyncKitTesting
import Testing

/// The first version of an app.
private struct Film1: SyncedRecord {
  var id = RecordID.random
  var title = ""
  var rating: Int?
  var seen = false

  static let schema = RecordSchema<Film1>("film") {
    SyncedField("title", \.title)
    SyncedField("rating", \.rating)
    SyncedField("seen", \.seen)
    SyncedIndex(\.seen, \.rating)
  }
}

private func stars(_ rating: Int) -> Double? { Double(rating) / 2 }
private func rating(_ stars: Double?) -> Int? { stars.map { Int(($0 * 2).rounded()) } }

/// The second one renames a property, has a field of another type in the place of a former one, and one more.
private struct Film2: SyncedRecord {
  var id = RecordID.random
  var name = ""
  var stars: Double?
  var seen = false
  var place = "cinema"

  static let schema = RecordSchema<Film2>("film") {
    SyncedField("title", \.name)
    SyncedField(
      "stars", \.stars,
      replacing: FormerField(
        "rating", read: { (value: Int) in SyncKitRecordsTests.stars(value) }, write: rating))
    SyncedField("seen", \.seen)
    SyncedField("place", \.place)
    SyncedIndex(\.stars)
  }
}

/// The third one has dropped a field.
private struct Film3: SyncedRecord {
  var id = RecordID.random
  var name = ""
  var stars: Double?
  var place = "cinema"
  var note: String?

  static let schema = RecordSchema<Film3>("film") {
    SyncedField("title", \.name)
    SyncedField(
      "stars", \.stars,
      replacing: FormerField(
        "rating", read: { (value: Int) in SyncKitRecordsTests.stars(value) }, write: rating))
    SyncedField("place", \.place)
    SyncedField("note", \.note, policy: KeepBothPolicy())
    SyncedIndex(\.place, \.stars)
  }
}

@Suite final class Versions {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "cloudsync-versions-\(UUID().uuidString)")
  private let first: SyncStore
  private let second: SyncStore
  private let third: SyncStore

  init() throws {
    first = try SyncStore.inMemory(RecordDomain("films", Film1.self), deviceName: "one")
    second = try SyncStore.inMemory(RecordDomain("films", Film2.self), deviceName: "two")
    third = try SyncStore.inMemory(RecordDomain("films", Film3.self), deviceName: "three")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func sync() async throws {
    for store in [first, second, third, first, second] {
      try await store.sync(with: .folder(folder)).syncNow()
    }
  }

  @Test func `a new version reads what an old one wrote, and writes what it can read`() async throws
  {
    try await first.write { try $0.insert(Film1(id: "dune", title: "Dune", rating: 7, seen: true)) }
    try await sync()
    let read = try #require(try second.find(Film2.self, "dune"))
    #expect(read.name == "Dune" && read.stars == 3.5 && read.seen && read.place == "cinema")
    try await third.write { try $0.update(Film3.self, "dune") { $0.stars = 4.5 } }
    try await sync()
    #expect(try first.find(Film1.self, "dune")?.rating == 9)
    #expect(try second.find(Film2.self, "dune")?.stars == 4.5)
    // The old version goes on, and what it writes later counts.
    try await first.write { try $0.update(Film1.self, "dune") { $0.rating = 2 } }
    try await sync()
    #expect(try second.find(Film2.self, "dune")?.stars == 1)
    #expect(try third.find(Film3.self, "dune")?.stars == 1)
    try await first.write { try $0.update(Film1.self, "dune") { $0.rating = nil } }
    try await sync()
    #expect(try third.find(Film3.self, "dune")?.stars == nil)
  }

  @Test
  func `a value finer than the old one can have stays, as long as the old one is not changed`()
    async throws
  {
    try await second.write { try $0.insert(Film2(id: "emma", stars: 3.3)) }
    try await sync()
    #expect(try first.find(Film1.self, "emma")?.rating == 7)
    try await first.write { try $0.update(Film1.self, "emma") { $0.title = "Emma" } }
    try await sync()
    #expect(try third.find(Film3.self, "emma")?.stars == 3.3)
    #expect(try third.find(Film3.self, "emma")?.name == "Emma")
  }

  @Test func `what a version has dropped stays for the others`() async throws {
    try await first.write { try $0.insert(Film1(id: "dune", seen: true)) }
    try await sync()
    try await third.write { try $0.update(Film3.self, "dune") { $0.note = "again" } }
    try await sync()
    #expect(try first.find(Film1.self, "dune")?.seen == true)
    #expect(try second.find(Film2.self, "dune")?.seen == true)
  }

  @Test func `queries and indexes see what a record shows`() async throws {
    try await first.write {
      try $0.insert(Film1(id: "old", rating: 4))
      try $0.insert(Film1(id: "none"))
    }
    try await second.write { try $0.insert(Film2(id: "new", stars: 3.3)) }
    try await sync()
    try await first.write { try $0.update(Film1.self, "new") { $0.rating = 10 } }
    try await sync()
    let byStars = RecordQuery(Film3.self).where(\.place == "cinema").order(by: \.stars)
    #expect(try third.fetch(byStars).map(\.id.text) == ["none", "old", "new"])
    #expect(try third.fetch(byStars).map(\.stars) == [nil, 2, 5])
    #expect(try second.count(RecordQuery(Film2.self).where(\.stars >= 2)) == 2)
    for store in [first, second, third] { #expect(try store.verify().flatMap(\.problems) == []) }
  }

  @Test(arguments: UInt64(0)..<8)
  func `three versions that write at random agree on what they share`(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let ids: [RecordID] = ["a", "b", "c"]
    for id in ids { try await first.write { try $0.insert(Film1(id: id, title: id.text)) } }
    for _ in 0..<8 {
      try await sync()
      for _ in 0..<6 {
        let (id, number) = (random.one(of: ids), Int(random.number(below: 10)))
        switch random.number(below: 6) {
        case 0: try await first.write { try $0.update(Film1.self, id) { $0.rating = number } }
        case 1: try await first.write { try $0.update(Film1.self, id) { $0.title = "t\(number)" } }
        case 2:
          try await second.write { try $0.update(Film2.self, id) { $0.stars = Double(number) } }
        case 3: try await second.write { try $0.update(Film2.self, id) { $0.place = "p\(number)" } }
        case 4:
          try await third.write { try $0.update(Film3.self, id) { $0.stars = Double(number) / 2 } }
        default: try await third.write { try $0.update(Film3.self, id) { $0.note = "n\(number)" } }
        }
      }
    }
    try await sync()
    try await sync()
    for id in ids {
      let one = try #require(try first.find(Film1.self, id))
      let two = try #require(try second.find(Film2.self, id))
      let three = try #require(try third.find(Film3.self, id))
      #expect(one.title == two.name && two.name == three.name)
      #expect(two.stars == three.stars && rating(two.stars) == one.rating)
      #expect(two.place == three.place)
    }
  }

  /// Lets the clocks go on, so that what comes next is later.
  private func later() async throws { try await Task.sleep(for: .milliseconds(5)) }

  @Test func `a later value shows that older versions cannot tell from the one before`()
    async throws
  {
    try await third.write { try $0.insert(Film3(id: "dune", stars: 4)) }
    try await sync()
    try await second.write { try $0.update(Film2.self, "dune") { $0.stars = 2 } }
    try await later()
    // Both are 8 to the first version.
    try await third.write { try $0.update(Film3.self, "dune") { $0.stars = 4.1 } }
    try await sync()
    #expect(try first.find(Film1.self, "dune")?.rating == 8)
    #expect(try second.find(Film2.self, "dune")?.stars == 4.1)
    #expect(try third.find(Film3.self, "dune")?.stars == 4.1)
    let conflict = try #require(try second.conflicts(of: Film2.self).first)
    #expect(conflict.candidates.map(\.model.stars) == [4.1, 2])
  }

  @Test func `an older version's value and a newer one's stand beside each other as they are`()
    async throws
  {
    try await third.write { try $0.insert(Film3(id: "dune", stars: 4)) }
    try await third.write { try $0.insert(Film3(id: "emma", stars: 4)) }
    try await sync()
    try await first.write { try $0.update(Film1.self, "dune") { $0.rating = 3 } }
    try await third.write { try $0.update(Film3.self, "emma") { $0.stars = 4.1 } }
    try await later()
    try await third.write { try $0.update(Film3.self, "dune") { $0.stars = 4.1 } }
    try await first.write { try $0.update(Film1.self, "emma") { $0.rating = 3 } }
    try await sync()
    for (id, shown, other, rating) in [("dune", 4.1, 1.5, 8), ("emma", 1.5, 4.1, 3)] {
      let id = RecordID(id)
      #expect(try first.find(Film1.self, id)?.rating == rating)
      #expect(try second.find(Film2.self, id)?.stars == shown)
      #expect(try third.find(Film3.self, id)?.stars == shown)
      let conflicts = try third.conflicts(of: Film3.self).filter { $0.model.id == id }
      #expect(conflicts.map(\.fields) == [["stars"]])
      #expect(conflicts.first?.candidates.map(\.model.stars) == [shown, other])
    }
  }

  @Test func `former fields are converted once, and then the new one stands alone`() async throws {
    struct Film: SyncedRecord {
      var id = RecordID.random
      var stars: Double?
      static let schema = RecordSchema<Film>("film") { SyncedField("stars", \.stars) }
    }
    try await first.write { try $0.insert(Film1(id: "dune", rating: 7)) }
    try await third.write { try $0.insert(Film3(id: "emma", stars: 4.1)) }
    try await sync()
    #expect(try third.convertFormerFields(of: Film3.self) == 1)
    #expect(try third.convertFormerFields(of: Film3.self) == 0)
    try await sync()
    #expect(try first.find(Film1.self, "dune")?.rating == 7)
    let last = try SyncStore.inMemory(RecordDomain("films", Film.self), deviceName: "four")
    try await last.sync(with: .folder(folder)).syncNow()
    #expect(try last.find(Film.self, "dune")?.stars == 3.5)
    #expect(try last.find(Film.self, "emma")?.stars == 4.1)
  }

  @Test func `a conflict of a former field is one of the property`() async throws {
    struct Film: SyncedRecord {
      var id = RecordID.random
      var stars: Double?
      static let schema = RecordSchema<Film>("film") {
        SyncedField(
          "stars", \.stars,
          replacing: FormerField(
            "rating", policy: ManualPolicy(), read: { (value: Int) in Double(value) },
            write: { $0.map(Int.init) }), policy: ManualPolicy())
      }
    }
    let stores = try ["one", "two"].map {
      try SyncStore.inMemory(RecordDomain("films", Film.self), deviceName: $0)
    }
    func sync() async throws {
      for store in stores + [stores[0]] { try await store.sync(with: .folder(folder)).syncNow() }
    }
    try await stores[0].write { try $0.insert(Film(id: "dune", stars: 1)) }
    try await sync()
    for (store, stars) in zip(stores, [2.0, 3.0]) {
      try await store.write { try $0.update(Film.self, "dune") { $0.stars = stars } }
    }
    try await sync()
    let conflicts = try stores[0].conflicts(of: Film.self)
    #expect(conflicts.map(\.properties.count) == [1] && conflicts.map(\.fields) == [["stars"]])
    for conflict in conflicts {
      #expect(conflict.candidates.map(\.model.stars).sorted { $0 ?? 0 < $1 ?? 0 } == [2, 3])
    }
    try await stores[1].write { try $0.resolve(Film.self, "dune", \.stars, with: 2) }
    try await sync()
    for store in stores {
      #expect(try store.conflicts(of: Film.self).isEmpty)
      #expect(try store.find(Film.self, "dune")?.stars == 2)
    }
  }
}

// MARK: Values with a structure

private enum Kind: String, Codable { case home, work }

private struct Address: CodableFieldValue {
  struct Point: Codable, Equatable {
    var latitude: Float
    var longitude: Double
    var height: UInt16?
  }
  var street = ""
  var city: String?
  var kind = Kind.home
  var since = Date(timeIntervalSince1970: 0)
  var point: Point?
  var lines: [Point] = []
  var tags: Set<String> = []
  var link: URL?
  var codes: [String: Int] = [:]
  var grid: [[Int?]] = []
}

private struct Person: SyncedRecord {
  var id = UUID()
  var address = Address()
  var others: [Address] = []
  var work: Address?

  static let schema = RecordSchema<Person>("person") {
    SyncedField("address", \.address)
    SyncedField("others", \.others)
    SyncedField("work", \.work)
  }
}

@Suite struct StructuredValues {
  private let full = Address(
    street: "Main Street 1", city: "Springfield", kind: .work,
    since: Date(timeIntervalSince1970: 1.5),
    point: .init(latitude: 47.25, longitude: 8.5, height: 400),
    lines: [.init(latitude: 1, longitude: -0.25), .init(latitude: 0, longitude: 3, height: 7)],
    tags: ["a", "b"], link: URL(string: "https://example.org/x"), codes: ["zip": 12345],
    grid: [[1, nil], [], [2]])

  @Test func `a structure comes back as it was`() async throws {
    let store = try SyncStore.inMemory(RecordDomain("people", Person.self))
    let person = Person(address: full, others: [Address(), full], work: nil)
    try await store.write { try $0.insert(person) }
    let found = try #require(try store.find(Person.self, person.id))
    #expect(found.address == full && found.others == [Address(), full] && found.work == nil)
    let record = try #require(try store.records("person").first)
    #expect(record["address"].map?["street"] == "Main Street 1")
    #expect(record["address"].map?["since"] == .instant(1_500))
    #expect(record["address"].map?["point"]?.map?["height"] == 400)
  }

  @Test func `a member that is missing or of another type is not understood`() throws {
    #expect(Address(fieldValue: full.fieldValue) == full)
    guard case .map(var members) = full.fieldValue else { return #expect(Bool(false)) }
    members["unknown"] = 1
    #expect(Address(fieldValue: .map(members)) == full)
    members["street"] = 7
    #expect(Address(fieldValue: .map(members)) == nil)
    members["street"] = nil
    #expect(Address(fieldValue: .map(members)) == nil)
    members["street"] = ""
    members["point"] = .map(ValueMap([("latitude", 1), ("longitude", 2), ("height", 70_000)]))
    #expect(Address(fieldValue: .map(members)) == nil)
    #expect(Address(fieldValue: "text") == nil && Address(fieldValue: .null) == nil)
  }
}
