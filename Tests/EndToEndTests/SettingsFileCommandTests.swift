import SyncKitFormats
import Testing

/// Files of apps: captured, compared, written.
struct SettingsFileCommandTests {
  private static let app = ["--namespace", "com.example.app"]

  private func device(_ text: String, _ name: String = "app.json") async throws -> TestDevice {
    let device = try TestDevice()
    try Files.write(Array(text.utf8), to: device.path(name))
    return device
  }

  private func run(_ device: TestDevice, _ words: String...) async throws -> CommandRunner.Outcome {
    try await device.run(["settings"] + words + Self.app)
  }

  @Test func `a setting keeps the type that its app gave it`() async throws {
    let device = try TestDevice()
    let app = ["--namespace", "app"]
    let file = device.path("app.json")
    try Files.write(
      Array("{\"port\": \"8080\", \"ratio\": 1.0, \"flag\": \"yes\", \"n\": 1}".utf8), to: file)
    _ = try await device.json(["settings", "capture", file] + app)
    let port = try await device.json(["settings", "put", "port", "9090"] + app)
    #expect(
      port["notes"] == ["'port' is of type string and stays so; --type int changes it"])
    _ = try await device.json(["settings", "put", "ratio", "2"] + app)
    _ = try await device.json(["settings", "put", "flag", "true"] + app)
    let number = try await device.json(["settings", "put", "n", "1.5"] + app)
    #expect(number["notes"] == nil)
    _ = try await device.json(["settings", "apply", file] + app)
    #expect(
      try Files.text(file) == "{\"port\": \"9090\", \"ratio\": 2.0, \"flag\": \"true\", \"n\": 1.5}"
    )
    // Nothing is lost, and what is plainly another type is one.
    let long = try await device.json(["settings", "put", "ratio", "9007199254740993"] + app)
    #expect(long["notes"] == nil)
    _ = try await device.json(["settings", "put", "flag", "[1, 2]"] + app)
    _ = try await device.json(["settings", "put", "port", "1", "--type", "int"] + app)
    _ = try await device.json(["settings", "apply", file] + app)
    let text = try Files.text(file)
    #expect(text.hasPrefix("{\"port\": 1, \"ratio\": 9007199254740993, \"flag\": ["))
  }

  @Test func `a file is compared, captured and written`() async throws {
    let device = try await device(#"{"font": "Menlo", "size": 14, "isOn": true}"#)
    let file = device.path("app.json")
    #expect(try await run(device, "diff", file, "--check").status == 2)
    let rehearsal = try await run(device, "capture", file, "--json", "--dry-run")
    #expect(rehearsal.document.counts == [3, 0, 0, 0])
    #expect(rehearsal.document["batch"] == .null)
    #expect(rehearsal.document["plan"]?.array?.isEmpty == false)
    let captured = try await run(device, "capture", file, "--json")
    expectKeys(captured.document, "cloudsync.settings.capture/1", "batch", "warnings", "errors")
    #expect(captured.document.counts == [3, 0, 0, 0])
    #expect(try await run(device, "diff", file, "--check").status == 0)
    _ = try await run(device, "put", "font", "Georgia")
    let diff = try await run(device, "diff", file, "--json", "--check")
    #expect(diff.status == 2)
    let difference = try #require(diff.document["differences"]?[0])
    #expect(difference["key"]?.string == "font" && difference["changed"]?.string == "stored")
    #expect(difference["stored"] == ["type": "string", "value": "Georgia"])
    let before = try Files.text(file)
    let plan = try await run(device, "apply", file, "--json", "-n")
    #expect(plan.document["files"]?[0]?["written"] == ["font"])
    #expect(try Files.text(file) == before)
    let applied = try await run(device, "apply", file, "--json")
    #expect(applied.status == 0)
    expectKeys(applied.document, "cloudsync.settings.apply/1", "files")
    #expect(try Files.text("\(file).before-cloudsync") == before)
    #expect(
      try JSON(parsing: Files.text(file)) == ["font": "Georgia", "size": 14, "isOn": true])
    #expect(Files.mode(file) == 0o600)
  }

  @Test func `changes of the app are left alone until they are captured or overwritten`()
    async throws
  {
    let device = try await device(#"{"font": "Menlo"}"#)
    let file = device.path("app.json")
    _ = try await run(device, "capture", file)
    _ = try await run(device, "put", "font", "Georgia")
    try Files.write(Array(#"{"font": "Courier"}"#.utf8), to: file)
    let refused = try await run(device, "apply", file, "--json")
    expectFailure(refused, 3, "records.partial")
    #expect(refused.document["files"]?[0]?["unseen"] == ["font"])
    #expect(try Files.text(file) == #"{"font": "Courier"}"#)
    #expect(try await run(device, "apply", file, "--force").status == 0)
    #expect(try JSON(parsing: Files.text(file)) == ["font": "Georgia"])
  }

  @Test func `secrets stay on this device and are never shown unasked`() async throws {
    let devices = try await TwoDevices()
    let canary = "canary-4711-hunter2"
    try Files.write(
      Array(#"{"font": "Menlo", "apiToken": "\#(canary)"}"#.utf8),
      to: devices.first.path("app.json"))
    let file = devices.first.path("app.json")
    let scanned = try await run(devices.first, "secrets", "scan", file, "--check", "--json")
    #expect(scanned.status == 2 && !scanned.output.contains(canary))
    #expect(scanned.document["secrets"]?[0]?["key"]?.string == "apiToken")
    let captured = try await run(devices.first, "capture", file, "--json")
    #expect(captured.document["warnings"]?.array?.count == 1)
    for outcome in [
      captured, try await run(devices.first, "dump"), try await run(devices.first, "diff", file),
      try await run(devices.first, "list", "--json"),
      try await run(devices.first, "secrets", "scan", "--check"),
    ] {
      #expect(outcome.status == 0 && !outcome.output.contains(canary))
      #expect(!outcome.error.contains(canary))
    }
    #expect(try await run(devices.first, "dump", "--show-secrets").output.contains(canary))
    try await devices.sync()
    #expect(try await run(devices.second, "get", "apiToken").status == 66)
    #expect(try await run(devices.first, "get", "apiToken").output == "\(canary)\n")
  }

  @Test func `values that are not allowed are refused with their keys, and nothing is written`()
    async throws
  {
    let device = try await device(#"{"font": "Comic", "size": 14}"#)
    let declaration = #"{"keys": {"font": {"type": "string", "choices": ["Menlo"]}}}"#
    try #require(
      try await device.run(
        "settings", "namespace", "declare", "com.example.app", "-", "--format", "json",
        input: declaration
      ).status == 0)
    let file = device.path("app.json")
    let refused = try await run(device, "capture", file, "--json")
    expectFailure(refused, 65, "input.invalid")
    #expect(refused.document["errors"]?[0]?["column"]?.string == "font")
    #expect(try await run(device, "get", "size").status == 66)
    let partial = try await run(device, "capture", file, "--skip-bad", "--json")
    expectFailure(partial, 3, "records.partial")
    #expect(try await run(device, "get", "size").output == "14\n")
    expectFailure(try await run(device, "put", "font", "Comic", "--json"), 65, "input.invalid")
  }

  @Test(arguments: [
    "", "{", "[1]", "not a format at all", "bplist00", "<?xml version=\"1.0\"?><plist>",
    #"{"a": 1, "a": 2}"#,
  ])
  func `an unreadable file is bad data, and nothing is written`(text: String) async throws {
    let device = try TestDevice()
    for words in [["capture", "-"], ["diff", "-"], ["apply", "-"], ["secrets", "scan", "-"]] {
      let outcome = try await device.run(
        ["settings"] + words + ["--json"] + (words[0] == "apply" ? [] : Self.app), input: text)
      #expect(outcome.status == 65, "\(words): \(outcome.error)")
    }
    #expect(try await device.json("settings", "list")["records"] == [])
  }

  @Test func `tracked files need no arguments, and a migration goes both ways`() async throws {
    let device = try await device("size: 12\nsound: true\n", "app.yaml")
    try Files.write(
      Array(
        """
        version: 1
        domains:
          settings:
            exclude: ["*.local"]
            track:
              app: { namespace: com.example.app, path: "\(device.path("app.yaml"))" }
        """.utf8), to: device.path("config.yaml"))
    let config = ["--config", device.path("config.yaml")]
    func settings(_ words: String...) async throws -> CommandRunner.Outcome {
      try await device.run(["settings"] + words + config)
    }
    _ = try await settings("put", "size", "14", "--namespace", "com.example.app")
    _ = try await settings("put", "font", "Menlo")
    for round in 0..<2 {
      let outcome = try await settings("migrate", "--json")
      try #require(outcome.status == 0, "\(outcome.error)")
      expectKeys(outcome.document, "cloudsync.settings.migrate/1", "batch", "files")
      #expect(outcome.document["added"]?.int == (round == 0 ? 1 : 0))
      let written = outcome.document["files"]?[0]?["written"]
      #expect(written == (round == 0 ? ["font", "size"] : []))
    }
    #expect(try Files.text(device.path("app.yaml")) == "size: 14\nsound: true\nfont: Menlo\n")
    try Files.write(Array("size: 15\nsound: true\nfont: Menlo\n".utf8), to: device.path("app.yaml"))
    #expect(try await settings("capture", "--json").document.counts == [0, 1, 0, 2])
    #expect(try await settings("migrate", "--again", "--json").status == 0)
    _ = try await settings("put", "x.local", "1")
    #expect(try await settings("get", "x.local", "--json").document["origin"]?.string == "local")
  }

  @Test func `values for some machines, and for this one alone`() async throws {
    let device = try TestDevice()
    _ = try await run(device, "put", "scale", "1.0")
    _ = try await run(device, "put", "scale", "3.0", "--when", "device=elsewhere")
    #expect(try await run(device, "get", "scale").output == "1.0\n")
    _ = try await run(device, "put", "scale", "2.0", "--here")
    let dump = try await run(device, "dump", "--json").document["settings"]?[0]
    #expect(dump?["origin"]?.string == "local" && dump?["synced"] == .double(1))
    #expect(dump?["overrides"]?[0]?["when"]?.string == "device=elsewhere")
    _ = try await run(device, "reset", "scale", "--here")
    #expect(try await run(device, "get", "scale").output == "1.0\n")
    #expect(try await run(device, "put", "scale", "1", "--when", "color=red").status == 64)
  }

  @Test func `one of several namespaces has to be named`() async throws {
    let device = try TestDevice()
    for name in ["one", "two"] {
      let outcome = try await device.run("settings", "put", "font", name, "--namespace", name)
      #expect(outcome.status == 0)
    }
    expectFailure(try await device.run("settings", "get", "font", "--json"), 64, "usage")
    let two = try await device.run("settings", "get", "font", "--namespace", "two")
    #expect(two.output == "two\n")
    let list = try await device.json("settings", "list", "--namespace", "one")
    #expect(list["records"]?.array?.count == 1)
    #expect(try await device.json("settings", "list")["records"]?.array?.count == 2)
    expectFailure(try await device.run("settings", "rm", "font", "--json"), 64, "usage")
    #expect(try await device.run("settings", "rm", "one/font").status == 0)
    #expect(try await device.run("settings", "get", "font", "--namespace", "one").status == 66)
    #expect(try await device.run("settings", "show", "font").status == 0)
    #expect(try await device.run("settings", "dump", "--namespace", "three").status == 66)
    #expect(try await device.run("settings", "put", "a", "1", "--namespace", "a b").status == 65)
  }

  @Test func `what is exported comes back on another device`() async throws {
    let first = try TestDevice()
    _ = try await run(first, "put", "font", "Menlo")
    _ = try await run(first, "put", "since", "2026-11-21T08:00:00Z", "--type", "date")
    let export = try await first.run("settings", "export", "-", "--format", "records")
    #expect(export.status == 0)
    let second = try TestDevice()
    let imported = try await second.run("settings", "import", "-", "--json", input: export.output)
    #expect(imported.status == 0, "\(imported.error)")
    let since = try await second.json("settings", "get", "since")
    #expect(since["type"]?.string == "date")
    #expect(since["value"]?.string == "2026-11-21T08:00:00.000Z")
  }
}
