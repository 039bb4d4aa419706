import SyncKitFormats
import SyncKit
import SyncKitTesting
import Testing

@testable import SettingsSync

/// Which settings leave the device.
struct PlacementTests {
  private let remote = InMemoryTransport()

  @Test(arguments: [
    ("*", "", true), ("*", "abc", true), ("a*c", "abbc", true), ("a*c", "ab", false),
    ("a?c", "abc", true), ("a?c", "ac", false), ("*.token", "api.token", true),
    ("*.token", "token", false), ("a*b*c*d", "aXbXcX", false), ("**", "x", true), ("", "", true),
    ("", "a", false), ("é?", "é1", true), ("A", "a", false),
  ])
  func `a pattern fits what it says`(pattern: String, key: String, fits: Bool) {
    #expect(KeyPattern(pattern).matches(key) == fits)
  }

  @Test func `a hostile pattern takes no time`() {
    let pattern = String(repeating: "*a", count: 200)
    #expect(!KeyPattern(pattern + "b").matches(String(repeating: "a", count: 5_000)))
  }

  @Test(arguments: [
    ("apiToken", SettingValue.string("x"), SecretCheck.Reason.name),
    ("API_KEY", .string("x"), .name), ("user.password", .string("hunter2"), .name),
    ("secrets", .array([.string("a")]), .name),
    ("account", .dict([.init("pwd", .string("a"))]), .name),
    ("pin", .int(1234), .name), ("sessionToken", .data([1]), .name),
    ("note", .string("ghp_16C7e42F292c6912E7710c838347Ae178B4a"), .form),
    ("note", .string("-----BEGIN OPENSSH PRIVATE KEY-----\nabc"), .form),
    ("note", .string("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc"), .form),
    ("note", .string("wJalrXUtnFEMI7K7MDENGbPxRfiCYEXAMPLEKEY1"), .randomness),
    (
      "note", .string("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
      .randomness
    ),
  ])
  func `what looks like a secret is found`(
    key: String, value: SettingValue, reason: SecretCheck.Reason
  ) {
    #expect(SecretCheck.reason(key: key, value: value) == reason)
  }

  @Test(arguments: [
    ("appFont", SettingValue.string("Times New Roman")), ("tokenizer", .string("fast")),
    ("spinning", .bool(true)), ("isSecret", .bool(true)), ("password", .string("")),
    ("id", .string("6F9619FF-8B86-D011-B42D-00CF4FC964FF")), ("pinned", .int(3)),
    ("path", .string("/Users/somebody/Documents/Projects2026/Notes.txt")),
    ("color", .string("#FFFFFF4D")), ("title", .string("The quick brown fox jumps over 13 dogs")),
    ("bundle", .string("com.example.application2026.Helper")), ("keyboard", .string("qwertz")),
  ])
  func `a value that is not a secret is left alone`(key: String, value: SettingValue) {
    #expect(SecretCheck.reason(key: key, value: value) == nil)
  }

  @Test func `no key of the example is taken for a secret`() {
    for (key, declared) in TightFive.declaration.settings {
      guard let value = declared.fallback else { continue }
      #expect(SecretCheck.reason(key: key, value: value) == nil, "\(key)")
    }
  }

  @Test func `local keys, secrets and what is left out never leave the device`() async throws {
    let phone = try Owner("phone", meeting: remote)
    let tablet = try Owner("tablet", meeting: remote)
    try phone.store.write { transaction in
      try transaction.save(
        RecordDraft(
          "namespace", id: RecordID(Owner.app),
          fields: [
            "exclude": .list(["cache.*"]), "localKeys": .list(["cueCard_*"]),
          ]))
    }
    let canary = "canary-4711"
    let plan = try phone.capture(
      """
      {"appFont": "Menlo", "cueCard_fontSize": "\(canary)", "apiToken": "\(canary)",
       "cache.size": "\(canary)", "NSWindow Frame Main": "\(canary)"}
      """)
    #expect(plan.left.map(\.key) == ["NSWindow Frame Main", "cache.size"])
    #expect(plan.kept.map(\.key) == ["apiToken", "cueCard_fontSize"])
    #expect(try phone.synced == ["appFont": .string("Menlo")])
    #expect(try phone.value("apiToken") == .string(canary))
    try await sync(phone, tablet)
    #expect(try tablet.value("cueCard_fontSize") == nil)
    let inventory = try await remote.inventory(of: "settings")
    #expect(!inventory.segments.contains { $0.zone == "local" })
    for record in try tablet.store.records("local") { Issue.record("\(record.key)") }
  }

  @Test func `a secret is synced only by its exact name`() throws {
    var namespace = SettingsNamespace("app")
    namespace.include = [KeyPattern("*")]
    let value = SettingValue.string("x")
    #expect(namespace.placement(of: "apiToken", value: value) == .local(.secret(.name)))
    namespace.include.append(KeyPattern("apiToken"))
    #expect(namespace.placement(of: "apiToken", value: value) == .synced)
    namespace.exclude = [KeyPattern("api*")]
    #expect(namespace.placement(of: "apiToken", value: value) == .left(.excluded))
    namespace.include = [KeyPattern("app*")]
    #expect(namespace.placement(of: "other", value: value) == .left(.notIncluded))
  }

  @Test func `this device can keep keys to itself`() throws {
    let phone = try Owner("phone", meeting: remote)
    var settings = phone.settings
    settings.exclude = [KeyPattern("*.size")]
    #expect(try settings.set("font.size", to: .int(14)) == .local(.localKey))
    settings.include = [KeyPattern("font.*")]
    #expect(try settings.set("font.name", to: .string("Menlo")) == .synced)
    #expect(try settings.set("sound", to: .bool(true)) == .local(.localKey))
    #expect(try phone.synced == ["font.name": .string("Menlo")])
  }

  @Test func `the most specific override counts, and a local value above all`() throws {
    let phone = try Owner("phone", meeting: remote, os: "macos")
    try phone.set("scale", .double(1))
    var edit = SettingsEdit(Owner.app)
    for (text, value) in [("os=macos", 2.0), ("os=linux", 3.0), ("host=phone", 4.0)] {
      edit.overrides.append(("scale", try #require(SettingCondition(text)), .double(value)))
    }
    try phone.store.write(edit)
    #expect(try phone.value("scale") == .double(4))
    edit.overrides = [("scale", try #require(SettingCondition("host=phone")), nil)]
    try phone.store.write(edit)
    #expect(try phone.value("scale") == .double(2))
    try phone.store.write(SettingsEdit(Owner.app, local: ["scale": .double(5)]))
    #expect(try phone.value("scale") == .double(5))
    #expect(
      try phone.settings.snapshot().value(of: "scale", on: phone.settings.machine)?.origin == .local
    )
    #expect(SettingCondition("os") == nil && SettingCondition("color=red") == nil)
  }
}
