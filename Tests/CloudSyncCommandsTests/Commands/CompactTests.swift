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

/// A compaction ends as a sync does, and uses only remotes that a sync would use.
struct CompactTests {
  private func machine() async throws -> TestMachine {
    let machine = try TestMachine()
    let made = await machine.run(
      "init", "--yes", "--unencrypted", "--domains", "airports,bike", "--remote",
      "folder=file:\(machine.home.path)/remote", "-q")
    #expect(made.status == 0, "\(made.error)")
    #expect(await machine.run("airports", "add", "JFK", "KJFK").status == 0)
    return machine
  }

  private func results(_ outcome: TestMachine.Outcome) -> [String?] {
    (outcome.document["jobs"]?.array ?? []).map { $0["result"]?.string }
  }

  @Test func `without its remote it prints the failure and ends with its status`() async throws {
    let machine = try await machine()
    #expect(await machine.run("sync", "-q").status == 0)
    #expect(rename("\(machine.home.path)/remote", "\(machine.home.path)/away") == 0)
    let outcome = await machine.run("compact", "--json")
    #expect(outcome.status == 69)
    #expect(outcome.failure["code"] == "remote.unavailable")
    #expect(results(outcome) == ["failed", "failed"])
    #expect(try Schemas.problems(in: outcome.document, by: "compact").isEmpty)
  }

  @Test func `a paused domain is skipped`() async throws {
    let machine = try await machine()
    #expect(await machine.run("pause", "airports", "-q").status == 0)
    let outcome = await machine.run("compact", "--json")
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(results(outcome) == ["skipped", "ok"])
    #expect(outcome.document["jobs"]?[0]?["reason"] == "paused")
    #expect(try Schemas.problems(in: outcome.document, by: "compact").isEmpty)
    // The pending changes of that domain were not sent.
    let status = await machine.run("status", "airports", "--json").document
    #expect(status["domains"]?[0]?["pending"] == 1)
  }
}
