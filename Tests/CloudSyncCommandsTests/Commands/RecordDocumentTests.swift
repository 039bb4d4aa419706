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

/// The output of commands on records conforms to the shipped schemas.
struct RecordDocumentTests {
  @Test func `every document conforms to its schema`() async throws {
    let machine = try TestMachine()
    _ = await machine.run("airports", "add", "ABC", "KABC", "-q")
    _ = await machine.run("airports", "add", "JFK", "KJFK", "-q")
    _ = await machine.run("airports", "rm", "JFK", "-q")
    let documents: [(schema: String, arguments: [String])] = [
      ("airports.list", ["airports", "list", "--deleted"]),
      ("airports.list", ["airports", "export"]),
      ("airports.show", ["airports", "show", "ABC"]),
      ("airports.stats", ["airports", "stats"]),
      ("airports.lookup", ["airports", "lookup", "ABC"]),
      ("airports.lookup", ["airports", "lookup", "paris"]),
      ("airports.export", ["airports", "export", "\(machine.home.path)/codes.json"]),
      ("history", ["history"]), ("history", ["airports", "history", "--since", "1d"]),
      ("conflicts", ["conflicts"]), ("conflicts", ["airports", "conflicts"]),
      ("write", ["airports", "add", "LHR", "EGLL"]),
      ("write", ["airports", "add", "XYZ", "KXYZ", "--dry-run"]),
      ("write", ["airports", "set", "ABC", "icao=LEAB"]),
      ("write", ["airports", "learn", "LGW", "EGKK"]),
      ("write", ["airports", "restore", "JFK", "-n"]),
      ("write", ["restore", "airports", "JFK"]), ("write", ["airports", "rm", "JFK"]),
      ("write", ["airports", "import", "-"]),
    ]
    for (schema, arguments) in documents {
      var machine = machine
      machine.input = "{}"
      let outcome = await machine.run(arguments + ["--json"])
      #expect(outcome.status == 0, "\(arguments): \(outcome.error)")
      let problems = try Schemas.problems(in: outcome.document, by: schema)
      #expect(problems.isEmpty, "\(arguments): \(problems)")
    }
  }

  @Test func `the documents of every domain conform to the schemas of airports`() async throws {
    let machine = try TestMachine()
    _ = await machine.run("settings", "put", "appFont", "Menlo", "-q")
    _ = await machine.run("media", "lists", "--add", "Films", "-q")
    for (schema, arguments) in [
      ("airports.list", ["settings", "list"]), ("airports.stats", ["media", "stats"]),
      ("airports.show", ["settings", "show", "appFont"]),
      ("airports.export", ["bike", "export", "\(machine.home.path)/bikes.json"]),
      ("write", ["health", "subject", "add", "Anna"]),
    ] {
      let outcome = await machine.run(arguments + ["--json"])
      #expect(outcome.status == 0, "\(arguments): \(outcome.error)")
      let problems = try Schemas.problems(in: outcome.document, by: schema)
      #expect(problems.isEmpty, "\(arguments): \(problems)")
    }
  }

  @Test func `setup and the remote commands conform to schemas too`() async throws {
    let machine = try TestMachine()
    let remote = "file:\(machine.home.path)/shared"
    var recovery = ""
    for (schema, arguments) in [
      ("init", ["init", "--yes", "--unencrypted", "--remote", "a=\(remote)"]),
      ("remotes", ["remote", "list"]),
      ("remote-test", ["remote", "test", "a"]),
      ("remote", ["remote", "add", "--unencrypted", "b", "\(remote)2"]),
      ("remote", ["remote", "rm", "b"]), ("vault", ["vault"]),
      ("remote", ["remote", "add", "c", "\(remote)3"]), ("vault", ["vault", "show"]),
      ("pairing", ["device", "pair"]),
      ("vault.epoch", ["vault", "rotate", "--recovery-code", "RECOVERY"]),
      ("vault.epoch", ["vault", "rotate", "--reencrypt", "--recovery-code", "RECOVERY"]),
      ("vault.decrypt", ["vault", "decrypt", "c", "--dry-run"]),
      ("vault.recovery", ["vault", "recovery", "new", "--lost"]),
      ("vault.passphrase", ["vault", "passphrase", "--remove"]),
      ("vault.encrypt", ["vault", "encrypt", "a", "--dry-run"]),
      ("vault.encrypt", ["vault", "encrypt", "a"]),
    ] {
      let arguments = arguments.map { $0 == "RECOVERY" ? recovery : $0 }
      let outcome = await machine.run(arguments + ["--json"])
      #expect(outcome.status == 0, "\(arguments): \(outcome.error)")
      recovery = outcome.document["recovery"]?.string ?? recovery
      #expect(outcome.document["schema"]?.string == "cloudsync.\(schema)/1")
      let problems = try Schemas.problems(in: outcome.document, by: schema)
      #expect(problems.isEmpty, "\(arguments): \(problems)")
    }
  }

  @Test func `status reports a failed sync with everything that its schema requires`() async throws
  {
    let machine = try TestMachine()
    let remote = "\(machine.home.path)/shared"
    _ = await machine.run("init", "--yes", "--unencrypted", "--remote", "a=file:\(remote)", "-q")
    _ = await machine.run("sync", "-q")
    #expect(rename(remote, remote + ".gone") == 0)
    #expect(await machine.run("sync", "-q").status == 69)
    let document = await machine.run("status", "--json").document
    #expect(try Schemas.problems(in: document, by: "status").isEmpty)
    let error = document["domains"]?[0]?["remotes"]?[0]?["error"]
    #expect(error?["exit"]?.int == 69 && error?["retryable"]?.bool == true)
  }

  @Test func `a failing run prints a document and an error that conform to their schemas`()
    async throws
  {
    var machine = try TestMachine()
    machine.input = #"{"XX":"KABC","JFK":"KJFK"}"#
    let failing = [["add", "LON", "EGLL"], ["rm", "JFK"], ["import", "-"], ["import", "none"]]
    for arguments in failing {
      let outcome = await machine.run(["airports"] + arguments + ["--json"])
      #expect(outcome.status == 65 || outcome.status == 66)
      #expect(try Schemas.problems(in: outcome.document, by: "write").isEmpty)
      #expect(try Schemas.problems(in: outcome.failure, by: "error").isEmpty)
    }
  }
}
