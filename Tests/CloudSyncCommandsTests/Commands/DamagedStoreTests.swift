import LocalMachine
import CommandFoundation
import SyncKitFormats
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

@testable import CloudSyncCommands

/// One store is damaged: a failing run nevertheless prints its document, with the results of the others.
struct DamagedStoreTests {
  private func machine() async throws -> TestMachine {
    let machine = try TestMachine()
    let made = await machine.run(
      "init", "--yes", "--unencrypted", "--domains", "airports,bike", "--remote",
      "folder=file:\(machine.home.path)/remote", "-q")
    #expect(made.status == 0, "\(made.error)")
    for (iata, icao) in [("JFK", "KJFK"), ("ZRH", "LSZH")] {
      #expect(await machine.run("airports", "add", iata, icao).status == 0)
    }
    return machine
  }

  /// Alters the bytes of a store.
  private func damage(
    _ machine: TestMachine, _ name: String = "airports", _ change: (inout [UInt8]) -> Void
  ) throws {
    let store = "\(machine.home.path)/.local/share/cloudsync/\(name).sqlite"
    #expect(LocalFile.size("\(store)-wal") == 0)
    for ending in ["-wal", "-shm"] { LocalFile.discard(store + ending) }
    var bytes = try LocalFile.read(store, limit: 1 << 24)
    change(&bytes)
    // In place: another file would count as a copy of the store.
    let file = open(store, O_WRONLY)
    #expect(file >= 0 && pwrite(file, bytes, bytes.count, 0) == bytes.count)
    close(file)
  }

  private func loseHeader(_ machine: TestMachine, of name: String = "airports") throws {
    try damage(machine, name) { bytes in
      for index in bytes.indices.prefix(64) { bytes[index] = 0x55 }
    }
  }

  private func domain(_ name: String, _ document: JSON) -> JSON? {
    document["domains"]?.array?.first { $0["name"]?.string == name }
  }

  @Test func `status shows every domain, and the damaged one as an error`() async throws {
    let machine = try await machine()
    try loseHeader(machine)
    let outcome = await machine.run("status", "--json")
    #expect(outcome.status == 65)
    #expect(outcome.failure["code"] == "store.damaged")
    let airports = domain("airports", outcome.document)
    #expect(airports?["state"] == "error" && airports?["error"]?["code"] == "store.damaged")
    #expect(airports?["records"] == .null && airports?["pending"] == .null)
    #expect(domain("bike", outcome.document)?["state"] == "neverSynced")
    let problems = try Schemas.problems(in: outcome.document, by: "status")
    #expect(problems.isEmpty, "\(problems)")
    // To a monitor it is a failed domain.
    let checked = await machine.run("status", "--check", "--plain")
    #expect(checked.status == 1)
    #expect(checked.output.hasPrefix("airports\terror\t"))
    #expect(checked.output.contains("\nbike\t"))
  }

  @Test func `verify reads the other stores as well`() async throws {
    let machine = try await machine()
    #expect(await machine.run("bike", "add", "b1", "name=Trail").status == 0)
    try loseHeader(machine)
    let outcome = await machine.run("verify", "--json")
    #expect(outcome.status == 65)
    #expect(outcome.failure["code"] == "store.damaged")
    let errors = outcome.document["errors"]?.array ?? []
    #expect(errors.count == 1 && errors.first?["domain"] == "airports")
    #expect(outcome.document["zones"]?.array?.contains { $0["domain"] == "bike" } == true)
    let problems = try Schemas.problems(in: outcome.document, by: "verify")
    #expect(problems.isEmpty, "\(problems)")
    #expect(await machine.run("verify", "--plain").output.contains("\nairports\t"))
  }

  @Test func `a store that never syncs is verified and repaired like any other`() async throws {
    let machine = try await machine()
    // There is nothing to read in an empty store, and reading does not create one.
    #expect(await machine.run("verify", "-q").status == 0)
    let store = "\(machine.home.path)/.local/share/cloudsync/airport-usage.sqlite"
    #expect(FileSignature(store) == nil)
    try machine.home.write("ZRH\n", to: "roster.txt")
    let roster = "\(machine.home.path)/roster.txt"
    #expect(await machine.run("airports", "resolve", roster).status == 0)
    #expect(FileSignature(store) != nil)
    #expect(await machine.run("verify", "-q").status == 0)
    try loseHeader(machine, of: "airport-usage")
    #expect(await machine.run("verify", "-q").status == 65)
    #expect(await machine.run("verify", "--domain", "airport-usage", "-q").status == 65)
    #expect(await machine.run("verify", "--domain", "airports", "-q").status == 0)
    let repaired = await machine.run("verify", "--domain", "airport-usage", "--repair")
    #expect(repaired.status == 0, "\(repaired.error)")
    #expect(await machine.run("verify", "-q").status == 0)
    #expect(await machine.run("airports", "used").status == 0)
  }

  @Test func `sync reports each job before it asks for decisions`() async throws {
    let machine = try await machine()
    try loseHeader(machine)
    let outcome = await machine.run("sync", "--fail-on-conflict", "--json")
    #expect(outcome.status == 65)
    let results = (outcome.document["jobs"]?.array ?? []).map { $0["result"]?.string }
    #expect(results == ["failed", "ok"])
    #expect(try Schemas.problems(in: outcome.document, by: "sync").isEmpty)
  }

  @Test func `a list that meets a damaged row ends and says that it is incomplete`() async throws {
    let machine = try await machine()
    try damage(machine) { bytes in
      let code = Array("LSZH".utf8)
      for index in bytes.indices where bytes[index...].starts(with: code) { bytes[index] ^= 1 }
    }
    let outcome = await machine.run("airports", "list", "--json")
    #expect(outcome.status == 65, "\(outcome.output)")
    #expect(outcome.document["records"]?.array != nil)
    #expect(outcome.document["error"]?["code"] == "store.damaged")
    #expect(try Schemas.problems(in: outcome.document, by: "airports.list").isEmpty)
  }
}
