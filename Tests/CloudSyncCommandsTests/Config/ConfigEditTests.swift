import CommandFoundation
import SyncKitFormats
import SyncKit
import Testing

@testable import CloudSyncCommands

/// `config set` changes one place of the text and no other.
struct ConfigEditTests {
  private func edited(_ text: String, _ key: String, _ value: String) throws -> String {
    let bytes = try ConfigEdit.setting(
      ConfigPath(key), to: value, in: Array(text.utf8), file: "c.yaml")
    return String(decoding: bytes, as: UTF8.self)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var before: String
    var key: String
    var value: String
    var after: String
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(
      name: "a value in a block keeps the comments around it",
      before: "# mine\ndevice:\n  name: old # why\n\n# end\n", key: "device.name", value: "new",
      after: "# mine\ndevice:\n  name: new # why\n\n# end\n"),
    Case(
      name: "a value in braces", before: "device: { name: old }  # x\n", key: "device.name",
      value: "new", after: "device: { name: new }  # x\n"),
    Case(
      name: "a quoted value", before: "device: { name: \"a b\" }\n", key: "device.name",
      value: "c: d", after: "device: { name: \"c: d\" }\n"),
    Case(
      name: "a new key in a block", before: "defaults:\n  poll: 1m # often\n\njobs: {}\n",
      key: "defaults.debounce", value: "2s",
      after: "defaults:\n  poll: 1m # often\n  debounce: 2s\n\njobs: {}\n"),
    Case(
      name: "a new key in braces", before: "defaults: { poll: 1m }\n", key: "defaults.debounce",
      value: "2s", after: "defaults: { poll: 1m, debounce: 2s }\n"),
    Case(
      name: "a new key in braces with a comma at their end",
      before: "defaults: {\n  poll: 1m, # a\n}\n", key: "defaults.debounce", value: "2s",
      after: "defaults: {\n  poll: 1m, debounce: 2s, # a\n}\n"),
    Case(
      name: "a new key in empty braces", before: "defaults: {}\n", key: "defaults.debounce",
      value: "2s", after: "defaults: { debounce: 2s }\n"),
    Case(
      name: "a new key in a section without content", before: "defaults:\njobs: {}\n",
      key: "defaults.debounce", value: "2s", after: "defaults: { debounce: 2s }\njobs: {}\n"),
    Case(
      name: "a new section", before: "version: 1\n# end", key: "defaults.poll", value: "2s",
      after: "version: 1\n# end\ndefaults:\n  poll: 2s\n"),
    Case(
      name: "the first setting of all", before: "", key: "jobs.quick.domains", value: "bike,media",
      after: "jobs:\n  quick: { domains: [bike, media] }\n"),
    Case(
      name: "the first setting below a comment", before: "# mine\n", key: "device.name",
      value: "a", after: "# mine\ndevice:\n  name: a\n"),
    Case(
      name: "a file whose last line has no end", before: "device:\n  name: a", key: "defaults.poll",
      value: "2s", after: "device:\n  name: a\ndefaults:\n  poll: 2s\n"),
    Case(
      name: "a new key at the end of a file without one", before: "defaults:\n  poll: 1m",
      key: "defaults.debounce", value: "2s", after: "defaults:\n  poll: 1m\n  debounce: 2s\n"),
    Case(
      name: "a list in a block",
      before: "jobs:\n  q:\n    domains:\n      - bike\n      - media\n    every: 1h\n",
      key: "jobs.q.domains", value: "health",
      after: "jobs:\n  q:\n    domains: [health]\n    every: 1h\n"),
    Case(
      name: "a list in a block that is not indented",
      before: "jobs:\n  q:\n    domains:\n    - bike\n    - media\n    every: 1h\n",
      key: "jobs.q.domains", value: "[health, bike]",
      after: "jobs:\n  q:\n    domains: [health, bike]\n    every: 1h\n"),
    Case(
      name: "a new job after one with a list",
      before: "jobs:\n  q:\n    domains:\n      - bike\n\n# hooks\nhooks: {}\n",
      key: "jobs.m.domains", value: "health",
      after:
        "jobs:\n  q:\n    domains:\n      - bike\n  m: { domains: [health] }\n\n# hooks\nhooks: {}\n"
    ),
    Case(
      name: "a map for a secret", before: "remotes:\n  h: { type: http, url: \"http://h\" }\n",
      key: "remotes.h.token", value: "{file: ~/t}",
      after: "remotes:\n  h: { type: http, url: \"http://h\", token: { file: ~/t } }\n"),
    Case(
      name: "another way to a secret",
      before: "remotes:\n  h:\n    type: http\n    url: http://h\n    token:\n      env: A\n",
      key: "remotes.h.token", value: "{file: /t}",
      after: "remotes:\n  h:\n    type: http\n    url: http://h\n    token: { file: /t }\n"),
    Case(
      name: "a named map within a domain", before: "domains:\n  settings: { remotes: [folder] }\n",
      key: "domains.settings.track.editor", value: "{namespace: a.b, path: ~/x.json}",
      after: "domains:\n  settings: { remotes: [folder], "
        + "track: { editor: { namespace: a.b, path: ~/x.json } } }\n"),
    Case(
      name: "a text in a block", before: "device:\n  name: >\n    a\n    b\nversion: 1\n",
      key: "device.name", value: "c", after: "device:\n  name: c\nversion: 1\n"),
    Case(
      name: "letters of other scripts before the place",
      before: "# héllo 日本\ndevice: { name: ü }\n",
      key: "device.name", value: "é", after: "# héllo 日本\ndevice: { name: \"é\" }\n"),
    Case(
      name: "a word that other readers take for a truth value", before: "device: { name: a }\n",
      key: "device.name", value: "no", after: "device: { name: \"no\" }\n"),
  ]

  @Test(arguments: cases)
  func `only the edited place changes`(_ example: Case) throws {
    let after = try edited(example.before, example.key, example.value)
    #expect(after == example.after)
    let root = try ConfigNode.parse(Array(after.utf8), path: "c.yaml")
    #expect(root?[ConfigPath(example.key).parts] != nil)
  }

  @Test(arguments: cases)
  func `setting a value twice is the same as once`(_ example: Case) throws {
    #expect(try edited(example.after, example.key, example.value) == example.after)
  }

  @Test func `the command creates the file, private, and later changes it`() async throws {
    let machine = try TestMachine()
    let first = await machine.run("config", "set", "device.name", "laptop")
    #expect(first.status == 0 && first.output.isEmpty)
    #expect(try machine.home.read(TestMachine.file) == "device:\n  name: laptop\n")
    #expect(machine.home.mode(of: TestMachine.file) == 0o600)
    #expect(machine.home.mode(of: ".config/cloudsync") == 0o700)

    let second = await machine.run("config", "set", "defaults.stale-after", "3d", "--json")
    #expect(second.document["changed"]?.bool == true)
    #expect(second.document["settings"]?[0]?["value"]?.string == "3d")
    #expect(try machine.load().values.defaults.staleAfter == .seconds(3 * 86_400))
  }

  @Test func `a dry run changes nothing`() async throws {
    let machine = try TestMachine(configuration: "version: 1\n")
    let outcome = await machine.run("config", "set", "device.name", "x", "-n", "--json")
    #expect(outcome.document["changed"]?.bool == true && outcome.document["dryRun"]?.bool == true)
    #expect(try machine.home.read(TestMachine.file) == "version: 1\n")
  }

  static let refusals: [([String], Int32, String?)] = [
    (["device.nam", "x"], 64, "did you mean 'device.name'?"),
    (["domains.airport.remote", "x"], 64, "did you mean 'domains.airports'?"),
    (["device", "x"], 64, "such as device.name"),
    (["defaults.poll", "often"], 78, nil),
    (["domains.bike.remote", "nowhere"], 78, "no remote is configured"),
    (
      ["remotes.home.token", "hunter2"], 78,
      "write a map with one of command, file, env, credential, keyring"
    ),
    (
      ["remotes.home.url", "https://x"], 78,
      "set it as a whole: cloudsync config set remotes.home '{type: http, url: https://HOST}', or use "
        + "'cloudsync remote add'"
    ),
    (["remotes.home.token", "{file: "], 78, nil),
  ]

  @Test(arguments: refusals)
  func `a change that would not load is refused and the file kept`(
    arguments: [String], status: Int32, hint: String?
  ) async throws {
    let machine = try TestMachine(configuration: "# mine\nversion: 1\n")
    let outcome = await machine.run(["config", "set"] + arguments + ["--json"])
    #expect(outcome.status == status)
    #expect(outcome.failure["hint"]?.string == hint)
    #expect(!outcome.error.contains("hunter2"))
    #expect(try machine.home.read(TestMachine.file) == "# mine\nversion: 1\n")
  }

  @Test func `a setting that overrides the change is reported`() async throws {
    var machine = try TestMachine()
    machine.environment["CLOUDSYNC_DEVICE_NAME"] = "phone"
    let outcome = await machine.run("config", "set", "device.name", "laptop")
    #expect(outcome.error.contains("'device.name' is still set by CLOUDSYNC_DEVICE_NAME"))
  }
}
