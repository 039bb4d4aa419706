import SyncKitFormats
import Testing

/// Files with a JSON value on each line.
struct JSONLinesTests {
  @Test func `each line is a value, and empty lines are passed over`() {
    let text = "{\"a\":1}\r\n\n[2]\n  {\"a\":3}  \n"
    let lines = JSONLines(Array(text.utf8))
    #expect(lines.values.map(\.line) == [1, 3, 4])
    #expect(lines.values.map(\.value) == [["a": 1], [2], ["a": 3]])
    #expect(lines.faults.isEmpty)
  }

  @Test func `a bad line is named, and the others are read`() {
    let lines = JSONLines(Array("{\"a\":1}\n{\"a\":\n{\"a\":3}".utf8))
    #expect(lines.values.map(\.line) == [1, 3])
    #expect(lines.faults.map(\.line) == [2])
  }

  @Test(
    arguments: [
      ("{\"a\":1}\n{\"a\":2}\n", true), ("[1]\n[2]\n", true), ("{\"a\":1}\n", false),
      ("{\n\"a\":1}\n", false), ("1\n2\n", false), ("a,b\n1,2\n", false), ("", false),
      ("\u{FEFF}{\"a\":1}\n\n{\"a\":2}", true),
    ] as [(String, Bool)])
  func `two lines at least, and the first is an object or an array`(text: String, isOne: Bool) {
    #expect(JSONLines.isOne(Array(text.utf8)) == isOne)
  }
}
