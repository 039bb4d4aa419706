import LocalMachine
import CommandFoundation
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

/// The domains of an added remote, and the advice for a moved one.
struct RemoteDomainsTests {
  private let machine: TestMachine

  init() throws { machine = try TestMachine() }

  private func place(_ name: String) -> String { "file:\(machine.home.path)/\(name)" }

  /// Writes a configuration whose domains sync with the given remotes; the others are off.
  private func configure(_ domains: [(String, String)], remotes: [String]) throws {
    var text = "version: 1\nremotes:\n"
    for remote in remotes {
      text +=
        "  \(remote): { type: file, path: '\(machine.home.path)/\(remote)', encrypted: false }\n"
      try LocalFolder.create("\(machine.home.path)/\(remote)")
    }
    text += "domains:\n"
    for name in DomainRegistry.names {
      let rules = domains.first { $0.0 == name }?.1 ?? "enabled: false"
      text += "  \(name): { \(rules) }\n"
    }
    try machine.home.write(text, to: TestMachine.file)
  }

  /// The domains that sync with a remote.
  private func domains(at remote: String) async -> [String] {
    let remotes = await machine.run("remote", "list", "--json").document["remotes"]?.array ?? []
    let found = remotes.first { $0["name"]?.string == remote }
    return found?["domains"]?.array?.compactMap(\.string) ?? []
  }

  private func expectAdding(
    _ name: String, _ others: String..., gives domains: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let outcome = await machine.run(
      ["remote", "add", "--unencrypted", name, place("new-\(name)")] + others)
    #expect(outcome.status == 0, "\(outcome.error)", sourceLocation: sourceLocation)
    let found = await self.domains(at: name)
    #expect(found == domains, sourceLocation: sourceLocation)
  }

  // MARK: Removed and added again

  @Test func `a remote that is removed and added again gets its own domains back and no others`()
    async throws
  {
    try configure(
      [
        ("airports", "remotes: [cloud]"), ("settings", "remotes: [cloud]"),
        ("health", "remotes: [home]"), ("media", "remote: home"),
      ], remotes: ["cloud", "home"])
    #expect(await machine.run("remote", "rm", "cloud").status == 0)
    await expectAdding("cloud", gives: ["airports", "settings"])
    #expect(await domains(at: "home") == ["health", "media"])
  }

  @Test func `even if without it all domains look alike`() async throws {
    try configure(
      [("airports", "remotes: [home, cloud]"), ("health", "remotes: [home]")],
      remotes: ["cloud", "home"])
    #expect(await machine.run("remote", "rm", "cloud").status == 0)
    // Under another name it is a new one, without settings in the configuration.
    let other = await machine.run(
      "remote", "add", "--unencrypted", "other", place("other"), "--json")
    #expect(other.status == 64 && other.failure["hint"]?.string?.contains("--domains") == true)
    #expect(await domains(at: "other").isEmpty)
    // Unless it is the old location.
    let same = await machine.run("remote", "add", "--unencrypted", "same", place("cloud"))
    #expect(same.status == 0, "\(same.error)")
    #expect(await domains(at: "same") == ["airports"])
    await expectAdding("cloud", gives: ["airports"])
  }

  @Test func `even if everything was removed first`() async throws {
    try configure(
      [("airports", "remotes: [cloud]"), ("health", "remotes: [home]")], remotes: ["cloud", "home"])
    for name in ["home", "cloud"] { #expect(await machine.run("remote", "rm", name).status == 0) }
    await expectAdding("cloud", gives: ["airports"])
    await expectAdding("home", gives: ["health"])
  }

  @Test func `nothing of an excluded domain gets there`() async throws {
    try configure(
      [("airports", "remotes: [home, cloud]"), ("health", "remotes: [home]")],
      remotes: ["cloud", "home"])
    #expect(await machine.run("health", "subject", "add", "Ada").status == 0)
    #expect(await machine.run("remote", "rm", "cloud").status == 0)
    await expectAdding("cloud", gives: ["airports"])
    #expect(await machine.run("sync").status == 0)
    let names = try LocalFolder.names(in: "\(machine.home.path)/new-cloud", ending: "")
    #expect(!names.contains { $0.contains("health") }, "\(names)")
  }

  // MARK: New ones

  @Test func `a new remote gets every domain if all have the same remotes`() async throws {
    let made = await machine.run(
      "init", "--yes", "--unencrypted", "--domains", "airports,health", "--remote",
      "a=\(place("a"))")
    #expect(made.status == 0, "\(made.error)")
    await expectAdding("b", gives: ["airports", "health"])
    #expect(await domains(at: "a") == ["airports", "health"])
  }

  @Test(arguments: ["enabled: true", "remotes: [home]"])
  func `if some have other remotes, the user must name the domains`(_ health: String) async throws {
    try configure(
      [("airports", "remotes: [cloud]"), ("health", health)], remotes: ["cloud", "home"])
    let before = try machine.home.read(TestMachine.file)
    for words in [["--no-input"], ["--yes"]] {
      let outcome = await machine.run(
        ["remote", "add", "--unencrypted", "new", place("new")] + words)
      #expect(outcome.status == 64, "\(outcome.error)")
    }
    #expect(try machine.home.read(TestMachine.file) == before)
    #expect(!LocalFolder.exists("\(machine.home.path)/new"))
    await expectAdding("one", "--domains", "airports", gives: ["airports"])
    await expectAdding("two", "--domains", "all", gives: ["airports", "health"])
    let off = await machine.run(
      "remote", "add", "--unencrypted", "three", place("three"), "--domains", "media")
    #expect(off.status == 64 && off.error.contains("is disabled"), "\(off.error)")
  }

  @Test(arguments: [[], ["--reinit"], ["--adopt"], ["--yes"]])
  func `adding an existing remote again lets no other domain in`(_ words: [String]) async throws {
    try configure(
      [("airports", "remotes: [cloud]"), ("health", "remotes: [home]")], remotes: ["cloud", "home"])
    let again = await machine.run(
      ["remote", "add", "--unencrypted", "cloud", place("cloud")] + words)
    #expect(again.status == 0, "\(again.error)")
    #expect(await domains(at: "cloud") == ["airports"])
    #expect(await domains(at: "home") == ["health"])
    let more = await machine.run(
      "remote", "add", "--unencrypted", "cloud", place("cloud"), "--domains", "health")
    #expect(more.status == 0, "\(more.error)")
    #expect(await domains(at: "cloud") == ["airports", "health"])
  }

  @Test func `on a terminal it shows the domains and asks`() async throws {
    var person = machine
    person.isTerminal = true
    #expect(
      await machine.run("init", "--yes", "--unencrypted", "--domains", "airports,bike").status == 0)
    person.input = "\n"
    let usual = await person.run("remote", "add", "--unencrypted", "a", place("a"))
    #expect(usual.status == 0 && usual.error.contains("airports,bike"), "\(usual.error)")
    #expect(await domains(at: "a") == ["airports", "bike"])
    person.input = "bike\n"
    #expect(await person.run("remote", "add", "--unencrypted", "b", place("b")).status == 0)
    #expect(await domains(at: "b") == ["bike"])
    // Now they differ: only a person can decide.
    person.input = "\n"
    #expect(await person.run("remote", "add", "--unencrypted", "c", place("c")).status == 64)
    #expect(await domains(at: "c").isEmpty)
  }

  // MARK: Moved ones

  @Test(arguments: ["file", "sqlite"])
  func `a moved remote names the command that fixes it, which lets no other domain in`(
    _ kind: String
  ) async throws {
    let (old, new) = ("\(machine.home.path)/old", "\(machine.home.path)/new")
    let made = await machine.run(
      "init", "--yes", "--unencrypted", "--domains", "airports,health", "--remote",
      "cloud=\(kind):\(old)")
    #expect(made.status == 0, "\(made.error)")
    #expect(await machine.run("config", "set", "domains.health.remotes", "cloud").status == 0)
    #expect(await machine.run("airports", "add", "ZRH", "LSZH").status == 0)
    #expect(await machine.run("sync").status == 0)
    for ending in ["", "-wal", "-shm"] where FileSignature(old + ending) != nil {
      try LocalFile.move(old + ending, to: new + ending)
    }
    let mend = "cloudsync config set remotes.cloud.path"
    for words in [["sync"], ["remote", "test", "cloud"], ["verify", "--remotes"]] {
      let failed = await machine.run(words)
      #expect(failed.status == 69 && failed.error.contains(mend), "\(words): \(failed.error)")
    }
    let doctor = await machine.run("doctor", "--plain")
    #expect(doctor.status == 1 && doctor.output.contains(mend), "\(doctor.output)")
    let added = await machine.run("remote", "add", "--unencrypted", "cloud", "\(kind):\(new)")
    #expect(added.status == 64 && added.error.contains("\(mend) \(new)"), "\(added.error)")
    #expect(await machine.run("config", "set", "remotes.cloud.path", new).status == 0)
    #expect(await machine.run("airports", "add", "HEL", "EFHK").status == 0)
    let sync = await machine.run("sync", "--json")
    #expect(sync.status == 0, "\(sync.error)")
    #expect(sync.document["jobs"]?[0]?["pushed"] == 1)
  }

  @Test func `an emptied folder does so too`() async throws {
    let old = "\(machine.home.path)/old"
    let made = await machine.run(
      "init", "--yes", "--unencrypted", "--domains", "airports", "--remote", "cloud=file:\(old)")
    #expect(made.status == 0, "\(made.error)")
    #expect(await machine.run("sync").status == 0)
    try LocalFile.move(old, to: old + ".moved")
    try LocalFolder.create(old)
    let sync = await machine.run("sync")
    #expect(sync.status == 77)
    #expect(sync.error.contains("config set remotes.cloud.path"), "\(sync.error)")
    #expect(sync.error.contains("remote add cloud file:\(old) --reinit"), "\(sync.error)")
  }
}
