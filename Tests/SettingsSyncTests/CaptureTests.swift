import SyncKit
import SyncKitTesting
import Testing

@testable import SettingsSync

/// Capturing an app's file, and writing it.
struct CaptureTests {
  private let remote = InMemoryTransport()

  @Test func `a captured default is unset, and so is what goes back to it`() throws {
    let owner = try Owner("phone", meeting: remote, declaring: TightFive.declaration)
    try owner.capture(#"{"appFont": "system", "accessibilityBoldText": true}"#)
    #expect(try owner.synced == ["accessibilityBoldText": .bool(true)])
    try owner.capture(#"{"appFont": "Menlo", "accessibilityBoldText": false}"#)
    #expect(try owner.synced == ["appFont": .string("Menlo")])
    try owner.capture(#"{}"#)
    #expect(try owner.synced == [:])
  }

  @Test func `the same file again changes nothing`() throws {
    let owner = try Owner("phone", meeting: remote)
    let text = #"{"a": 1, "b": {"$date": "2026-11-21T08:00:00Z"}}"#
    try owner.capture(text)
    let digest = try owner.store.verify().map(\.digest)
    let plan = try owner.capture(text)
    #expect(plan.edits.isEmpty && plan.localEdits.isEmpty)
    #expect(try owner.store.verify().map(\.digest) == digest)
  }

  @Test func `a second file of an app resets nothing of the first`() throws {
    let owner = try Owner("phone", meeting: remote)
    try owner.capture(#"{"a": 1}"#, from: "one")
    try owner.capture(#"{"b": 2}"#, from: "two")
    #expect(try owner.synced == ["a": .int(1), "b": .int(2)])
    try owner.capture(#"{}"#, from: "one")
    #expect(try owner.synced == ["b": .int(2)])
  }

  @Test func `a first migration goes both ways, and again it does nothing`() async throws {
    let clock = VirtualClock()
    let phone = try Owner("phone", meeting: remote, clock: clock)
    try phone.capture(#"{"font": "Menlo", "size": 14}"#)
    let tablet = try Owner("tablet", meeting: remote, clock: clock)
    try await sync(phone, tablet)
    var file = try SettingsFile(Array(#"{"size": 12, "sound": true}"#.utf8), named: "json")
    for round in 0..<3 {
      let plan = try tablet.settings.capture(file, from: "app", precedence: .store)
      #expect(plan.edits.keys.sorted() == (round == 0 ? ["sound"] : []))
      let applied = try tablet.settings.apply(to: &file, source: "app", isForced: true)
      #expect(applied.edits.keys.sorted() == (round == 0 ? ["font", "size"] : []))
      try tablet.settings.noteApplied(applied, file: file, source: "app")
    }
    let wanted: [String: SettingValue] = [
      "font": .string("Menlo"), "size": .int(14), "sound": .bool(true),
    ]
    #expect(file.values == wanted)
    try await sync(tablet, phone)
    #expect(try phone.synced == wanted)
  }

  @Test func `changes of the app since the last capture are not overwritten`() throws {
    let owner = try Owner("phone", meeting: remote)
    try owner.capture(#"{"font": "Menlo", "size": 14}"#)
    try owner.set("font", .string("Georgia"))
    try owner.set("size", .int(15))
    var file = try SettingsFile(Array(#"{"font": "Courier", "size": 14}"#.utf8), named: "json")
    let differences = try owner.settings.differences(of: file, source: "app")
    #expect(differences.map(\.key) == ["font", "size"])
    #expect(differences.map(\.changed) == [.both, .stored])
    let plan = try owner.settings.apply(to: &file, source: "app")
    #expect(plan.unseen == ["font"])
    #expect(file.values == ["font": .string("Courier"), "size": .int(15)])
    try owner.settings.noteApplied(plan, file: file, source: "app")
    #expect(try owner.settings.differences(of: file, source: "app").map(\.changed) == [.both])
    _ = try owner.settings.apply(to: &file, source: "app", isForced: true)
    #expect(file["font"] == .string("Georgia"))
  }

  @Test func `a value that the app does not allow is refused by its key`() throws {
    let owner = try Owner("phone", meeting: remote, declaring: TightFive.declaration)
    let plan = try owner.capture(##"{"appFont": "Comic", "appFontColorHex": "#000000"}"##)
    #expect(plan.refused.map(\.key) == ["appFont"])
    #expect(try owner.synced == ["appFontColorHex": .string("#000000")])
    #expect(throws: SyncError.self) { try owner.set("appFont", .int(1)) }
  }

  @Test func `values that were stored key by key move into a group when it is declared`()
    async throws
  {
    let clock = VirtualClock()
    let phone = try Owner("phone", meeting: remote, clock: clock)
    let tablet = try Owner("tablet", meeting: remote, clock: clock)
    try phone.set("tileCardTheme", .string("custom"))
    try phone.set("appFont", .string("system"))
    try await sync(phone, tablet)
    try phone.store.declare(TightFive.declaration, for: Owner.app)
    // The other device does not know the group yet.
    try tablet.set("tileCardCustomColorHex", .string("#111111"))
    try await sync(phone, tablet, phone)
    let wanted: [String: SettingValue] = [
      "tileCardTheme": .string("custom"), "tileCardCustomColorHex": .string("#111111"),
    ]
    for owner in [phone, tablet] { #expect(try owner.synced == wanted) }
    try phone.set("tileCardGritEnabled", .bool(false))
    try await sync(phone, tablet)
    let records = try tablet.store.records("setting")
    #expect(records.map(\.key.id) == ["tileCard"])
    #expect(records.first?["type"].string == "group")
    #expect(try tablet.synced.count == 3)
    #expect(try agree(phone, tablet))
  }
}
