import LocalMachine
import CommandFoundation
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

/// A device that has been out of step for too long.
struct StaleTests {
  @Test
  func
    `after a week without a successful sync hooks report it once a day until it is over`()
    async throws
  {
    let machine = try TestMachine()
    machine.clock.advance(by: 1_700_000_000_000)
    let folder = "\(machine.home.path)/remote"
    let made = await machine.run(
      "init", "--yes", "--unencrypted", "--domains", "airports", "--remote", "folder=file:\(folder)"
    )
    #expect(made.status == 0, "\(made.error)")
    let config = try LocalFile.read(machine.configuration, limit: 1 << 20)
    let hook =
      "hooks:\n  note: { kind: command, run: [/bin/sh, -c, 'cat >>\"\(machine.home.path)/told\"'], when: [stale] }\n"
    try LocalFile.replace(machine.configuration, with: config + Array(hook.utf8))
    #expect(await machine.run("sync").status == 0)
    try LocalFile.move(folder, to: "\(folder).away")
    func told() -> Int {
      let bytes = (try? LocalFile.read("\(machine.home.path)/told", limit: 1 << 20)) ?? []
      return bytes.split(separator: UInt8(ascii: "\n")).count
    }
    var counts: [Int] = []
    for _ in 0..<9 {
      machine.clock.advance(by: 86_400_000)
      #expect(await machine.run("sync").status == 69)
      #expect(await machine.run("sync").status == 69)
      counts.append(told())
    }
    #expect(counts == [0, 0, 0, 0, 0, 0, 0, 1, 2])
    #expect(await machine.run("status", "--check").status == 5)
    try LocalFile.move("\(folder).away", to: folder)
    #expect(await machine.run("sync").status == 0)
    #expect(told() == 2)
    // Stale without a failure: there was no attempt.
    machine.clock.advance(by: 8 * 86_400_000)
    #expect(await machine.run("status", "--check").status == 5)
    let state = await machine.run("status", "--json").document["domains"]?[0]
    #expect(state?["state"] == "stale" && state?["stale"] == true)
  }
}
