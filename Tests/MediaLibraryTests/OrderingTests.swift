import SyncKit
import SyncKitTesting
import Testing

@testable import MediaLibrary

/// The order of items.
struct OrderingTests {
  @Test func `trap M11: an item can be put first again and again, on two devices`() async throws {
    let remote = InMemoryTransport()
    let (laptop, phone) = (
      try FilmLover("laptop", meeting: remote), try FilmLover("phone", meeting: remote)
    )
    let list = try laptop.list("Weekend")
    for title in ["A", "B", "C", "D"] { try laptop.item(title, in: list) }
    try await sync(laptop, phone)
    for round in 0..<40 {
      let device = round % 2 == 0 ? laptop : phone
      let library = try device.library
      let last = try #require(library.items(of: list).last)
      try device.store.write {
        try $0.move(last.key, behind: nil, in: library, device: device.store.device.id)
      }
      try await sync(laptop, phone, laptop)
    }
    #expect(try laptop.titles(of: list) == ["A", "B", "C", "D"])
    #expect(try phone.titles(of: list) == ["A", "B", "C", "D"])
    #expect(try agree(laptop, phone))
  }

  @Test func `items with one key are told apart when something is put between them`() throws {
    let device = try FilmLover("laptop")
    let list = try device.list("Weekend")
    for title in ["A", "B", "C", "D"] { try device.item(title, in: list, ["order": "a1"]) }
    let all = try device.library.items(of: list)
    try device.store.write { transaction in
      for item in all {
        try transaction.edit(item.key, ["order": "a1"])
      }
    }
    let before = try device.library
    let items = before.items(of: list)
    try device.store.write {
      try $0.move(items[3].key, behind: items[1].key, in: before, device: "device-laptop")
    }
    let names = try device.titles(of: list)
    let former = items.compactMap { $0["title"].string }
    #expect(names == [former[0], former[1], former[3], former[2]])
  }

  @Test func `trap M9: the order does not depend on when records came`() async throws {
    let remote = InMemoryTransport()
    let (laptop, phone) = (
      try FilmLover("laptop", meeting: remote), try FilmLover("phone", meeting: remote)
    )
    let list = try laptop.list("Weekend")
    try await sync(laptop, phone)
    for title in ["A", "B", "C"] { try laptop.item(title, in: list) }
    for title in ["X", "Y", "Z"] { try phone.item(title, in: list) }
    try await sync(laptop, phone, laptop)
    #expect(try laptop.titles(of: list) == phone.titles(of: list))
    #expect(try laptop.titles(of: list).count == 6)
  }

  @Test func `trap M11: moves to one place never end in long keys`() throws {
    func record(_ id: Int, _ key: OrderKey?) -> Record {
      Record(
        key: RecordKey(collection: "item", id: RecordID("\(id)")),
        fields: key.map { ["order": .string($0.text)] } ?? [:])
    }
    var records: [Record] = []
    for id in 0..<1_200 {
      let place = min(1, records.count)
      let moved = record(id, nil)
      let keys = Rearrangement.keys(for: moved.key, at: place, among: records, device: "a")
      records.insert(moved, at: place)
      for (key, order) in keys {
        #expect(order.text.utf8.count <= 200)
        let index = try #require(records.firstIndex { $0.key == key })
        records[index] = Record(key: key, fields: ["order": .string(order.text)])
      }
    }
    let keys = try records.map { try #require($0["order"].string.flatMap { OrderKey($0) }) }
    #expect(keys == keys.sorted() && Set(keys).count == keys.count)
  }
}
