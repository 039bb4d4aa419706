import LocalMachine
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

@testable import CloudSyncCommands

/// Whoever only reads leaves nothing behind and needs no disk to write to.
struct ReadingTests {
  /// What is meant to make something, or goes on until it is told to end.
  private static let making: Set<[String]> = [
    ["init"], ["demo"], ["bike", "strava", "login"], ["bike", "calendar"], ["diagnose"],
  ]

  /// A command line for every command of the client: a dry run of those that change something, and each argument
  /// that must be there by a word.
  static let commands: [[String]] = CommandTreeTests.all.compactMap { place -> [String]? in
    guard place.command.configuration.subcommands.isEmpty, !making.contains(place.words),
      !CommandTreeTests.handed.contains(place.words.first ?? ""),
      let page = try? CommandDocument(place.command, at: place.words).keys
    else { return nil }
    let arguments = (page["arguments"]?.array ?? []).filter { $0["optional"] == false }
    let options = (page["options"]?.array ?? []).filter { $0["optional"] == false }
    let canRehearse = (page["options"]?.array ?? []).contains {
      $0["names"]?.array?.contains("--dry-run") == true
    }
    return place.words + arguments.map { _ in "x=1" }
      + options.flatMap { [$0["names"]?[0]?.string ?? "", "x"] } + (canRehearse ? ["-n"] : [])
  }

  /// All that lies in a folder, files and folders.
  private static func content(of folder: String) throws -> [String] {
    guard let open = opendir(folder) else { throw SystemError("read \(folder)") }
    defer { closedir(open) }
    var found: [String] = []
    while let entry = readdir(open) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != ".", name != ".." else { continue }
      found.append(name)
      let path = LocalFolder.path(folder, name)
      if LocalFolder.exists(path) { found += try content(of: path).map { "\(name)/\($0)" } }
    }
    return found.sorted()
  }

  @Test(arguments: commands)
  func `in an empty home nothing is left behind`(_ words: [String]) async throws {
    let machine = try TestMachine()
    machine.clock.advance(by: 1_800_000_000_000)
    let outcome = await machine.run(words)
    let left = try Self.content(of: machine.home.path)
    #expect(left.isEmpty, "\(words) ended \(outcome.status)")
  }

  private static let reading: [[String]] = [
    ["status"], ["log"], ["history", "list"], ["conflicts", "list"], ["device", "list"],
    ["remote", "list"], ["config", "show"], ["airports", "list"], ["airports", "stats"],
    ["bike", "due"], ["health", "subject", "list"], ["media", "lists"], ["settings", "list"],
    ["verify"], ["airports", "export"], ["media", "stats"],
  ]

  @Test(arguments: reading)
  func `a store that is not there is empty`(_ words: [String]) async throws {
    let machine = try TestMachine()
    machine.clock.advance(by: 1_800_000_000_000)
    let outcome = await machine.run(words + ["--json"])
    #expect(outcome.status == 0, "\(words): \(outcome.error)")
    #expect(try Self.content(of: machine.home.path).isEmpty)
  }

  @Test(.enabled(if: Mounts.areAllowed))
  func `a home that cannot be written to can be read, empty or not`() async throws {
    let machine = try TestMachine()
    machine.clock.advance(by: 1_800_000_000_000)
    let home = machine.home.path
    #expect(try Mounts.mount(home, "size=16m"))
    defer { Mounts.unmount(home) }
    #expect(try Mounts.remount(home, isReadOnly: true))
    for words in Self.reading {
      let outcome = await machine.run(words)
      #expect(outcome.status == 0, "\(words): \(outcome.error)")
    }
    let refused = await machine.run("airports", "add", "ZRH", "LSZH")
    #expect(refused.status == 74, "\(refused.error)")
    #expect(try Mounts.remount(home, isReadOnly: false))
    #expect(await machine.run("init", "--yes", "--unencrypted", "--remote", "r=~/r").status == 0)
    #expect(await machine.run("airports", "add", "ZRH", "LSZH").status == 0)
    #expect(await machine.run("sync").status == 0)
    #expect(try Mounts.remount(home, isReadOnly: true))
    for words in Self.reading {
      let outcome = await machine.run(words)
      #expect(outcome.status == 0, "\(words): \(outcome.error)")
    }
    #expect(await machine.run("airports", "list").output.contains("ZRH"))
  }

  @Test func `the first write makes the device and the store, which stay`() async throws {
    let machine = try TestMachine()
    machine.clock.advance(by: 1_800_000_000_000)
    let before = await machine.run("status", "--json").document
    #expect(before["device"]?["id"]?.isNull == true)
    #expect(try Schemas.problems(in: before, by: "status").isEmpty)
    #expect(await machine.run("airports", "add", "ZRH", "LSZH").status == 0)
    let id = await machine.run("status", "--json").document["device"]?["id"]?.string
    #expect(id != nil)
    #expect(await machine.run("airports", "add", "GVA", "LSGG").status == 0)
    #expect(await machine.run("status", "--json").document["device"]?["id"]?.string == id)
    let show = await machine.run("airports", "show", "ZRH", "--json").document
    #expect(show["device"]?["id"]?.string == id)
    let made = try Self.content(of: "\(machine.home.path)/.local/share/cloudsync")
      .filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    #expect(made == ["airports.identity", "airports.sqlite", "device"])
    #expect(await machine.run("airports", "list").error.isEmpty, "it is no copy of itself")
  }

  @Test func `two sessions that read before the first write write to one store`() throws {
    let machine = try TestMachine()
    let (one, two) = (try Session(machine.context()), try Session(machine.context()))
    let (first, second) = (try one.store("airports"), try two.store("airports"))
    func add(_ id: RecordID, to store: SyncStore) throws {
      _ = try store.write { transaction in
        try transaction.save(
          RecordDraft("mapping", id: id, fields: ["icao": .string("LSZH")], isNew: true))
      }
    }
    try add("ZRH", to: first)
    // The second session has drawn another id, under which nothing may be written.
    let error = #expect(throws: SyncError.self) { try add("GVA", to: second) }
    #expect(error?.code == .storeBusy)
    try add("GVA", to: two.store("airports"))
    #expect(try one.store("airports").records("mapping").count == 2)
    #expect(try one.device() == two.device())
  }

  @Test func `a rehearsal makes nothing, and what it would do is seen`() async throws {
    let machine = try TestMachine()
    let outcome = await machine.run("airports", "add", "ZRH", "LSZH", "-n", "--json")
    #expect(outcome.status == 0 && outcome.document["added"] == 1, "\(outcome.error)")
    #expect(try Self.content(of: machine.home.path).isEmpty)
  }
}
