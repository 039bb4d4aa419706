import SyncKitFormats
import Testing

/// Nothing of a person's file is lost, and one file or key stops no other.
struct SettingsFileSafetyTests {
  private static let app = ["--namespace", "com.example.app"]

  private func run(_ device: TestDevice, _ words: String...) async throws -> CommandRunner.Outcome {
    try await device.run(["settings"] + words + Self.app)
  }

  @Test func `comments, words and numbers of other keys stay when one is written`() async throws {
    let device = try TestDevice()
    let texts = [
      (
        "a.json", "// mine\n{\"id\": 12345678901234567890, \"size\": 12,}\n",
        "// mine\n{\"id\": 12345678901234567890, \"size\": 13,}\n"
      ),
      (
        "b.yaml", "enabled: yes # on\nold: 0777\nsize: 12\n",
        "enabled: yes # on\nold: 0777\nsize: 13\n"
      ),
      (
        "c.toml", "# mine\nbig = 1_000\nsize = 12 # px\n",
        "# mine\nbig = 1_000\nsize = 13 # px\n"
      ),
    ]
    for (name, before, after) in texts {
      let file = device.path(name)
      try Files.write(Array(before.utf8), to: file)
      let space = ["--namespace", name]
      try #require(try await device.run(["settings", "capture", file] + space).status == 0)
      _ = try await device.run(["settings", "put", "size", "13"] + space)
      let applied = try await device.run(["settings", "apply", file] + space)
      #expect(applied.status == 0, "\(applied.error)")
      #expect(try Files.text(file) == after)
    }
  }

  @Test func `a list shows digits and words as the file has them`() async throws {
    let device = try TestDevice()
    let file = device.path("app.yaml")
    try Files.write(Array("big: 12345678901234567890123\nenabled: yes\n".utf8), to: file)
    try #require(try await run(device, "capture", file).status == 0)
    let list = try await device.run("settings", "list")
    #expect(list.output.contains(" 12345678901234567890123 "), "\(list.output)")
    #expect(list.output.contains(" yes "), "\(list.output)")
    #expect(!list.output.contains("$"), "\(list.output)")
  }

  @Test func `a tracked file that is not there stops no other, and is made with its folder`()
    async throws
  {
    let device = try TestDevice()
    let (there, missing) = (device.path("there.json"), device.path("new/folder/app.json"))
    try Files.write(Array(#"{"size": 77}"#.utf8), to: there)
    try Files.write(
      Array(
        """
        version: 1
        domains:
          settings:
            track:
              first: { namespace: com.example.first, path: "\(missing)" }
              second: { namespace: com.example.second, path: "\(there)" }
        """.utf8), to: device.path("config.yaml"))
    let config = ["--config", device.path("config.yaml")]
    let captured = try await device.run(["settings", "capture", "--json"] + config)
    #expect(captured.status == 0, "\(captured.error)")
    #expect(captured.document["added"]?.int == 1)
    #expect(captured.document["warnings"]?.array?.count == 1)
    let put = ["settings", "put", "font", "Menlo", "--namespace", "com.example.first"]
    try #require(try await device.run(put + config).status == 0)
    let applied = try await device.run(["settings", "apply"] + config)
    #expect(applied.status == 0, "\(applied.error)")
    #expect(try JSON(parsing: Files.text(missing)) == ["font": "Menlo"])
    // One that cannot be read stops no other either, and the status says so.
    try Files.write(Array("{".utf8), to: missing)
    try Files.write(Array(#"{"size": 78}"#.utf8), to: there)
    let partial = try await device.run(["settings", "capture", "--json"] + config)
    expectFailure(partial, 3, "records.partial")
    #expect(partial.document["changed"]?.int == 1)
  }

  @Test func `the first state of a file is kept for good, and revert puts one back`() async throws {
    let device = try TestDevice()
    let file = device.path("app.json")
    let original = "{\n  \"size\": 1 // mine\n}\n"
    try Files.write(Array(original.utf8), to: file)
    _ = try await run(device, "capture", file)
    for size in 2...4 {
      _ = try await run(device, "put", "size", "\(size)")
      try #require(try await run(device, "apply", file).status == 0)
    }
    #expect(try Files.text("\(file).before-cloudsync") == original)
    #expect(try Files.text("\(file).before-cloudsync.1").contains("\"size\": 3 // mine"))
    #expect(try Files.text("\(file).before-cloudsync.2").contains("\"size\": 2 // mine"))
    let reverted = try await device.run("settings", "revert", file, "--json")
    #expect(reverted.status == 0)
    expectKeys(reverted.document, "cloudsync.settings.revert/1", "path", "from", "backup", "states")
    #expect(try Files.text(file).contains("\"size\": 3 // mine"))
    #expect(try await device.run("settings", "revert", file).status == 0)
    #expect(try Files.text(file).contains("\"size\": 4 // mine"))
    #expect(try await device.run("settings", "revert", file, "--original").status == 0)
    #expect(try Files.text(file) == original)
    let none = try await device.run("settings", "revert", device.path("none.json"), "--json")
    expectFailure(none, 66, "input.missing")
  }

  @Test func `a key that cannot be written alone is refused, and the others are written`()
    async throws
  {
    let device = try TestDevice()
    let file = device.path("app.yaml")
    try Files.write(Array("base: &base 1\nuse: *base\nsize: 1\n".utf8), to: file)
    _ = try await run(device, "capture", file)
    _ = try await run(device, "put", "base", "2")
    _ = try await run(device, "put", "size", "2")
    let applied = try await run(device, "apply", file, "--json")
    expectFailure(applied, 3, "records.partial")
    #expect(applied.document["files"]?[0]?["written"] == ["size"])
    #expect(applied.document["files"]?[0]?["refused"]?[0]?["key"]?.string == "base")
    #expect(try Files.text(file) == "base: &base 1\nuse: *base\nsize: 2\n")
  }
}
