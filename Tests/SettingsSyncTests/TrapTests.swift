import SyncKit
import SyncKitTesting
import Testing

@testable import SettingsSync

/// Mistakes of programs that synced settings key by key through a cloud store; none may happen here.
struct TrapTests {
  private let remote = InMemoryTransport()

  private func devices(
    declaring declaration: SettingsDeclaration? = TightFive.declaration
  ) async throws -> (phone: Owner, tablet: Owner) {
    let clock = VirtualClock()
    let phone = try Owner("phone", meeting: remote, clock: clock, declaring: declaration)
    let tablet = try Owner("tablet", meeting: remote, clock: clock)
    try await sync(phone, tablet)
    return (phone, tablet)
  }

  @Test func `S1 the last change of a burst is flushed, however early it comes`() {
    var pacer = FlushPacer(debounce: 500, interval: 1_000)
    pacer.change(at: 0)
    expect(pacer.flush(at: 500))
    // A change within the interval: a throttle that drops would never flush it.
    pacer.change(at: 600)
    expect(!pacer.flush(at: 1_100))
    #expect(pacer.due == 1_500)
    expect(pacer.flush(at: 1_500))
    #expect(pacer.due == nil)
  }

  @Test func `S2 an older value from elsewhere does not overwrite a newer one`() async throws {
    let (phone, tablet) = try await devices()
    try phone.set("appFont", .string("Georgia"))
    try tablet.set("appFont", .string("Menlo"))
    try await sync(tablet, phone, tablet)
    for owner in [phone, tablet] { #expect(try owner.value("appFont") == .string("Menlo")) }
    // Reading writes nothing: the next run is quiet.
    #expect(try await phone.engine.syncNow().pushed == 0)
    #expect(try agree(phone, tablet))
  }

  @Test func `S3 types survive migration: a bool stays one, and so do 1 and 1,0`() async throws {
    let (phone, tablet) = try await devices(declaring: nil)
    try phone.capture(#"{"a": true, "b": 1, "c": 1.0, "d": "1", "e": 0, "f": false}"#)
    try await sync(phone, tablet)
    let wanted: [String: SettingValue] = [
      "a": .bool(true), "b": .int(1), "c": .double(1), "d": .string("1"), "e": .int(0),
      "f": .bool(false),
    ]
    #expect(try tablet.synced == wanted)
    var file = SettingsFile(format: .plist)
    _ = try tablet.settings.apply(to: &file, source: "app")
    #expect(file.values == wanted)
  }

  @Test func `S4 a value of 0 that was set is not taken for unset, and unset not for 0`()
    async throws
  {
    let (phone, tablet) = try await devices()
    try phone.capture(
      """
      {"appGritLevel": 0.0, "appGritLevelHasBeenSet": true, "backgroundCloudCount": 0,
       "backgroundDustCount": 0, "backgroundDustCountHasBeenSet": false}
      """)
    try await sync(phone, tablet)
    #expect(try tablet.value("appGritLevel") == .double(0))
    #expect(try tablet.value("appGritLevelHasBeenSet") == .bool(true))
    #expect(try tablet.value("backgroundCloudCount") == .int(80))
    #expect(try tablet.value("backgroundDustCount") == .int(800))
    #expect(try tablet.value("backgroundDustCountHasBeenSet") == .bool(false))
    #expect(try tablet.synced == ["appGritLevel": .double(0)])
    var file = SettingsFile(format: .json)
    _ = try tablet.settings.apply(to: &file, source: "app")
    #expect(file.values == ["appGritLevel": .double(0), "appGritLevelHasBeenSet": .bool(true)])
  }

  @Test func `S5 a reset reaches every device, and an old file does not undo it`() async throws {
    let (phone, tablet) = try await devices()
    let old = #"{"appFont": "Georgia", "accessibilityBoldText": true}"#
    try phone.capture(old)
    try await sync(phone, tablet)
    try tablet.capture(old)
    try tablet.settings.reset("appFont")
    try await sync(tablet, phone)
    #expect(try phone.synced == ["accessibilityBoldText": .bool(true)])
    #expect(try phone.value("appFont") == .string("system"))
    // The app on the phone does not know yet: its file still has the old value.
    for _ in 0..<2 {
      try phone.capture(old)
      try await sync(phone, tablet)
      #expect(try tablet.synced == ["accessibilityBoldText": .bool(true)])
    }
    var file = try SettingsFile(Array(old.utf8), named: "json")
    _ = try phone.settings.apply(to: &file, source: "app")
    #expect(file.values == ["accessibilityBoldText": .bool(true)])
  }

  @Test func `S6 another account's remote gets nothing and gives nothing, and the app hears why`()
    async throws
  {
    let (phone, _) = try await devices()
    try phone.set("appFont", .string("Menlo"))
    try await sync(phone)
    let other = InMemoryTransport()
    let stranger = try Owner("stranger", meeting: other)
    try stranger.set("appFont", .string("Courier"))
    try await sync(stranger)
    let engine = SyncEngine(
      store: phone.store,
      remotes: [Remote("memory", location: "memory:", transport: other)])
    var events = phone.store.events.makeAsyncIterator()
    let outcomes = await engine.sync()
    #expect(outcomes.map(\.error?.code.exit) == [77])
    var reasons: [SettingsChange.Reason] = []
    while let event = await events.next() {
      if let change = try phone.store.settingsChange(event) { reasons.append(change.reason) }
      if case .failed = event { break }
    }
    #expect(reasons == [.accountChange])
    #expect(try phone.value("appFont") == .string("Menlo"))
    try await sync(stranger)
    #expect(try stranger.value("appFont") == .string("Courier"))
  }

  @Test func `S7 nothing is flushed before the first download is done`() {
    var pacer = FlushPacer(debounce: 500, interval: 1_000, awaitsDownload: true)
    pacer.change(at: 0)
    #expect(pacer.due == nil)
    expect(!pacer.flush(at: 60_000, isForced: true))
    pacer.downloaded()
    #expect(pacer.due == 500)
    expect(pacer.flush(at: 60_000))
  }

  @Test func `S7 a first download is told apart from changes by other devices`() async throws {
    let clock = VirtualClock()
    let phone = try Owner("phone", meeting: remote, clock: clock)
    try phone.set("appFont", .string("Menlo"))
    try await sync(phone)
    let tablet = try Owner("tablet", meeting: remote, clock: clock)
    var events = tablet.store.events.makeAsyncIterator()
    try await sync(tablet)
    try phone.set("appFont", .string("Georgia"))
    try await sync(phone, tablet)
    var changes: [SettingsChange] = []
    while changes.count < 2, let event = await events.next() {
      if let change = try tablet.store.settingsChange(event) { changes.append(change) }
    }
    #expect(changes.map(\.reason) == [.initialSync, .serverChange])
    #expect(changes.allSatisfy { $0.keys == [Owner.app: ["appFont"]] })
  }

  @Test func `S8 reading has no side effects`() async throws {
    let (phone, tablet) = try await devices()
    try phone.set("appFont", .string("Menlo"))
    try await sync(phone, tablet)
    let before = try tablet.store.verify().map(\.digest)
    for key in TightFive.declaration.settings.keys { _ = try tablet.value(key) }
    _ = try tablet.settings.differences(of: SettingsFile(format: .json), source: "app")
    #expect(try tablet.store.verify().map(\.digest) == before)
    #expect(try await tablet.engine.syncNow().pushed == 0)
  }

  @Test func `S9 concurrent changes of different keys both survive`() async throws {
    let (phone, tablet) = try await devices()
    try phone.set("appFont", .string("Menlo"))
    try tablet.set("appFontColorHex", .string("#000000"))
    try await sync(phone, tablet, phone)
    for owner in [phone, tablet] {
      #expect(
        try owner.synced == [
          "appFont": .string("Menlo"), "appFontColorHex": .string("#000000"),
        ])
      #expect(try owner.store.conflicts().isEmpty)
    }
    #expect(try agree(phone, tablet))
  }

  @Test func `S9 a theme and its colours are never torn apart`() async throws {
    let (phone, tablet) = try await devices()
    try phone.capture(
      ##"{"tileCardTheme": "custom", "tileCardCustomColorHex": "#111111", "tileCardGritEnabled": false}"##
    )
    try tablet.capture(
      ##"{"tileCardTheme": "custom", "tileCardCustomColorHex": "#222222"}"##)
    try await sync(phone, tablet, phone)
    for owner in [phone, tablet] {
      #expect(
        try owner.synced == [
          "tileCardTheme": .string("custom"), "tileCardCustomColorHex": .string("#222222"),
        ])
      let conflict = try #require(try owner.store.conflicts().first)
      #expect(conflict.key.id == "tileCard" && conflict.field == "value")
      #expect(conflict.candidates.count == 2)
    }
    #expect(try agree(phone, tablet))
  }
}
