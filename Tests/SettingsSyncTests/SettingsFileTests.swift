import SyncKit
import Testing

@testable import SettingsSync

/// The settings files that apps write.
struct SettingsFileTests {
  private func file(_ text: String, _ name: String? = nil) throws -> SettingsFile {
    try SettingsFile(Array(text.utf8), named: name)
  }

  @Test func `the format is detected from the bytes, whatever the name`() throws {
    var list = SettingsFile(format: .binaryPlist)
    list["a"] = .bool(true)
    #expect(try SettingsFile(list.serialized(), named: "plist").format == .binaryPlist)
    list = SettingsFile(format: .plist)
    #expect(
      try SettingsFile([0xEF, 0xBB, 0xBF] + list.serialized(), named: "bplist").format == .plist)
    #expect(try file("\u{FEFF} {\"a\": 1}").format == .json)
    #expect(try file("a: 1", "yml").format == .yaml)
    #expect(throws: SyncError.self) { try file("a: 1") }
  }

  @Test(arguments: [
    ("{\"a\": 1,,}", "json", "line 1, column 9"), ("[1]", "json", "dictionary"),
    ("a: 1\n- b", "yaml", "line 2"), ("- 1", "yaml", "dictionary"),
    ("a = 1\na = 2", "toml", "line 2, column 1"),
    ("<?xml version=\"1.0\"?><plist><x/></plist>", "plist", "line 1"),
    ("bplist00", "plist", "cut off"), ("{\"a\": 1, \"a\": 2}", "json", "line 1, column 10"),
  ])
  func `a file that cannot be read says where`(text: String, name: String, place: String) {
    let error = #expect(throws: SyncError.self) { try file(text, name) }
    #expect(error?.code == .inputInvalid)
    #expect(error?.message.contains(place) == true, "\(error?.message ?? "")")
  }

  @Test func `a key that is not a setting stays in the file as it is`() throws {
    var json = try file(#"{"z": null, "a": 1, "m": {"$date": 5}}"#, "json")
    #expect(json.problems.map(\.key) == ["z", "m"])
    json["a"] = .int(2)
    json["new"] = .bool(true)
    json["gone"] = nil
    let text = String(decoding: try json.serialized(), as: UTF8.self)
    #expect(
      text
        == #"{"z": null, "a": 2, "m": {"$date": 5}, "new": true}"#)
    var toml = try file("day = 1979-05-27\n[window]\nopen = 07:32:00\n", "toml")
    #expect(toml.problems.isEmpty)
    #expect(toml["day"] == .plain("1979-05-27"))
    toml["font"] = .string("Menlo")
    #expect(
      String(decoding: try toml.serialized(), as: UTF8.self)
        == "day = 1979-05-27\nfont = \"Menlo\"\n[window]\nopen = 07:32:00\n")
  }
}
