import CommandFoundation
import SyncKit
import Testing

@testable import CloudSyncCommands

/// The precedence of configuration layers, and the origin of each value.
struct ConfigPrecedenceTests {
  private func machine() throws -> TestMachine {
    let machine = try TestMachine(configuration: "defaults: { poll: 2m, debounce: 2s }\n")
    try machine.home.write(
      "defaults: { poll: 1m, debounce: 1s, min-interval: 1m, stale-after: 1d }\n",
      to: "etc/config.yaml")
    return machine
  }

  private func poll(_ loader: ConfigLoader) throws -> (Duration, ConfigOrigin?) {
    let result = try loader.load()
    return (result.values.defaults.poll, result.setting(at: ConfigPath("defaults.poll"))?.origin)
  }

  @Test func `the user's file overrides the machine's`() throws {
    let machine = try machine()
    let (poll, origin) = try poll(machine.loader())
    #expect(poll == .seconds(120))
    #expect(origin == .file(machine.configuration, line: 1, column: 19))
    #expect(try machine.load().values.defaults.minimumInterval == .seconds(60))
  }

  @Test func `drop-ins override the file, the last name overrides the first`() throws {
    let machine = try machine()
    try machine.home.write("defaults: { poll: 9m }\n", to: ".config/cloudsync/conf.d/10-a.yaml")
    let last = try machine.home.write(
      "defaults: { poll: 3m }\n", to: ".config/cloudsync/conf.d/20-b.yaml")
    try machine.home.write("nonsense", to: ".config/cloudsync/conf.d/30-c.yaml.bak")
    let (poll, origin) = try poll(machine.loader())
    #expect(poll == .seconds(180))
    #expect(origin == .file(last, line: 1, column: 19))
    #expect(try machine.load().files.count == 4)
  }

  @Test func `a variable overrides all files`() throws {
    var machine = try machine()
    machine.environment["CLOUDSYNC_DEFAULTS_POLL"] = "4m"
    let (poll, origin) = try poll(machine.loader())
    #expect(poll == .seconds(240))
    #expect(origin == .environment("CLOUDSYNC_DEFAULTS_POLL"))
  }

  @Test func `an option overrides everything`() throws {
    var machine = try machine()
    machine.environment["CLOUDSYNC_DEFAULTS_POLL"] = "4m"
    var loader = try machine.loader()
    loader.overrides = [(ConfigPath("defaults.poll"), "5m", "--poll")]
    let (poll, origin) = try poll(loader)
    #expect(poll == .seconds(300))
    #expect(origin == .flag("--poll"))
  }

  @Test func `an unset setting has its default`() throws {
    let setting = try machine().load().setting(at: ConfigPath("defaults.keep-history"))
    #expect(setting?.shown == "400d")
    #expect(setting?.origin == .builtIn)
  }

  @Test func `maps are united, lists and secrets replaced`() throws {
    let machine = try TestMachine(
      configuration: """
        remotes:
          a: { type: http, url: "http://a", token: { env: A } }
          b: { type: file, path: /b }
        domains: { settings: { remote: a, exclude: [x, y] } }
        """)
    try machine.home.write(
      """
      remotes: { a: { token: { file: /t } } }
      domains: { settings: { remotes: [b], exclude: [z] } }
      """, to: ".config/cloudsync/conf.d/a.yaml")
    let values = try machine.load().values
    #expect(values[remote: "a"]?.location == .http(url: "http://a", token: .file("/t")))
    #expect(values[domain: "settings"]?.remotes == ["b"])
    #expect(values[domain: "settings"]?.exclude == ["z"])
  }

  @Test func `a named file stands alone and must exist`() throws {
    let machine = try machine()
    try machine.home.write("defaults: { poll: 9m }\n", to: "other/conf.d/a.yaml")
    let named = try machine.home.write("defaults: { poll: 6m }\n", to: "other/my.yaml")
    #expect(try machine.context("-c", named).configuration().values.defaults.poll == .seconds(360))
    #expect(
      try machine.context("-c", "other/my.yaml").configuration().values.defaults.poll
        == .seconds(360))

    let error = #expect(throws: SyncError.self) {
      try machine.context("-c", "missing.yaml").configuration()
    }
    #expect(error?.code == .configInvalid)
    #expect(error?.message.contains("missing.yaml:1:1: the file cannot be read") == true)
  }

  @Test func `a named folder has its own drop-ins`() throws {
    let machine = try machine()
    try machine.home.write("defaults: { poll: 9m }\n", to: "other/conf.d/a.yaml")
    #expect(
      try machine.context("-c", "other").configuration().values.defaults.poll == .seconds(540))
  }

  @Test func `a problem in one layer names that layer`() throws {
    let machine = try machine()
    let path = try machine.home.write(
      "\n jobs: { q: { domains: [bike, bik] } }\n", to: ".config/cloudsync/conf.d/a.yaml")
    let problem = try machine.loader().read().problems.first
    #expect(problem?.origin == .file(path, line: 2, column: 31))
  }
}
