import LocalMachine
import CommandFoundation
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

/// A session that lasts for days while other processes repair and restore its stores.
struct ExchangedStoreTests {
  @Test func `a replaced store is opened again, and nothing is created in between`() throws {
    let machine = try TestMachine()
    let session = try Session(machine.context())
    let path = session.storePath("airports")
    let first = try session.store("airports")
    #expect(try session.store("airports") === first)
    try Self.write(to: first)
    #expect(try session.store("airports") === first, "its own first write is no exchange")
    for ending in ["", "-wal", "-shm"] { _ = rename(path + ending, "\(path).old\(ending)") }
    #expect(try session.store("airports") === first)
    #expect(FileSignature(path) == nil, "a new store is in the way of the one that comes")

    let other = try Session(machine.context()).store("airports")
    try Self.write(to: other)
    let second = try session.store("airports")
    #expect(second !== first && second !== other)
    #expect(try session.store("airports") === second)
  }

  /// Writes something, which makes the file.
  private static func write(to store: SyncStore) throws {
    _ = try store.write { transaction in
      let draft = RecordDraft("mapping", id: "ZRH", fields: ["icao": .string("LSZH")], isNew: true)
      try transaction.save(draft)
    }
  }

  @Test func `a released store is opened again`() throws {
    let session = try Session(TestMachine().context())
    let first = try session.store("airports")
    session.forgetStore("airports")
    #expect(try session.store("airports") !== first)
  }
}
