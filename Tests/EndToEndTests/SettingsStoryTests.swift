import SyncKitFormats
import Testing

/// Settings of one app on two devices that share a folder.
struct SettingsStoryTests {
  private static let app = ["--namespace", "com.example.app"]

  private func value(_ key: String, on device: TestDevice) async throws -> JSON? {
    let outcome = try await device.run(["settings", "get", key, "--json"] + Self.app)
    return outcome.status == 0 ? outcome.document["value"] : nil
  }

  private func put(_ key: String, _ value: String, on device: TestDevice) async throws {
    let outcome = try await device.run(["settings", "put", key, value] + Self.app)
    try #require(outcome.status == 0, "\(outcome.error)")
  }

  @Test func `a value put on one device is read on the other, with its type`() async throws {
    let devices = try await TwoDevices()
    for (key, text) in [("count", "1"), ("level", "1.0"), ("isOn", "true"), ("zip", "01234")] {
      try await put(key, text, on: devices.first)
    }
    try await devices.sync()
    let wanted: [(String, JSON)] = [
      ("count", 1), ("level", .double(1)), ("isOn", true), ("zip", "01234"),
    ]
    for (key, json) in wanted { #expect(try await value(key, on: devices.second) == json) }
    let document = try await devices.second.json(
      "settings", "get", "level", "--namespace", "com.example.app")
    expectKeys(document, "cloudsync.settings.get/1", "namespace", "key", "origin", "modified")
    #expect(document["type"]?.string == "double")
    #expect(document["device"]?["name"]?.string == "laptop")
    let records = try await devices.second.json("settings", "list")["records"]?.array ?? []
    #expect(records.map { $0["id"]?.string } == ["count", "isOn", "level", "zip"])
    #expect(records.map { $0["fields"]?["type"]?.string } == ["int", "bool", "double", "string"])
    #expect(records.allSatisfy { $0["parent"]?.string == "namespace/com.example.app" })
  }

  @Test func `concurrent changes of different keys both survive`() async throws {
    let devices = try await TwoDevices()
    try await put("font", "Menlo", on: devices.first)
    try await devices.sync()
    try await put("font", "Georgia", on: devices.first)
    try await put("color", "#000000", on: devices.second)
    try await devices.sync()
    for device in [devices.first, devices.second] {
      #expect(try await value("font", on: device) == "Georgia")
      #expect(try await value("color", on: device) == "#000000")
    }
    #expect(try await devices.first.json("conflicts", "list")["conflicts"]?.array == [])
  }

  @Test func `a theme and its colours are not torn apart`() async throws {
    let devices = try await TwoDevices()
    try Files.write(
      Array(
        """
        {"keys": {"theme": {"type": "string", "default": "dark"},
                  "frame": {"type": "string", "format": "color"},
                  "back": {"type": "string", "format": "color"}},
         "groups": {"look": ["theme", "frame", "back"]}}
        """.utf8), to: devices.first.path("app.json"))
    let declared = try await devices.first.run(
      "settings", "namespace", "declare", "com.example.app", devices.first.path("app.json"))
    try #require(declared.status == 0, "\(declared.error)")
    try await devices.sync()
    let files = [
      (devices.first, ##"{"theme": "custom", "frame": "#111111", "back": "#111111"}"##),
      (devices.second, ##"{"theme": "custom", "frame": "#222222"}"##),
    ]
    for (device, text) in files {
      try Files.write(Array(text.utf8), to: device.path("settings.json"))
      let captured = try await device.run(
        ["settings", "capture", device.path("settings.json"), "--json"] + Self.app)
      try #require(captured.status == 0, "\(captured.error)")
      #expect(captured.document["added"]?.int == 1)
    }
    try await devices.sync()
    let frames = [
      try await value("frame", on: devices.first), try await value("frame", on: devices.second),
    ]
    #expect(frames[0] == frames[1])
    let back = try await value("back", on: devices.first)
    #expect(frames[0] == "#111111" ? back == "#111111" : back == nil)
    let conflicts = try await devices.second.json("conflicts", "list")["conflicts"]?.array ?? []
    #expect(conflicts.map { $0["id"]?.string } == ["settings/setting/look/value"])
    #expect(conflicts.first?["decision"]?.string == "settled")
  }

  @Test func `a reset reaches the other device and its file, and undo brings it back`()
    async throws
  {
    let devices = try await TwoDevices()
    let second = devices.second
    let file = second.path("app.plist")
    try await put("font", "Menlo", on: devices.first)
    try await put("size", "14", on: devices.first)
    try await devices.sync()
    try #require(
      try await second.run(["settings", "apply", file] + Self.app).status == 0)
    #expect(try Files.text(file).contains("<string>Menlo</string>"))
    let reset = try await devices.first.run(["settings", "reset", "font", "--json"] + Self.app)
    try #require(reset.status == 0)
    try await devices.sync()
    // The other device's file is old now: capturing it brings nothing back.
    let captured = try await second.run(["settings", "capture", file, "--json"] + Self.app)
    #expect(captured.document.counts == [0, 0, 0, 2])
    try #require(try await second.run(["settings", "apply", file] + Self.app).status == 0)
    #expect(try !Files.text(file).contains("Menlo") && Files.text(file).contains("<integer>14"))
    #expect(try Files.text("\(file).before-cloudsync").contains("Menlo"))
    #expect(try await value("font", on: second) == nil)
    let batch = try #require(reset.document["batch"]?.string)
    try #require(try await second.run("undo", batch).status == 0)
    try await devices.sync()
    #expect(try await value("font", on: devices.first) == "Menlo")
  }

  @Test func `the history says which device changed what, and when`() async throws {
    let devices = try await TwoDevices()
    try await put("font", "Menlo", on: devices.first)
    try await devices.sync()
    try await put("font", "Georgia", on: devices.second)
    try await devices.sync()
    let batches =
      try await devices.first.json("settings", "history", "--record", "font")["batches"]?.array
      ?? []
    #expect(batches.map { $0["device"]?.string } == ["phone", "laptop"])
    let change = try #require(batches.first?["changes"]?[0])
    #expect(change["from"]?["value"] == "Menlo" && change["to"]?["value"] == "Georgia")
  }

  @Test func `a reset of sync loses nothing and needs no repair`() async throws {
    let devices = try await TwoDevices()
    try await put("font", "Menlo", on: devices.first)
    try await devices.sync()
    try await put("size", "14", on: devices.first)
    let reset = try await devices.first.json("settings", "reset-sync")
    #expect(reset["remotes"] == ["folder"])
    try await devices.sync()
    #expect(try await value("font", on: devices.first) == "Menlo")
    #expect(try await value("size", on: devices.second) == 14)
    let quiet = try await devices.first.json("settings", "sync")
    #expect(quiet["jobs"]?.array?.allSatisfy { $0["pushed"] == 0 && $0["pulled"] == 0 } == true)
  }
}
