import CommandFoundation
import SyncKit
import Testing

@testable import CloudSyncCommands

/// Settings from environment variables.
struct ConfigEnvironmentTests {
  private func machine(_ environment: [String: String]) throws -> TestMachine {
    var machine = try TestMachine(
      configuration: """
        remotes:
          home-nas: { type: file, path: /nas }
          home: { type: http, url: "http://old" }
        domains: { airports: { remote: home } }
        jobs: { quick: { domains: [airports] } }
        """)
    machine.environment = environment
    return machine
  }

  @Test(arguments: [
    ("CLOUDSYNC_DEVICE_NAME", "phone", "device.name", "phone"),
    ("CLOUDSYNC_DEFAULTS_STALE_AFTER", "3d", "defaults.stale-after", "3d"),
    ("CLOUDSYNC_JOBS_QUICK_EVERY", "5m", "jobs.quick.every", "5m"),
    ("CLOUDSYNC_JOBS_QUICK_DOMAINS", "bike, media", "jobs.quick.domains", "bike, media"),
    ("CLOUDSYNC_JOBS_QUICK_DOMAINS", "[bike, media]", "jobs.quick.domains", "bike, media"),
    ("CLOUDSYNC_REMOTES_HOME_NAS_PATH", "/x", "remotes.home-nas.path", "/x"),
    ("CLOUDSYNC_REMOTES_HOME_URL", "http://new", "remotes.home.url", "http://new"),
    ("CLOUDSYNC_DOMAINS_AIRPORTS_MAX_DELETE", "50%", "domains.airports.max-delete", "50%"),
    (
      "CLOUDSYNC_DOMAINS_AIRPORTS_REBASE_CODE", "localWins", "domains.airports.rebase.code",
      "localWins"
    ),
    ("CLOUDSYNC_DOMAINS_BIKE_ENABLED", "false", "domains.bike.enabled", "false"),
    ("CLOUDSYNC_SERVER_LISTEN", "[::1]:9", "server.listen", "[::1]:9"),
  ])
  func `a variable sets the setting its name spells`(
    variable: String, text: String, path: String, shown: String
  ) throws {
    let setting = try machine([variable: text]).load().setting(at: ConfigPath(path))
    #expect(setting?.shown == shown)
    #expect(setting?.origin == .environment(variable))
  }

  @Test func `variables alone can define a new remote`() throws {
    let machine = try machine([
      "CLOUDSYNC_REMOTES_MY_BOX_TYPE": "http", "CLOUDSYNC_REMOTES_MY_BOX_URL": "https://box",
      "CLOUDSYNC_REMOTES_MY_BOX_TOKEN_FILE": "~/token",
    ])
    #expect(
      try machine.load().values[remote: "my-box"]?.location
        == .http(url: "https://box", token: .file("\(machine.home.path)/token")))
  }

  @Test func `a secret's place can be a variable, a secret never`() throws {
    let good = try machine(["CLOUDSYNC_REMOTES_HOME_TOKEN": "{ env: TOKEN }"])
    #expect(
      try good.load().values[remote: "home"]?.location
        == .http(url: "http://old", token: .environment("TOKEN")))
    let bad = try machine(["CLOUDSYNC_REMOTES_HOME_TOKEN": "hunter2"])
    let error = #expect(throws: SyncError.self) { try bad.load() }
    #expect(error?.message.hasPrefix("CLOUDSYNC_REMOTES_HOME_TOKEN: ") == true)
    #expect(error?.message.contains("hunter2") == false)
  }

  @Test(arguments: [
    ("CLOUDSYNC_DEFAULTS_STALEAFTER", "did you mean 'CLOUDSYNC_DEFAULTS_STALE_AFTER'?"),
    ("CLOUDSYNC_JOBS_QUICK_EVRY", "did you mean 'CLOUDSYNC_JOBS_QUICK_EVERY'?"),
    ("CLOUDSYNC_DOMAINS_AIRPORT_REMOTE", "did you mean 'CLOUDSYNC_DOMAINS_AIRPORTS_REMOTE'?"),
  ])
  func `a variable that only begins like a setting is refused`(
    variable: String, hint: String
  ) throws {
    let error = #expect(throws: SyncError.self) { try machine([variable: "1"]).load() }
    #expect(error?.message == "\(variable): no setting has this name")
    #expect(error?.hint == hint)
  }

  @Test(arguments: ["CLOUDSYNC_VERSION", "CLOUDSYNC_BENCH_SEED", "CLOUDSYNC_OUTPUT", "CLOUDSYNC"])
  func `other variables are left alone`(variable: String) throws {
    #expect(try machine([variable: "plain"]).load().values.deviceName == nil)
  }

  @Test func `a wrong value names its variable`() throws {
    let error = #expect(throws: SyncError.self) {
      try machine(["CLOUDSYNC_DEFAULTS_POLL": "often"]).load()
    }
    #expect(error?.code == .configInvalid)
    #expect(error?.message.hasPrefix("CLOUDSYNC_DEFAULTS_POLL: 'defaults.poll' must be") == true)
  }

  @Test func `every setting has a variable that leads back to it`() throws {
    let machine = try machine([:])
    let root = try machine.loader().read().root
    for path in ConfigSchema.paths {
      let path = ConfigPath(HelpTopic.example(path))
      let key = try ConfigSchema.key(at: path)
      guard key.isSingle, key.isInEnvironment else { continue }
      let variable = ConfigEnvironment.variable(for: path)
      let (layer, problems) = ConfigEnvironment.layer(from: [variable: "x"], over: root)
      #expect(problems.isEmpty)
      #expect(layer[path.parts] != nil, "\(variable) does not lead to \(path)")
    }
  }
}
