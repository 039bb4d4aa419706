import SyncKit
import Testing

@testable import SQLiteTransport

@Test func `a file that is exchanged during an exchange gets nothing that was meant for the other`()
  async throws
{
  let place = try SharedPlace()
  try await place.attach()
  let transport = place.transport()
  _ = try await transport.attach(SharedPlace.friend(), domain: SharedPlace.domain)
  try await transport.store(SharedPlace.release(SharedPlace.segment(1)))
  place.run("rm shared.sqlite*")
  let other = RemoteIdentity(
    vault: [], isKnown: false, newVault: "bbbbbbbb-0000-4000-8000-00000000000b")
  try await place.attach(other)
  #expect(await code { try await transport.flush(SharedPlace.domain) } == .remoteUnavailable)
  // Nor afterwards, before its owner is known.
  #expect(await code { try await transport.flush(SharedPlace.domain) } == .remoteUnavailable)
  #expect(
    await code {
      _ = try await transport.attach(SharedPlace.friend(), domain: SharedPlace.domain)
    } == .remoteVault)
  #expect(await code { try await transport.flush(SharedPlace.domain) } == nil)
  #expect(try await place.everything() == [])
}

@Test func `an exchange after the file was replaced continues with the new one`() async throws {
  let place = try SharedPlace()
  let transport = place.transport()
  _ = try await transport.attach(SharedPlace.stranger(), domain: SharedPlace.domain)
  try place.sql("PRAGMA wal_checkpoint(TRUNCATE)")
  place.run("cp shared.sqlite copy; mv copy shared.sqlite; rm -f shared.sqlite-*")
  _ = try await transport.attach(SharedPlace.friend(), domain: SharedPlace.domain)
  try await transport.store(SharedPlace.release(SharedPlace.segment(1)))
  try await transport.flush(SharedPlace.domain)
  #expect(try await place.everything() == [1])
}

@Test func `a file that is gone is unavailable and is not made again`() async throws {
  let place = try SharedPlace()
  try await place.attach()
  place.run("rm shared.sqlite*")
  // Known, so that even a device that may make a file does not.
  #expect(await code { try await place.attach(SharedPlace.friend()) } == .remoteUnavailable)
  let later = place.transport(creating: false)
  #expect(
    await code { _ = try await later.attach(SharedPlace.stranger(), domain: SharedPlace.domain) }
      == .remoteUnavailable)
  #expect(await code { _ = try await later.inventory(of: "x") } == .remoteUnavailable)
  #expect(place.mode() == nil)
  try await place.attach(SharedPlace.friend(.reinitialise))
  #expect(place.mode() != nil)
}

@Test func `a mere look creates nothing`() async throws {
  let place = try SharedPlace()
  var looking = SharedPlace.stranger()
  looking.mayWrite = false
  #expect(await code { try await place.attach(looking) } == .remoteUnavailable)
  #expect(place.mode() == nil)
  try await place.attach()
  try place.sql("DELETE FROM vault")
  try await place.attach(looking)
  #expect(try place.texts("SELECT count(*) FROM vault") == ["0"])
}

@Test func `sixteen devices that come at once make one file`() async throws {
  for isPrepared in [false, true] {
    let place = try SharedPlace()
    if isPrepared { place.run(": > shared.sqlite; chmod 640 shared.sqlite") }
    let vaults = try await withThrowingTaskGroup(of: Set<String>.self) { group in
      for device in 0..<16 {
        group.addTask {
          let id = "aaaaaaaa-0000-4000-8000-0000000000\(10 + device)"
          let vault = try await place.transport().attach(
            SharedPlace.stranger(id), domain: SharedPlace.domain)
          _ = try await place.store(UInt64(device + 1))
          return vault
        }
      }
      return try await group.reduce(into: Set<Set<String>>()) { $0.insert($1) }
    }
    #expect(vaults.count == 1, "they belong to \(vaults)")
    #expect(try await place.everything().sorted() == Array(1...16))
    // A prepared file keeps its mode.
    if isPrepared { #expect(place.mode() == 0o640 && place.mode("-wal") == 0o640) }
    #expect(place.run("test $(ls | wc -l) -le 3") == 0, "something was left behind")
  }
}

@Test func `a file needs a folder to be made in`() async throws {
  let place = try SharedPlace()
  for path in ["\(place.folder)/a/b.sqlite", "\(place.path)\u{0}", ""] {
    let transport = SQLiteTransport(path: path, createIfParentExists: true)
    #expect(
      await code {
        _ = try await transport.attach(SharedPlace.stranger(), domain: SharedPlace.domain)
      } == .remoteUnavailable)
  }
}
