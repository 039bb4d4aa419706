import SyncKitTesting
import Testing

@testable import SyncKitEngine
@testable import SyncKitModel
@testable import SyncKitStore

/// Ids and names as text: one form, read back exactly, and nothing that looks alike taken for it.
struct TextFormTests {
  @Test func `base32 gives the published vectors in lowercase without padding`() {
    let vectors = [
      "": "", "f": "my", "fo": "mzxq", "foo": "mzxw6", "foob": "mzxw6yq", "fooba": "mzxw6ytb",
      "foobar": "mzxw6ytboi",
    ]
    for (plain, text) in vectors {
      #expect(Base32.encode(Array(plain.utf8)) == text)
      #expect(Base32.decode(text) == Array(plain.utf8))
    }
  }

  @Test func `base32 of any bytes can be read back`() {
    var random = SeededRandom(seed: 1)
    for count in 0..<70 {
      let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      #expect(Base32.decode(Base32.encode(bytes)) == bytes)
    }
  }

  @Test func `base32 has one text only for the same bytes`() {
    let wrong = [
      "MZXW6", "mzxw6===", "mzx w6", "mzxw1", "m", "mzx", "mzxw6y", "mz", "\u{E9}aaaaaaa", "a",
      "aaa", "aaaaaa",
    ]
    for text in wrong { #expect(Base32.decode(text) == nil, "\(text)") }
    let digits = "abcdefghijklmnopqrstuvwxyz234567"
    for first in digits {
      for second in digits {
        let text = "\(first)\(second)"
        if let bytes = Base32.decode(text) { #expect(Base32.encode(bytes) == text) }
      }
    }
  }

  @Test func `replica, batch and hash are written in their digits`() {
    let environment = SyncEnvironment.seeded(4)
    let replica = ReplicaID(from: environment)
    #expect(replica.description.utf8.count == 26)
    #expect(ReplicaID(replica.description) == replica)
    #expect(ReplicaID(replica.description.dropLast()) == nil)
    #expect(ReplicaID(replica.description.uppercased()) == nil)
    let batch = BatchID(from: environment)
    #expect(batch.description.utf8.count == 16)
    #expect(BatchID(batch.description) == batch)
    #expect(BatchID("mzxw6") == nil)
    #expect(ContentHash(digest: replica.bytes).bytes == replica.bytes)
    #expect(ContentHash(digest: [1]).bytes == [1] + Array(repeating: 0, count: 15))
  }

  @Test func `replicas are in the order of their bytes and of their text`() {
    let environment = SyncEnvironment.seeded(9)
    let replicas = (0..<50).map { _ in ReplicaID(from: environment) }.sorted()
    for (left, right) in zip(replicas, replicas.dropFirst()) {
      #expect(left.bytes.lexicographicallyPrecedes(right.bytes))
    }
  }

  @Test func `a UUID is read from its lowercase form only`() throws {
    let text = "0e37df36-f698-11e6-8dd4-cb9ced3df976"
    let bytes = try #require(UUIDText.bytes(of: text))
    #expect(bytes.count == 16)
    #expect(bytes.first == 0x0E)
    #expect(UUIDText.text(of: bytes) == text)
    #expect(UUIDText.isUUID(text))
    let wrong = [
      "", text.uppercased(), String(text.dropLast()), text + "0", text.replacing("-", with: "0"),
      "0e37df3-6f698-11e6-8dd4-cb9ced3df976", "0e37df36-f698-11e6-8dd4-cb9ced3df97g",
      "{0e37df36-f698-11e6-8dd4-cb9ced3df9}", "0e37df36-f698-11e6-8dd4-cb9ced3df9\u{E9}",
    ]
    for text in wrong {
      #expect(UUIDText.bytes(of: text) == nil, "\(text)")
      #expect(!UUIDText.isUUID(text), "\(text)")
    }
  }

  @Test func `a random UUID says that it is random`() throws {
    for seed in 0..<50 as Range<UInt64> {
      let text = UUIDText.random(from: .seeded(seed))
      let bytes = try #require(UUIDText.bytes(of: text))
      #expect(UUIDText.text(of: bytes) == text)
      #expect(bytes[6] >> 4 == 4)
      #expect(bytes[8] >> 6 == 2)
    }
  }

  @Test func `names are the same, in order and in sets by their bytes`() {
    let (composed, decomposed) = (RecordID("\u{E9}"), RecordID("e\u{301}"))
    #expect(composed.text == decomposed.text, "Unicode says that they are equivalent")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed, composed]).count == 2)
    #expect([composed: 1, decomposed: 2][decomposed] == 2)
    #expect(decomposed < composed)
    #expect(!(composed < composed))
    #expect(RecordID("a") < RecordID("aa"))
    #expect(RecordID("Z") < RecordID("a"))
    #expect(RecordID("\u{FFFD}") < RecordID("\u{10000}"), "by UTF-8, not by UTF-16")
    #expect(
      RecordID("a").hashValue
        == RecordID(String(decoding: Array("a".utf8), as: UTF8.self)).hashValue)
  }

  @Test func `a set element's register names its field and its value`() {
    let red = FieldName.element(of: "tags", "red")
    #expect(red.field == "tags")
    #expect(FieldName("tags").field == "tags")
    #expect(red != .element(of: "tags", "RED"))
    #expect(red != .element(of: "tag", "red"))
    #expect(FieldName.element(of: "n", .int(1)) != .element(of: "n", .double(1)))
    #expect(FieldName.element(of: "n", "\u{E9}") != .element(of: "n", "e\u{301}"))
    #expect(FieldName.element(of: "n", .double(.nan)) == .element(of: "n", .double(-.nan)))
    #expect(FieldName.element(of: "e\u{301}", 1).field == "e\u{301}")
  }

  @Test func `record keys are in the order of zone, collection and id`() {
    let keys = ["a", "b"].flatMap { zone in
      ["a", "b"].flatMap { collection in
        ["a", "b"].map {
          RecordKey(zone: ZoneID(zone), collection: CollectionName(collection), id: RecordID($0))
        }
      }
    }
    var random = SeededRandom(seed: 1)
    #expect(keys.shuffled(using: &random).sorted() == keys)
  }
}
