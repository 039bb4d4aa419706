import LocalMachine
import CommandFoundation
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

/// A run that finds nothing to do, as cron starts most of them.
struct QuietSyncTests {
  @Test
  func `it writes nothing to a store, and status reports it nevertheless`() async throws {
    let machine = try TestMachine()
    machine.clock.advance(by: 1_700_000_000_000)
    let folder = "\(machine.home.path)/remote"
    let made = await machine.run(
      "init", "--yes", "--unencrypted", "--domains", "airports", "--remote", "folder=file:\(folder)"
    )
    #expect(made.status == 0, "\(made.error)")
    #expect(await machine.run("airports", "add", "JFK", "KJFK").status == 0)
    for _ in 0..<2 { #expect(await machine.run("sync").status == 0) }
    func lastSync() async -> Int64 {
      let remote = await machine.run("status", "--json").document["domains"]?[0]?["remotes"]?[0]
      return remote?["lastSync"]?.string.flatMap { Timestamp.parse($0) } ?? 0
    }
    let store = "\(machine.home.path)/.local/share/cloudsync/airports.sqlite"
    func bytes() throws -> [UInt8] {
      try LocalFile.read(store, limit: 1 << 24)
        + ((try? LocalFile.read("\(store)-wal", limit: 1 << 24)) ?? [])
    }

    let (before, first) = (try bytes(), await lastSync())
    machine.clock.advance(by: 600_000)
    #expect(await machine.run("sync").status == 0)
    #expect(try bytes() == before)
    #expect(await lastSync() == first + 600_000)

    // Now and then it is stored, for devices without a log.
    machine.clock.advance(by: 3_600_000)
    #expect(await machine.run("sync").status == 0)
    #expect(try bytes() != before)
    #expect(await lastSync() == first + 4_200_000)
  }
}
