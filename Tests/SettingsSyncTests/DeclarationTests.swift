import SyncKit
import Testing

@testable import SettingsSync

/// What an app declares, with TightFive as the example.
struct DeclarationTests {
  private let declaration = TightFive.declaration

  @Test func `the example has its 49 keys and 6 flags, and no key is too long`() {
    #expect(declaration.settings.count == 49)
    #expect(declaration.settings.values.compactMap(\.setFlag).count == 6)
    #expect(declaration.groups.count == 5)
    #expect(declaration.groups.values.allSatisfy { $0.count == 6 })
    #expect(declaration.settings.keys.map(\.utf8.count).max() == 34)
  }

  @Test func `a declaration comes back from its record as it was`() throws {
    #expect(try SettingsDeclaration(stored: declaration.value.stored) == declaration)
  }

  @Test(arguments: [
    ("appFont", SettingValue.string("Menlo"), true), ("appFont", .string("Comic"), false),
    ("appFont", .int(1), false), ("appFontColorHex", .string("#FFFFFF4D"), true),
    ("appFontColorHex", .string("#fff"), true), ("appFontColorHex", .string("white"), false),
    ("appFontColorHex", .string("#12345"), false), ("appGritLevel", .double(0), true),
    ("appGritLevel", .double(1.1), false), ("appGritLevel", .double(.nan), false),
    ("appGritLevel", .int(1), true), ("appGritLevel", .bool(true), false),
    ("accessibilityBoldText", .bool(false), true), ("accessibilityBoldText", .int(0), false),
    ("backgroundCloudCount", .double(80), false), ("somethingElse", .data([1]), true),
  ])
  func `a value is taken only as declared`(key: String, value: SettingValue, isTaken: Bool) {
    let checked = try? declaration.checked(value, for: key)
    #expect((checked != nil) == isTaken)
    if key == "appGritLevel", isTaken { #expect(checked?.kind == .double) }
  }

  @Test(arguments: [
    #"{"keys": {"a": {}}}"#, #"{"keys": {"a": {"type": "colour"}}}"#, #"{"keys": []}"#,
    #"{"keys": {"a": {"type": "int", "default": "x"}}}"#, #"{"groups": {"g": []}}"#,
    #"{"groups": {"g": [1]}}"#, #"{"groups": {"g": ["a"], "h": ["a"]}}"#, #"{"limit": 1}"#,
    #"{"keys": {"a": {"type": "int", "format": "color"}}}"#,
    #"{"keys": {"g": {"type": "int"}}, "groups": {"g": ["a"]}}"#,
    #"{"keys": {"a": {"type": "int", "merge": "best"}}}"#, #"[1]"#,
  ])
  func `a declaration that makes no sense is refused`(text: String) throws {
    let json = try #require(SettingValue(typed: text))
    #expect(throws: SettingProblem.self) { try SettingsDeclaration(json) }
  }

  @Test func `a declaration that breaks its form is not stored`() throws {
    var draft = RecordDraft(
      "namespace", id: "app", fields: ["declaration": .map(ValueMap([("keys", .int(1))]))])
    let error = #expect(throws: SyncError.self) { try SettingsDomain().normalize(&draft) }
    #expect(error?.code == .inputInvalid)
  }
}
