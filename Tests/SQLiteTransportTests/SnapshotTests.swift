import SQLiteTransport
import SyncKit
import SyncKitTesting
import Testing

/// Files in which snapshots stand for what is gone.
@Suite struct SharedFileSnapshotTests {
  /// Devices that write to one file all the time.
  private struct Family {
    let place: SharedPlace
    let clock = VirtualClock()
    let a: BusyDevice
    let b: BusyDevice

    init() throws {
      place = try SharedPlace()
      a = try BusyDevice("a", place.transport(), of: SharedPlace.domain, clock: clock)
      b = try BusyDevice("b", place.transport(), of: SharedPlace.domain, clock: clock)
    }

    func newcomer(_ name: String) throws -> BusyDevice {
      try BusyDevice(name, place.transport(), of: SharedPlace.domain, clock: clock)
    }

    func work(_ numbers: Range<Int>) async throws {
      for number in numbers {
        try await a.write(number)
        if number.isMultiple(of: 3) { try await b.write(number + 7) }
      }
    }

    func agree(_ others: BusyDevice...) async throws {
      for _ in 0..<2 { for device in [a, b] + others { try await device.sync() } }
      for device in [b] + others {
        #expect(try device.digests == a.digests)
        #expect(try device.isSound)
      }
    }

    /// Puts the file back to a copy of it.
    func putBack(_ copy: String) throws {
      #expect(place.run("rm -f shared.sqlite*; cp \(copy) shared.sqlite") == 0)
    }

    func copy(to name: String) throws {
      try place.sql("PRAGMA wal_checkpoint(TRUNCATE); VACUUM INTO '\(place.folder)/\(name)'")
    }
  }

  @Test func `a file that was put back from a copy is filled again beside its snapshots`()
    async throws
  {
    let family = try Family()
    try await family.work(0..<40)
    try family.copy(to: "early")
    try await family.work(40..<160)
    let late = try family.newcomer("late")
    try await late.sync()
    #expect(try late.store.history().count < 200, "it did not begin with a snapshot")
    try family.copy(to: "middle")
    try await family.work(160..<200)
    for copy in ["middle", "early"] {
      try family.putBack(copy)
      // The device with less of the history comes first.
      try await late.sync()
      try await family.agree(late)
      let newcomer = try family.newcomer("after \(copy)")
      try await newcomer.sync()
      try await family.agree(late, newcomer)
    }
  }

  @Test func `a damaged snapshot is taken out, and what it stood for comes again`() async throws {
    let family = try Family()
    try await family.work(0..<160)
    let snapshots = try await family.place.transport().inventory(of: SharedPlace.domain).segments
      .filter(\.series.isSnapshot)
    #expect(!snapshots.isEmpty)
    for part in snapshots {
      try family.place.sql(
        "UPDATE segment SET bytes = zeroblob(length(bytes)) WHERE cursor = \(part.location)")
    }
    let newcomer = try family.newcomer("newcomer")
    for _ in 0..<2 { for device in [newcomer, family.a, family.b] { try await device.sync() } }
    try await newcomer.sync()
    try await family.agree(newcomer)
  }
}
