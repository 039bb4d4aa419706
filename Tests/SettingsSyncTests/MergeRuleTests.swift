import SyncKit
import SyncKitTesting
import Testing

@testable import SettingsSync

/// The concurrent value that shows, where an app does not want the newest.
struct MergeRuleTests {
  @Test func `the policy does not depend on order`() {
    #expect(ConflictPolicyContract().violations(of: SettingPolicy()) == [])
  }

  @Test(arguments: [
    (MergeRule.greatest, Int64(9)), (.least, 3), (.newest, 3), (.first, 9),
  ])
  func `the declared rule decides on every device`(rule: MergeRule, wanted: Int64) async throws {
    var declaration = SettingsDeclaration()
    declaration.settings["level"] = SettingDeclaration(.int, merge: rule)
    let remote = InMemoryTransport()
    let clock = VirtualClock()
    let phone = try Owner("phone", meeting: remote, clock: clock, declaring: declaration)
    let tablet = try Owner("tablet", meeting: remote, clock: clock)
    try await sync(phone, tablet)
    try phone.set("level", .int(9))
    try tablet.set("level", .int(3))
    try await sync(phone, tablet, phone)
    for owner in [phone, tablet] { #expect(try owner.value("level") == .int(wanted)) }
  }

  @Test(
    arguments: [
      (["value": .int(1)], "int"), (["value": .double(1)], "double"), (["value": true], "bool"),
      (["type": "date", "value": "2026-11-21T08:00:00Z"], "date"),
      (["type": "data", "value": "AQID"], "data"),
      (["type": "uint", "value": "18446744073709551615"], "uint"),
      (["type": "group", "value": .map(ValueMap([("a", 1)]))], "group"),
    ] as [([FieldName: Value], String)])
  func `a value that comes without its type gets it`(
    fields: [FieldName: Value], type: String
  ) throws {
    var draft = RecordDraft("setting", id: "k", fields: fields)
    try SettingsDomain().normalize(&draft)
    #expect(draft.fields["type"]?.string == type)
  }

  @Test(
    arguments: [
      ["type": "int", "value": "1"], ["type": "bool", "value": 1], ["type": "color", "value": "x"],
      ["type": "int"], ["type": "date", "value": "yesterday"], ["type": "group", "value": 1],
      ["value": 1, "merge": "best"],
    ] as [[FieldName: Value]])
  func `a value that is not of its type is refused`(fields: [FieldName: Value]) {
    var draft = RecordDraft("setting", id: "k", fields: fields)
    let error = #expect(throws: SyncError.self) { try SettingsDomain().normalize(&draft) }
    #expect(error?.code == .inputInvalid)
  }

  @Test func `a value that is nested too deep is refused`() {
    var value: Value = 1
    for _ in 0..<30 { value = .list([value]) }
    var draft = RecordDraft("setting", id: "k", fields: ["value": value])
    #expect(throws: SyncError.self) { try SettingsDomain().normalize(&draft) }
  }

  @Test func `the domain keeps the contract`() async throws {
    let drafts = [
      RecordDraft("namespace", id: "com.example.app", fields: ["include": .list(["a*"])]),
      RecordDraft(
        "namespace", id: "other", fields: ["declaration": TightFive.declaration.value.stored]),
    ]
    #expect(try await DomainContract(drafts: drafts).violations(of: SettingsDomain()) == [])
  }
}
