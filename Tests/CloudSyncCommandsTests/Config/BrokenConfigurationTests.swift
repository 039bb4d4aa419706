import CommandFoundation
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

/// An error in a configuration is reported at its place, with a correction.
struct BrokenConfigurationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var line: Int
    var column: Int
    var message: String
    var hint: String?
    var testDescription: String { name }

    init(
      _ name: String, _ text: String, _ line: Int, _ column: Int, _ message: String,
      _ hint: String? = nil
    ) {
      self.name = name
      self.text = text
      self.line = line
      self.column = column
      self.message = message
      self.hint = hint
    }
  }

  static let cases: [Case] = [
    Case(
      "a misspelt section", "verson: 1\n", 1, 1, "unknown key 'verson'", "did you mean 'version'?"),
    Case(
      "a misspelt key", "defaults:\n  debouce: 1s\n", 2, 3, "unknown key 'debouce' in 'defaults'",
      "did you mean 'debounce'?"),
    Case(
      "underscores for hyphens", "defaults: { stale_after: 7d }\n", 1, 13,
      "unknown key 'stale_after' in 'defaults'", "did you mean 'stale-after'?"),
    Case(
      "a key at the wrong place", "keep-history: 3d\n", 1, 1, "unknown key 'keep-history'",
      "'keep-history' belongs under 'defaults'"),
    Case(
      "a key near nothing", "device: { zzzzz: 1 }\n", 1, 11, "unknown key 'zzzzz' in 'device'",
      "the keys here are name"),
    Case("a newer version", "version: 2\n", 1, 10, "'version' must be 1, not '2'"),
    Case(
      "an unknown domain", "domains:\n  airport: { }\n", 2, 3, "unknown domain 'airport'",
      "did you mean 'airports'?"),
    Case(
      "a domain near nothing", "domains:\n  weather: { }\n", 2, 3, "unknown domain 'weather'",
      "the domains are airports, settings, health, media, bike"),
    Case(
      "a key of another domain", "domains:\n  bike:\n    tmdb: { key: { env: K } }\n", 3, 5,
      "'tmdb' does not go with the domain 'bike'", "it goes with media"),
    Case(
      "a domain with an unknown remote",
      "remotes:\n  folder: { type: file, path: /x }\ndomains:\n  bike: { remote: foldr }\n", 4, 19,
      "unknown remote 'foldr'", "did you mean 'folder'?"),
    Case(
      "a domain with a remote where none is", "domains:\n  bike:\n    remotes: [home]\n", 3, 15,
      "unknown remote 'home'", "no remote is configured"),
    Case(
      "a job with an unknown domain", "jobs:\n  quick: { domains: [bike, helth] }\n", 2, 28,
      "unknown domain 'helth'", "did you mean 'health'?"),
    Case(
      "a job with an unknown remote", "jobs:\n  q: { domains: [bike], remotes: [x] }\n", 2, 35,
      "unknown remote 'x'", "no remote is configured"),
    Case(
      "a job without domains", "jobs:\n  quick: { every: 1h }\n", 2, 3,
      "'jobs.quick' needs 'domains'",
      "set it as a whole: cloudsync config set jobs.quick '{domains: …}'"),
    Case(
      "a job with no domain", "jobs:\n  q: { domains: [] }\n", 2, 17, "'jobs.q.domains' is empty"),
    Case(
      "a domain named twice", "jobs:\n  q: { domains: [bike, bike] }\n", 2, 24,
      "'bike' is listed twice"),
    Case(
      "both remote and remotes",
      "remotes: { a: { type: file, path: /a } }\ndomains:\n  bike: { remote: a, remotes: [a] }\n",
      3, 22, "'domains.bike' has both 'remote' and 'remotes'"),
    Case(
      "a remote without type", "remotes:\n  home: { path: /x }\n", 2, 3,
      "'remotes.home' needs 'type'",
      "set it as a whole: cloudsync config set remotes.home '{type: file, path: /PATH}', "
        + "or use 'cloudsync remote add'"),
    Case(
      "a misspelt type", "remotes:\n  home: { type: flie, path: /x }\n", 2, 17,
      "'remotes.home.type' must be one of file, sqlite, http, webdav, rclone, sftp, s3, not 'flie'",
      "did you mean 'file'?"),
    Case(
      "a folder without path", "remotes:\n  home: { type: file }\n", 2, 3,
      "'remotes.home' needs 'path'",
      "set it as a whole: cloudsync config set remotes.home '{type: file, path: /PATH}', "
        + "or use 'cloudsync remote add'"),
    Case(
      "a server with a path", "remotes:\n  h: { type: http, url: \"http://h\", path: /x }\n", 2, 37,
      "'path' does not go with 'type: http'",
      "http has url, token, ca-file, fingerprint, proxy, allow-cleartext"
    ),
    Case(
      "a secret in plain sight",
      "remotes:\n  h: { type: http, url: \"http://h\", token: hunter2 }\n", 2, 44,
      "'remotes.h.token' is a secret and is never written into the configuration",
      "write a map with one of command, file, env, credential, keyring"),
    Case(
      "two ways to one secret",
      "remotes:\n  h: { type: http, url: \"http://h\", token: { env: A, file: b } }\n", 2, 54,
      "'remotes.h.token' has both 'env' and 'file'"),
    Case(
      "no way to a secret", "remotes:\n  h: { type: http, url: \"http://h\", token: {} }\n", 2, 44,
      "'remotes.h.token' needs exactly one of command, file, env, credential"),
    Case(
      "a misspelt way to a secret",
      "remotes:\n  h: { type: http, url: \"http://h\", token: { comand: [x] } }\n", 2, 46,
      "unknown key 'comand' in 'remotes.h.token'", "did you mean 'command'?"),
    Case(
      "a password in an address", "remotes:\n  h: { type: http, url: \"http://me:pw@h\" }\n", 2, 25,
      "'remotes.h.url' contains a user or password", "a secret has a key of its own"),
    Case(
      "an address without scheme", "remotes:\n  h: { type: http, url: sync.example.org }\n", 2, 25,
      "'remotes.h.url' must be an address such as https://sync.example.org, not 'sync.example.org'",
      "an address begins with https:// or http://"),
    Case(
      "a number without unit", "defaults: { poll: 30 }\n", 1, 19,
      "'defaults.poll' must be a duration such as 500ms, 15m or 7d, at least 1s, not '30'",
      "a unit is missing: 30ms, 30s, 30m, …"),
    Case(
      "a span too short", "defaults: { poll: 1ms }\n", 1, 19,
      "'defaults.poll' must be a duration such as 500ms, 15m or 7d, at least 1s, not '1ms'"),
    Case(
      "a span beyond reason", "defaults: { keep-history: 99999999999d }\n", 1, 27,
      "'defaults.keep-history' must be a duration such as 500ms, 15m or 7d, not '99999999999d'"),
    Case(
      "a share without sign", "defaults: { max-delete: 20 }\n", 1, 25,
      "'defaults.max-delete' must be a percentage such as 20%, not '20'", "did you mean '20%'?"),
    Case(
      "more than the whole", "defaults: { max-delete: 101% }\n", 1, 25,
      "'defaults.max-delete' must be a percentage such as 20%, not '101%'"),
    Case(
      "yes for true", "domains:\n  bike: { enabled: yes }\n", 2, 20,
      "'domains.bike.enabled' must be true or false, not 'yes'", "write true"),
    Case(
      "a word that is no layout", "domains: { media: { layout: documents } }\n", 1, 29,
      "'domains.media.layout' must be one of segments, document, lists, not 'documents'",
      "did you mean 'document'?"),
    Case(
      "a word that is no rebase", "domains: { media: { rebase: { x: remotewins } } }\n", 1, 34,
      "'domains.media.rebase.x' must be one of merge, remoteWins, localWins, not 'remotewins'",
      "did you mean 'remoteWins'?"),
    Case(
      "one value for a list", "jobs: { q: { domains: bike } }\n", 1, 23,
      "'jobs.q.domains' must be a list, not a single value", "write [bike]"),
    Case(
      "a list for one value", "device: { name: [a] }\n", 1, 17,
      "'device.name' must be text, not a list"),
    Case(
      "a value for a map", "device: laptop\n", 1, 9, "'device' must be a map, not a single value"),
    Case(
      "a list of remotes", "remotes:\n  - x\n", 2, 3, "'remotes' must be a map of names, not a list"
    ),
    Case("a list for the whole", "- a\n", 1, 1, "the configuration must be a map, not a list"),
    Case(
      "a name with a dot", "remotes: { a.b: { type: file, path: /x } }\n", 1, 12,
      "'a.b' cannot be the name of a remote",
      "a name has letters, digits, - and _, at most 64 of them"),
    Case(
      "an empty value", "device: { name: '' }\n", 1, 17, "'device.name' must be text, not empty"),
    Case(
      "a key without value", "device:\n  name:\n", 2, 8, "'device.name' must be text, not empty"),
    Case(
      "a hook without address", "hooks:\n  hc: { kind: healthchecks }\n", 2, 3,
      "'hooks.hc' needs 'url'", "set it as a whole: cloudsync config set hooks.hc '{url: …}'"),
    Case(
      "a hook with a foreign key", "hooks:\n  c: { kind: command, run: [a], topic: x }\n", 2, 33,
      "'topic' does not go with 'kind: command'", "command has run, skip-status"),
    Case(
      "a moment that is none", "hooks:\n  c: { kind: command, run: [a], when: [falure] }\n", 2, 40,
      "'hooks.c.when' must be one of before, after, start, success, failure, conflict, stale",
      "did you mean 'failure'?"),
    Case(
      "an address to listen on without port", "server: { listen: localhost }\n", 1, 19,
      "'server.listen' must be an address such as 127.0.0.1:8765 or unix:/run/cloudsync.sock, not"),
    Case(
      "a value that would steer a terminal",
      "device: { name: [\"\\e[31m\"] }\nversion: \"\\e[1m\"\n",
      2, 10, "'version' must be 1, not '\u{FFFD}[1m'"),
    Case("a tab for indentation", "defaults:\n\tpoll: 1s\n", 2, 1, ""),
    Case("a document after the first", "version: 1\n---\nversion: 1\n", 3, 1, "a second document"),
  ]

  @Test(arguments: cases)
  func `it is refused where it is wrong`(_ example: Case) throws {
    let machine = try TestMachine(configuration: example.text)
    let problems = try machine.loader().read().problems
    let place = ConfigOrigin.file(machine.configuration, line: example.line, column: example.column)
    let problem = try #require(
      problems.first { $0.origin == place }, "found only \(problems.map(\.description))")
    #expect(problem.message.hasPrefix(example.message), "\(problem.message)")
    #expect(problem.hint == example.hint)
  }

  @Test(arguments: cases)
  func `the command ends with 78 and names the place`(_ example: Case) async throws {
    let machine = try TestMachine(configuration: example.text)
    let outcome = await machine.run("config", "show", "--json")
    #expect(outcome.status == 78)
    #expect(outcome.output.isEmpty)
    #expect(outcome.failure["code"]?.string == "config.invalid")
    #expect(outcome.failure["message"]?.string?.hasPrefix("\(machine.configuration):") == true)
  }

  @Test func `a secret in the wrong place is never repeated`() async throws {
    let machine = try TestMachine(
      configuration: "remotes:\n  h: { type: http, url: \"http://u:hunter2@h\", token: hunter2 }\n")
    for format in ["table", "json"] {
      let outcome = await machine.run("config", "validate", "--output", format)
      #expect(outcome.status == 78)
      #expect(!(outcome.output + outcome.error).contains("hunter2"))
    }
  }

  @Test func `all problems are listed, in their order`() async throws {
    let machine = try TestMachine(
      configuration: "defaults: { pol: 1s, max-delete: 20 }\nremote: { }\n")
    let outcome = await machine.run("config", "validate")
    #expect(outcome.status == 78)
    #expect(
      outcome.error == """
        cloudsync: \(machine.configuration):1:13: unknown key 'pol' in 'defaults'
          hint: did you mean 'poll'?
        \(machine.configuration):1:34: 'defaults.max-delete' must be a percentage such as 20%, not '20'
          hint: did you mean '20%'?
        \(machine.configuration):2:1: unknown key 'remote'
          hint: did you mean 'remotes'?

        """)
    let document = await machine.run("config", "validate", "--json").document
    #expect(document["valid"]?.bool == false)
    #expect(document["problems"]?[1]?["line"]?.int == 1)
    #expect(document["problems"]?[1]?["column"]?.int == 34)
  }
}
