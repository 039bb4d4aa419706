import SyncKitFormats
import Testing

/// What the beginning of a JSON document says about it.
struct JSONOutlineTests {
  @Test(
    arguments: [
      (#"{"a": 1, "b": {"c": "d"}, "e": "f"}"#, ["a", "b", "e"], ["c"], ["e": "f"]),
      (#"[{"a": {"x": 1}, "b": "c"}, {"z": 1}]"#, ["a", "b"], ["x"], ["b": "c"]),
      ("\u{FEFF}\n{\"a\\\"b\": [\"c\", {\"d\": 1}], \"e\": tr", ["a\\\"b", "e"], [], [:]),
      (#"{"schema": "x/1", "records": [{"id": "un"#, ["schema", "records"], [], ["schema": "x/1"]),
      ("", [], [], [:]), ("a,b\n1,2\n", [], [], [:]), ("7", [], [], [:]), ("[1, 2", [], [], [:]),
    ] as [(String, [String], Set<String>, [String: String])])
  func `keys and texts at the top are found, also of a text that is cut off`(
    text: String, keys: [String], inner: Set<String>, texts: [String: String]
  ) {
    let outline = JSONOutline(text.utf8)
    #expect(outline.keys == keys)
    #expect(outline.innerKeys == inner)
    #expect(outline.texts == texts)
  }
}
