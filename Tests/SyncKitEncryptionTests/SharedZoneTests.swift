import SyncCrypto
import SyncKit
import SyncKitTesting
import Synchronization
import Testing

@testable import SyncKitEncryption

/// An owner and two guests who mean well: they invite, write, leave and come back, and all have the same in the end.
struct SharedZoneTests {
  @Test func `guests who were invited read and write, on all their devices`() async throws {
    let world = try await SharedWorld.shared()
    try world.ben.devices[1].write("b", "of ben", in: world.trip)
    try world.cara.first.write("c", "of cara", in: world.trip)
    try await world.settle()
    for person in [world.anna, world.ben, world.cara] {
      for device in person.devices {
        #expect(try device.texts == ["of anna", "of ben", "of cara"])
      }
    }
    #expect(world.entry(on: world.anna.devices[1])?.parts.map(\.id) == ["ben", "cara"])
    // Invitations went when they were accepted, and entries when others took their place.
    #expect(world.place.objects.count(where: \.isOnShelf) == 1)
  }

  @Test func `what a guest writes before an entry names it is taken`() async throws {
    let world = try SharedWorld()
    try await world.accept(world.invite(world.ben), by: world.ben)
    try await world.ben.sync()
    try world.ben.first.write("b", "of ben", in: world.trip)
    #expect(try await world.ben.first.sync().error == nil)
    #expect(world.entry(on: world.ben.first)?.parts.isEmpty == true)
    try await world.settle()
    for device in world.anna.devices + world.ben.devices {
      #expect(try device.texts == ["of anna", "of ben"])
    }
  }

  @Test func `a writer becomes a reader and a writer again, and what it wrote stays`() async throws
  {
    let world = try await SharedWorld.shared()
    try world.ben.first.write("b", "before", in: world.trip)
    try await world.settle()
    world.set("ben", mayWrite: false)
    try await world.settle()
    #expect(try world.ben.first.store.access(to: world.trip.zone)?.role == .reader)
    #expect(throws: SyncError.self) { try world.ben.first.write("b2", "meanwhile", in: world.trip) }
    let newcomer = try world.anna.join()
    #expect(try await newcomer.sync().error == nil)
    #expect(try newcomer.texts == ["before", "of anna"])
    world.set("ben", mayWrite: true)
    try await world.settle()
    try world.ben.first.write("b2", "after", in: world.trip)
    try await world.settle()
    for device in world.anna.devices + world.cara.devices {
      #expect(try device.texts == ["after", "before", "of anna"])
    }
  }

  @Test func `who is removed keeps what was there and gets nothing more`() async throws {
    let world = try await SharedWorld.shared()
    try world.ben.first.write("b", "of ben", in: world.trip)
    try await world.settle()
    world.set("ben", mayWrite: nil)
    try await world.settle()
    try world.anna.first.write("later", "not for ben", in: world.trip)
    try await world.settle()
    #expect(try world.ben.first.texts == ["of anna", "of ben"])
    #expect(try world.ben.first.store.access(to: world.trip.zone)?.role == .removed)
    #expect(try world.cara.first.texts == ["not for ben", "of anna", "of ben"])
    // Who comes later has what the removed guest wrote.
    let newcomer = try world.anna.join()
    #expect(try await newcomer.sync().error == nil)
    #expect(try newcomer.texts == ["not for ben", "of anna", "of ben"])
  }

  @Test func `the owner begins a new epoch, and all go on`() async throws {
    let world = try await SharedWorld.shared()
    try world.ben.first.write("b", "of ben", in: world.trip)
    try await world.settle()
    try world.anna.beginEpoch(lettingGo: [world.anna.devices[1]])
    try world.anna.first.write("c", "later", in: world.trip)
    try await world.settle()
    try world.ben.first.write("d", "of ben later", in: world.trip)
    try await world.settle()
    for device in world.anna.devices + world.ben.devices + world.cara.devices {
      #expect(try device.texts == ["later", "of anna", "of ben", "of ben later"])
    }
    #expect(world.entry(on: world.cara.first)?.card.epoch == 2)
  }

  @Test func `what is written in an epoch that no entry has named is read by guests`() async throws
  {
    let world = try await SharedWorld.shared()
    try world.anna.beginEpoch()
    try world.anna.devices[1].write("c", "in between", in: world.trip)
    #expect(try await world.anna.devices[1].sync(stating: false).error == nil)
    try world.anna.beginEpoch()
    try await world.settle()
    for device in world.anna.devices + world.ben.devices + world.cara.devices {
      #expect(try device.texts == ["in between", "of anna"])
    }
  }

  @Test func `a guest begins a new epoch, and all go on`() async throws {
    let world = try await SharedWorld.shared()
    try world.ben.first.write("b", "of ben", in: world.trip)
    try await world.settle()
    try world.ben.beginEpoch(lettingGo: [world.ben.devices[1]])
    try await world.settle()
    try world.ben.first.write("d", "of ben later", in: world.trip)
    try await world.settle()
    let newcomers = [try world.anna.join(), try world.ben.join(), try world.cara.join()]
    try await world.settle()
    for device in world.anna.devices + world.cara.devices + newcomers {
      #expect(try device.texts == ["of anna", "of ben", "of ben later"])
    }
    let entry = try #require(world.entry(on: world.cara.first))
    #expect(entry.parts.first?.card.epoch == 2 && entry.keys.last?.share == 1)
    #expect(entry.former == [PersonKey(world.ben.first.keys.vault.epochs[0]).signing.publicKey])
  }

  @Test func `who was removed and is invited again takes part again`() async throws {
    let world = try await SharedWorld.shared()
    world.set("ben", mayWrite: nil)
    try await world.settle()
    try world.anna.first.write("b", "between", in: world.trip)
    try await world.settle()
    try await world.accept(world.invite(world.ben, as: "ben2"), by: world.ben, as: "ben2")
    try await world.settle()
    #expect(try world.ben.devices[1].texts == ["between", "of anna"])
    try world.ben.first.write("c", "back", in: world.trip)
    try await world.settle()
    for device in world.anna.devices + world.cara.devices {
      #expect(try device.texts == ["back", "between", "of anna"])
    }
  }

  @Test func `two devices of the owner state at once, and all take the same`() async throws {
    let world = try await SharedWorld.shared()
    world.set("ben", mayWrite: false)
    let devices = world.anna.devices
    // Neither sees what the other has stated.
    let before = world.place.objects
    try await devices[0].state()
    let first = world.place.objects
    world.place.objects = before
    try await devices[1].state()
    world.place.objects += first.filter { one in
      !before.contains { $0.listed.head == one.listed.head }
    }
    try await world.settle()
    let entries = Set(
      (devices + world.ben.devices + world.cara.devices).map { world.entry(on: $0) })
    #expect(entries.count == 1 && entries.first??.parts.first?.mayWrite == false)
    try world.cara.first.write("c", "of cara", in: world.trip)
    try await world.settle()
    #expect(try devices[1].texts == ["of anna", "of cara"])
  }

  @Test func `a zone that its owner removes goes from the guests`() async throws {
    let world = try await SharedWorld.shared()
    let trip = world.trip
    try world.anna.first.store.setScope(.local, of: trip)
    try await world.settle()
    #expect(world.place.state.withLock { $0.erased[world.name] != nil })
    for device in world.ben.devices { #expect(try device.texts.isEmpty) }
  }

  @Test func `a device that starts again knows what it knew`() async throws {
    let world = try await SharedWorld.shared()
    for device in world.anna.devices + world.ben.devices + world.cara.devices {
      let again = try #require(DeviceKeys(device.keys.bytes))
      #expect(again == device.keys)
      let (before, after) = (ShareBook(device.keys), ShareBook(again))
      #expect(after.entries == before.entries && !after.entries.isEmpty)
      #expect(after.foreign[world.name]?.keys == before.foreign[world.name]?.keys)
      device.keys = again
    }
    try world.ben.first.write("b", "after", in: world.trip)
    try await world.settle()
    #expect(try world.cara.first.texts == ["after", "of anna"])
  }
}
