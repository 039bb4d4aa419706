import CommandFoundation
import SyncKit
import Testing

@testable import CloudSyncCommands

/// The meaning of a valid configuration.
struct ConfigurationTests {
  /// The contract's example, word for word.
  static let example = """
    version: 1
    device: { name: laptop }
    defaults: { debounce: 500ms, min-interval: 1s, poll: 30s, max-delete: 20%, stale-after: 7d, keep-history: 400d }
    remotes:
      folder: { type: file, path: ~/Nextcloud/cloudsync }
      shared: { type: sqlite, path: /srv/family/cloudsync.sqlite }
      home:   { type: http, url: "https://sync.example.org", token: { command: [pass, show, cloudsync] } }
    domains:
      airports: { remote: home, debounce: 2s, rebase: { code: remoteWins } }
      settings: { remotes: [folder, home], exclude: ["*.token"] }
      health:   { remote: home }
      media:    { remote: folder, layout: document, debounce: 2s }
      bike:     { remote: shared, enabled: true }
    jobs:
      quick:   { domains: [airports, settings, media, bike], every: 15m }
      nightly: { domains: [health], every: 1d }
    hooks:
      hc: { kind: healthchecks, url: { file: ~/.config/cloudsync/hc-url }, when: [start, success, failure] }
    server: { listen: "127.0.0.1:8765" }
    """

  @Test func `the example of the contract loads`() throws {
    let machine = try TestMachine(configuration: Self.example)
    let values = try machine.load().values
    let home = machine.home.path

    #expect(values.deviceName == "laptop")
    #expect(values.defaults.debounce == .milliseconds(500))
    #expect(values.defaults.maximumDelete.fraction == 0.2)
    #expect(values.defaults.keepHistory == .seconds(400 * 86_400))
    #expect(values.remotes.map(\.name) == ["folder", "shared", "home"])
    #expect(values[remote: "folder"]?.location == .file("\(home)/Nextcloud/cloudsync"))
    #expect(values[remote: "shared"]?.location == .sqlite("/srv/family/cloudsync.sqlite"))
    #expect(
      values[remote: "home"]?.location
        == .http(url: "https://sync.example.org", token: .command(["pass", "show", "cloudsync"])))

    let airports = try #require(values[domain: "airports"])
    #expect(airports.remotes == ["home"])
    #expect(airports.settings.debounce == .seconds(2))
    #expect(airports.settings.poll == .seconds(30))
    #expect(airports.rebase == ["code": .remoteWins])
    #expect(airports.layout == .segments && airports.isEnabled)
    #expect(values[domain: "settings"]?.remotes == ["folder", "home"])
    #expect(values[domain: "settings"]?.exclude == ["*.token"])
    #expect(values[domain: "media"]?.layout == .document)

    #expect(values[job: "quick"]?.domains == ["airports", "settings", "media", "bike"])
    #expect(values[job: "quick"]?.every == .seconds(900))
    #expect(values[job: "nightly"]?.remotes == nil)
    let hook = try #require(values.hooks.first)
    #expect(hook.kind == .healthchecks(url: .file("\(home)/.config/cloudsync/hc-url")))
    #expect(hook.when == [.start, .success, .failure])
    #expect(values.server.listen == "127.0.0.1:8765")
  }

  @Test func `the example of the help page loads`() throws {
    #expect(try TestMachine(configuration: HelpTopic.example).load().values.jobs.count == 2)
  }

  @Test(arguments: [nil, "", "# nothing yet\n", "domains:\nremotes:\nhooks: {}\n"])
  func `an empty configuration means the defaults`(text: String?) throws {
    let values = try TestMachine(configuration: text).load().values
    #expect(values.deviceName == nil)
    #expect(values.defaults.staleAfter == .seconds(7 * 86_400))
    #expect(values.server.listen == "127.0.0.1:8765")
    #expect(values.remotes.isEmpty && values.domains.isEmpty && values.hooks.isEmpty)
  }

  @Test func `every kind of hook can be configured`() throws {
    let machine = try TestMachine(
      configuration: """
        hooks:
          phone: { kind: ntfy, topic: { env: TOPIC }, when: [failure, stale, recovery] }
          kuma: { kind: uptime-kuma, url: { credential: kuma } }
          usual: { kind: webhook, url: { keyring: hook } }
          web: { kind: webhook, url: "http://localhost:9/x", send-log: true }
          usb: { kind: command, run: [findmnt, /mnt/usb], when: [before], required: true }
        """)
    let hooks = try machine.load().values.hooks
    #expect(hooks[0].kind == .ntfy(server: "https://ntfy.sh", topic: .environment("TOPIC")))
    #expect(hooks[1].kind == .uptimeKuma(url: .credential("kuma")))
    #expect(hooks[1].when == [.failure] && !hooks[1].sendsLog && !hooks[1].isRequired)
    #expect(hooks[2].kind == .webhook(url: .keyring("hook")))
    #expect(hooks[3].kind == .webhook(url: .text("http://localhost:9/x")) && hooks[3].sendsLog)
    #expect(hooks[4].kind == .command(["findmnt", "/mnt/usb"], skipStatus: 75))
    #expect(hooks[4].isRequired)
  }

  @Test func `a relative path is relative to its file`() throws {
    let machine = try TestMachine(configuration: "remotes: { a: { type: file, path: sub/x } }\n")
    let expected = "\(machine.home.path)/.config/cloudsync/sub/x"
    #expect(try machine.load().values[remote: "a"]?.location == .file(expected))
  }

  @Test func `only a path that begins with the home folder needs it`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("remotes: { a: { type: file, path: ~/x } }\n", to: "c/config.yaml")
    let xdg = ["XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "/c"]
    let request = Directories.Request(
      config: file, environment: xdg.merging(["XDG_CONFIG_HOME": "/x"]) { $1 },
      workingDirectory: "/", recordedHome: { nil })
    let error = #expect(throws: SyncError.self) { try ConfigLoader(request).load() }
    #expect(error?.code == .configInvalid)
  }

  @Test(arguments: [
    ("0%", 0), ("20%", 2000), ("2.5%", 250), ("0.05%", 5), ("100%", 10_000), ("100.00%", 10_000),
  ])
  func `shares are exact`(text: String, hundredths: Int) {
    #expect(Percent(text)?.hundredths == hundredths)
    #expect(Percent(Percent(hundredths: hundredths).description)?.hundredths == hundredths)
  }

  @Test(arguments: [
    "", "%", "20", "20 %", "-1%", "100.01%", "1e1%", "1.234%", ".5%", "9999999999%",
  ])
  func `an invalid share is refused`(text: String) {
    #expect(Percent(text) == nil)
  }
}
