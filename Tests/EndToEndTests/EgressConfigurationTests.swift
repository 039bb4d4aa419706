import SyncKitFormats
import Testing

/// The data that the configuration keeps on a device, seen from another one.
struct EgressConfigurationTests {
  private func configure(_ device: TestDevice, _ key: String, _ value: String) async throws {
    let outcome = try await device.run("config", "set", key, value)
    try #require(outcome.status == 0, "\(outcome.error)")
  }

  private func keys(_ device: TestDevice) async throws -> [String] {
    try await device.json("settings", "list")["records"]?.array?.compactMap { $0["id"]?.string }
      ?? []
  }

  @Test func `an excluded key stays here, whichever verb writes it`() async throws {
    let two = try await TwoDevices()
    try await configure(two.first, "domains.settings.exclude", "[\"window.*\"]")
    _ = try await two.first.json("settings", "put", "theme", "dark")
    let put = try await two.first.json("settings", "put", "window.width", "1280")
    #expect(put["warnings"]?.array?.count == 1)
    let refused = try await two.first.run(
      "settings", "add", "window.height", "type=int", "value=4711", "--parent", "namespace/default",
      "--json")
    expectFailure(refused, 77, "egress.denied")
    try await two.sync()
    #expect(try await keys(two.second) == ["theme"])
    #expect(try await keys(two.first) == ["theme"])
    #expect(
      try await two.first.json("settings", "get", "window.width")["value"]?.int == 1280)
  }

  @Test func `a key that is excluded after it was written waits, and is sent once it may be`()
    async throws
  {
    let two = try await TwoDevices()
    _ = try await two.first.json("settings", "put", "window.width", "1280")
    _ = try await two.first.json("airports", "add", "ZRH", "LSZH")
    try await configure(two.first, "domains.settings.exclude", "[\"window.*\"]")
    let outcome = try await two.first.run("sync", "--json")
    expectFailure(outcome, 77, "egress.denied")
    #expect(try await two.second.run("sync").status == 0)
    #expect(try await keys(two.second).isEmpty)
    #expect(try await two.second.codes() == ["ZRH": "LSZH"])
    try await configure(two.first, "domains.settings.exclude", "[\"frame.*\"]")
    try await two.sync()
    #expect(try await keys(two.second) == ["window.width"])
    #expect(try await two.first.digest() == two.second.digest())
  }

  @Test func `a namespace starts again without the excluded keys`() async throws {
    let two = try await TwoDevices()
    for (key, value) in [("window.width", "1280"), ("theme", "dark")] {
      _ = try await two.first.json("settings", "put", key, value)
    }
    try await configure(two.first, "domains.settings.exclude", "[\"window.*\"]")
    #expect(try await two.first.run("sync").status == 77)
    _ = try await two.first.json("settings", "put", "window.width", "1280", "--here")
    _ = try await two.first.json("settings", "scope", "namespace/default", "local")
    _ = try await two.first.json("settings", "rm", "window.width")
    _ = try await two.first.json("settings", "scope", "namespace/default", "synced")
    try await two.sync()
    #expect(try await keys(two.second) == ["theme"])
    #expect(
      try await two.first.json("settings", "get", "window.width")["value"]?.int == 1280)
  }

  @Test func `an excluded list stays, and include chooses in the same way`() async throws {
    let two = try await TwoDevices()
    for name in ["Films", "Secrets"] {
      _ = try await two.first.json("media", "lists", "--add", name)
    }
    func lists(_ device: TestDevice) async throws -> [String: String] {
      let lists = try await device.json("media", "lists")["lists"]?.array ?? []
      return Dictionary(
        lists.map { ($0["name"]?.string ?? "", $0["id"]?.string ?? "") }, uniquingKeysWith: { $1 })
    }
    let secret = try #require(try await lists(two.first)["Secrets"])
    try await configure(two.first, "domains.media.exclude", "[\"\(secret)\"]")
    _ = try await two.first.json("media", "add", "Alien", "--list", "Secrets")
    try await two.sync()
    #expect(try await lists(two.second).keys.sorted() == ["Films"])
    #expect(try await two.first.run("status", "media", "--check").status == 0)
    try await configure(two.first, "domains.media.exclude", "[\"none\"]")
    try await configure(two.first, "domains.media.include", "[\"\(secret)\"]")
    try await two.sync()
    #expect(try await lists(two.second).keys.sorted() == ["Films", "Secrets"])
  }

  @Test func `patterns that can match nothing are an error`()
    async throws
  {
    let device = try TestDevice()
    try Files.write(
      Array("version: 1\ndomains:\n  airports: { exclude: [\"X*\"] }\n".utf8),
      to: device.path("c.yaml"))
    let outcome = try await device.run("status", "--json", "--config", device.path("c.yaml"))
    expectFailure(outcome, 78, "config.invalid")
    #expect(outcome.failure["message"]?.string?.contains("c.yaml:3:24") == true)
  }
}
