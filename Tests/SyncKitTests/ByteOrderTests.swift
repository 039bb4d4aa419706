import Testing

@testable import SyncKitEngine
@testable import SyncKitModel
@testable import SyncKitStore

/// Names and keys are compared eight bytes at a time; the order is the one of single bytes.
struct ByteOrderTests {
  @Test func `the order is that of the bytes, wherever texts part and however long they are`() {
    var texts: [String] = []
    for length in [0, 1, 7, 8, 9, 15, 16, 17, 31, 40] {
      let text = String(repeating: "a", count: length)
      texts += [text, text + "b", text + "\u{7F}", text + "é", text + "e\u{301}", text + "\u{0}"]
      if length > 0 { texts.append("b" + text.dropFirst()) }
    }
    for left in texts {
      for right in texts {
        let expected = Array(left.utf8).lexicographicallyPrecedes(Array(right.utf8))
        #expect((RecordID(left) < RecordID(right)) == expected, "\(left) \(right)")
        #expect(Array(left.utf8).precedes(Array(right.utf8)) == expected)
        #expect((RecordID(left) == RecordID(right)) == (Array(left.utf8) == Array(right.utf8)))
      }
    }
  }

  @Test(
    arguments: [
      [], [0x61], Array("Zürich 🛬".utf8), [0xC3], [0xC3, 0x28], [0xF0, 0x9F, 0x98],
      [0xEF, 0xBF, 0xBD],
      [0x61, 0xFF, 0x62], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0x00], Array("e\u{301}".utf8),
    ] as [[UInt8]])
  func `a text is exactly its bytes or nothing`(_ bytes: [UInt8]) {
    let text = bytes.withUnsafeBytes { String(exactly: $0) }
    #expect(text == String(validating: bytes, as: UTF8.self))
    #expect(text.map { Array($0.utf8) == bytes } ?? true)
  }
}
