import SQLiteTransport
import SyncKit
import SyncKitTesting
import Testing

@Suite struct SQLiteTransportKeepsTheContract {
  @Test(arguments: TransportContract.checks)
  func check(_ check: ContractCheck<TransportContract>) async throws {
    let place = try SharedPlace()
    let contract = TransportContract {
      TestRemote {
        SQLiteTransport(path: place.path, createIfParentExists: true, patience: .seconds(30))
      } empty: {
        place.run("rm -f shared.sqlite-*; : > shared.sqlite")
      } cut: {
        try place.sql("UPDATE segment SET bytes = substr(bytes, 1, length(bytes) / 2)")
      }
    }
    try await check(contract)
  }
}

@Test func `what is stored is in the file only after the flush, and then all of it`() async throws {
  let place = try SharedPlace()
  try await place.attach()
  let transport = place.transport()
  for number: UInt64 in 1...50 {
    try await transport.store(SharedPlace.release(SharedPlace.segment(number)))
  }
  #expect(try await place.everything() == [])
  try await transport.flush(SharedPlace.domain)
  #expect(try await place.everything() == Array(1...50))
  #expect(try place.texts("SELECT count(*) FROM moment") == ["1"])
}

@Test func `an exchange without anything to tell leaves every byte as it is`() async throws {
  let place = try SharedPlace()
  try await place.attach()
  try await place.store(1, 2)
  let before = try [place.bytes(), place.bytes("-wal")]
  try await place.attach(SharedPlace.friend())
  try await place.store(1, 2)
  #expect(try await place.everything() == [1, 2])
  #expect(try [place.bytes(), place.bytes("-wal")] == before, "the file has changed")
}

@Test func `a segment that waits is forgotten when its zone is withdrawn`() async throws {
  let place = try SharedPlace()
  try await place.attach()
  let transport = place.transport()
  try await transport.store(SharedPlace.release(SharedPlace.segment(1, zone: "private")))
  try await transport.store(SharedPlace.release(SharedPlace.segment(2)))
  let word = Confirmations([ReplicaID(high: 1, low: 1): VersionVector()])
  try await transport.erase("private", of: SharedPlace.domain, confirmedBy: word)
  try await transport.flush(SharedPlace.domain)
  #expect(try await place.everything() == [2])
}

@Test func `nothing is left of an erased zone, not even between the rows`() async throws {
  let place = try SharedPlace()
  try await place.attach()
  // Long enough to fill pages of its own, and nothing that packing makes unreadable.
  let secret = "do-not-tell-anybody"
  let random = (0..<30_000).map { _ in String(UInt8.random(in: 0...255), radix: 16) }.joined()
  let transport = place.transport()
  let segment = try SharedPlace.segment(1, zone: "private", text: random)
  let marked = Segment(info: segment.info, bytes: segment.bytes + Array(secret.utf8))
  try await transport.store(SharedPlace.release(marked))
  try await transport.flush(SharedPlace.domain)
  let before = try place.bytes() + place.bytes("-wal")
  try #require(before.contains(Array(secret.utf8)))
  let word = Confirmations([ReplicaID(high: 1, low: 1): VersionVector()])
  try await transport.erase("private", of: SharedPlace.domain, confirmedBy: word)
  let after = try place.bytes() + place.bytes("-wal")
  #expect(!after.contains(Array(secret.utf8)), "the content is still in the file")
}
