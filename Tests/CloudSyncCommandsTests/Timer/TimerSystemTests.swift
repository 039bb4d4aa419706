import LocalMachine
import CommandFoundation
import SyncKit
import Testing

@testable import CloudSyncCommands

/// Timers of several profiles in one folder.
struct TimerSystemTests {
  private func configuration(jobs: String...) throws -> Configuration {
    let lines = jobs.map { "  \($0): { domains: [airports], every: 15m }\n" }.joined()
    return try TestMachine(configuration: "version: 1\njobs:\n\(lines)").load().values
  }

  @Test func `no two profiles and jobs share a name`() throws {
    let configuration = try configuration(jobs: "a", "b", "b-c", "c", "a-b-c")
    let empty = try TestMachine().load().values
    var names: [String] = []
    for profile in [nil, "a", "a-b", "b-c"] {
      for every in [nil, Duration.seconds(900)] {
        names += TimerPlan(configuration, profile: profile, every: every).entries.map(\.name)
      }
    }
    #expect(Set(names).count == names.count, "\(names)")
    // The most common ones keep their names.
    #expect(names.first == "cloudsync-a")
    #expect(TimerPlan(empty, profile: nil, every: nil).entries.map(\.name) == ["cloudsync"])
  }

  @Test func `each profile and configuration has its own, whatever their former names`() throws {
    let machine = try TestMachine()
    let place = try TimerSystem(.user, machine.context())
    let owners = try [
      TimerOwner(machine.context()), TimerOwner(machine.context("--profile", "a")),
      TimerOwner(machine.context("--config", "/x/config.yaml")),
    ]
    for (name, owner) in zip(["cloudsync", "cloudsync-a", "cloudsync-x"], owners) {
      let entry = TimerPlan.Entry(name: name, every: .seconds(900))
      let words = entry.words("/bin/cloudsync", config: owner.config, profile: owner.profile)
      let units = SystemdUnits(entry: entry, words: words, scope: .user)
      try place.write(units.files, of: owner)
    }
    try machine.home.write("[Unit]\n", to: ".config/systemd/user/cloudsync-mine.service")
    #expect(place.timers().map(\.name) == ["cloudsync", "cloudsync-a", "cloudsync-x"])
    #expect(place.files(of: owners[1]) == ["cloudsync-a.service", "cloudsync-a.timer"])

    // Foreign files are not overwritten.
    let entry = TimerPlan.Entry(name: "cloudsync-a", every: .seconds(60))
    let units = SystemdUnits(
      entry: entry, words: entry.words("/bin/cloudsync", config: nil, profile: nil), scope: .user)
    #expect(throws: SyncError.self) { try place.write(units.files, of: owners[0]) }
    #expect(place.timers().map(\.seconds) == [900, 900, 900])
  }

  @Test func `a file that stays is not reported as removed`() throws {
    let machine = try TestMachine()
    let place = try TimerSystem(.user, machine.context())
    try machine.home.write("x", to: ".config/systemd/user/cloudsync.service")
    // A folder plays a file that cannot be removed, not even by root.
    try LocalFolder.create("\(place.folder)/cloudsync-a.service")
    let names = ["cloudsync-a.service", "cloudsync.service"]
    #expect(throws: SyncError.self) { try place.remove(names) }
    #expect(FileSignature("\(place.folder)/cloudsync.service") == nil)
  }
}
