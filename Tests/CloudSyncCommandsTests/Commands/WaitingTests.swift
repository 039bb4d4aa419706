import LocalMachine
import CommandFoundation
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

/// Known changes that never arrive.
struct WaitingTests {
  @Test func `after a day of waiting for the same thing a sync says so, and ends with 75`()
    async throws
  {
    let folder = try TemporaryFolder()
    let remote = "folder=file:\(folder.path)/remote"
    let (author, reader) = (try TestMachine(), try TestMachine())
    for machine in [author, reader] {
      machine.clock.advance(by: 1_700_000_000_000)
      let outcome = await machine.run(
        "init", "--yes", "--unencrypted", "--domains", "airports", "--remote", remote)
      #expect(outcome.status == 0, "\(outcome.error)")
    }
    for pair in [("JFK", "KJFK"), ("ZRH", "LSZH")] {
      author.clock.advance(by: 1_000)
      #expect(await author.run("airports", "add", pair.0, pair.1).status == 0)
      #expect(await author.run("sync").status == 0)
    }
    // The drive has downloaded the second file and not the first.
    let first = try #require(try folder.segments(in: "remote/airports").first)
    try LocalFile.move(first, to: "\(folder.path)/held")
    let early = await reader.run("sync", "--json")
    #expect(early.status == 0, "\(early.error)")
    #expect(early.document["jobs"]?[0]?["waiting"]?.int ?? 0 > 0)
    let verify = await reader.run("verify", "--remotes")
    #expect(verify.status == 0 && verify.error.contains("1 change has not arrived yet"))
    let verified = await reader.run("verify", "--remotes", "--json").document
    #expect(verified["remotes"]?[0]?["missing"] == 1)
    #expect(try Schemas.problems(in: verified, by: "verify").isEmpty)
    reader.clock.advance(by: 23 * 3_600_000)
    #expect(await reader.run("sync").status == 0)
    reader.clock.advance(by: 2 * 3_600_000)
    let late = await reader.run("sync", "--json")
    #expect(late.status == 75)
    #expect(late.failure["code"] == "remote.waiting")
    // When it arrives at last, the sync succeeds.
    try LocalFile.move("\(folder.path)/held", to: first)
    #expect(await reader.run("sync").status == 0)
    let list = await reader.run("airports", "list", "--json")
    #expect(list.document["records"]?.array?.count == 2)
  }
}
