import SQLiteFile
import SegmentFormat
import SyncKit
import Testing

@testable import SQLiteTransport

private let domain = SharedPlace.domain

/// What an attacker may add to the tables to have others run it.
private let additions = [
  "CREATE TRIGGER t AFTER INSERT ON segment BEGIN DELETE FROM segment; END",
  "CREATE TRIGGER t INSTEAD OF DELETE ON v BEGIN SELECT 1; END",
  "CREATE VIEW v AS SELECT * FROM segment",
  "CREATE TABLE more(x)",
  "CREATE INDEX i ON segment(length(bytes))",
  "CREATE UNIQUE INDEX i ON segment(domain)",
  "CREATE VIRTUAL TABLE f USING fts5(x)",
  "ALTER TABLE segment ADD COLUMN x GENERATED ALWAYS AS (abs(-9223372036854775808)) VIRTUAL",
  "DROP TABLE erasure",
  "DROP TABLE segment; CREATE VIEW segment AS SELECT 1 AS cursor",
  "ALTER TABLE moment RENAME TO m",
]

@Test(arguments: additions)
func `tables that are not ours are refused, and nothing of them runs`(addition: String) async throws
{
  let place = try SharedPlace()
  try await place.attach()
  try await place.store(1)
  let waiting = place.transport()
  _ = try await waiting.attach(SharedPlace.friend(), domain: domain)
  if addition.contains("ON v") { try place.sql("CREATE VIEW v AS SELECT 1") }
  try place.sql(addition)
  let before = try place.bytes() + place.bytes("-wal")
  for transport in [place.transport(), waiting] {
    #expect(
      await code { _ = try await transport.attach(SharedPlace.friend(), domain: domain) }
        == .remoteDamaged)
    #expect(await code { _ = try await transport.inventory(of: domain) } == .remoteDamaged)
    try await transport.store(SharedPlace.release(SharedPlace.segment(2)))
    #expect(await code { try await transport.flush(domain) } == .remoteDamaged)
  }
  #expect(try place.bytes() + place.bytes("-wal") == before, "the file has changed")
}

/// Values that no honest writer puts there; each is one assignment to a row of `segment`.
private let values = [
  "domain = 1", "zone = x'00'", "zone = '../../etc'", "zone = ''", "zone = 'ÄÖÜ'",
  "zone = printf('%.*c', 100000, 'z')", "series = 'text'", "series = x'00'",
  "series = zeroblob(64)",
  "first = 0", "first = -5", "first = 'one'", "first = 1.5", "first = 9223372036854775807",
  "last = 0", "last = 9223372036854775807", "head = zeroblob(16)", "head = ''",
  "bytes = 'text'", "bytes = 5", "bytes = x''", "bytes = zeroblob(300000000)",
  "bytes = randomblob(100000)", "cursor = 9223372036854775807", "cursor = -1",
]

@Test(arguments: values)
func `a row with a hostile value is not here, and the others are`(value: String) async throws {
  let place = try SharedPlace()
  try await place.attach()
  try await place.store(1, 2, 3)
  try place.sql("UPDATE segment SET \(value) WHERE cursor = 2")
  let found = try await place.everything()
  // A number of its own does no harm to a segment, as long as there is room behind it.
  let isHarmless = value.hasPrefix("cursor = 9")
  #expect(found.sorted() == (isHarmless ? [1, 2, 3] : [1, 3]), "it gave \(found)")
  try await place.store(4)
  let after = try await place.everything()
  #expect(after.contains(4) && after.contains(1), "it gave \(after)")
}

/// Values in the other tables.
private let others = [
  "UPDATE life SET epoch = x'00'", "UPDATE life SET epoch = ''", "DELETE FROM life",
  "UPDATE life SET epoch = printf('%.*c', 1000000, 'e')",
  "INSERT INTO moment VALUES(9223372036854775807, 'm')", "UPDATE moment SET mark = x'FF'",
  "UPDATE moment SET cursor = -4", "UPDATE moment SET mark = ''",
  "INSERT INTO vault VALUES('not an id')", "INSERT INTO vault VALUES(5)",
  "INSERT INTO vault VALUES(x'FFFE')", "DELETE FROM vault",
  "INSERT INTO erasure VALUES('airports', 'home', 'x', x'')",
  "INSERT INTO erasure VALUES('airports', 'home', zeroblob(16), randomblob(1000))",
  "INSERT INTO erasure VALUES('airports', '../x', zeroblob(16), x'00')",
  "INSERT INTO erasure VALUES(7, 8, 9, 10)",
]

@Test(arguments: others)
func `hostile values anywhere else end in an answer or in a named error`(sql: String) async throws {
  let place = try SharedPlace()
  try await place.attach()
  try await place.store(1)
  try place.sql(sql)
  let known: Set<SyncError.Code?> = [nil, .remoteDamaged, .remoteMarker]
  #expect(known.contains(await code { try await place.attach(SharedPlace.friend()) }))
  #expect(known.contains(await code { _ = try await place.everything() }))
  #expect(known.contains(await code { try await place.store(2) }))
  let word = Confirmations([ReplicaID(high: 1, low: 1): VersionVector()])
  #expect(
    known.contains(
      await code {
        try await place.transport().erase("gone", of: domain, confirmedBy: word)
      }))
}

@Test func `a word about an erased zone that cannot be read is said again`() async throws {
  let place = try SharedPlace()
  try await place.attach()
  let word = Confirmations([ReplicaID(high: 1, low: 1): VersionVector()])
  let transport = place.transport()
  try await transport.erase("gone", of: domain, confirmedBy: word)
  try place.sql("UPDATE erasure SET kept = x'FFFFFFFF'")
  #expect(try await transport.inventory(of: domain).erased == [:])
  try await transport.erase("gone", of: domain, confirmedBy: word)
  #expect(try await transport.inventory(of: domain).erased == ["gone": word])
}

@Test func `a file whose bits were flipped never gives a wrong segment`() async throws {
  let place = try SharedPlace()
  try await place.attach()
  let stored = Set(try await place.store(1, 2, 3, 4, 5).map(\.bytes))
  try place.sql("PRAGMA wal_checkpoint(TRUNCATE)")
  place.run("cp shared.sqlite sound")
  let size = try place.bytes().count
  var random = SystemRandomNumberGenerator()
  var wrong: [String] = []
  for _ in 0..<150 {
    place.run("rm -f shared.sqlite*; cp sound shared.sqlite")
    let offset = Int.random(in: 0..<size, using: &random)
    let byte = UInt8.random(in: 1...255, using: &random)
    var bytes = try place.bytes()
    bytes[offset] ^= byte
    try place.write(bytes)
    let transport = place.transport()
    do {
      for reference in try await transport.inventory(of: domain).segments {
        guard let segment = try await transport.fetch(reference, of: domain) else { continue }
        if !stored.contains(segment.bytes) { wrong.append("a segment with \(offset) ^ \(byte)") }
      }
    } catch let error as SyncError {
      let known: Set<SyncError.Code> = [.remoteDamaged, .remoteMarker, .formatNewer, .remoteIO]
      if !known.contains(error.code) { wrong.append("\(error) with \(offset) ^ \(byte)") }
    }
  }
  #expect(wrong == [], "\(wrong)")
}

@Test(arguments: ["text\n", "SQLite format 3", ""])
func `another program's file is refused and not touched`(content: String) async throws {
  let place = try SharedPlace()
  let bytes = Array(content.utf8) + [UInt8](repeating: 7, count: content.isEmpty ? 0 : 200)
  if content.isEmpty {
    try place.write([])
    try place.sql("CREATE TABLE notes(text); INSERT INTO notes VALUES('mine')")
  } else {
    try place.write(bytes)
  }
  let before = try place.bytes()
  for consent: RemoteIdentity.Consent in [.none, .reinitialise, .adopt] {
    #expect(await code { try await place.attach(SharedPlace.friend(consent)) } == .remoteMarker)
  }
  #expect(await code { try await place.attach() } == .remoteMarker)
  #expect(try place.bytes() == before, "the file has changed")
}

@Test func `a file of a newer version says which side has to upgrade`() async throws {
  let place = try SharedPlace()
  try await place.attach()
  try place.sql("PRAGMA user_version = 2; PRAGMA wal_checkpoint(TRUNCATE)")
  #expect(await code { try await place.attach(SharedPlace.friend()) } == .formatNewer)
}

@Test func `a folder, a pipe or a file without permission is not a remote`() async throws {
  let place = try SharedPlace()
  place.run("mkdir shared.sqlite")
  #expect(await code { try await place.attach() } == .remoteUnavailable)
  place.run("rmdir shared.sqlite; mkfifo shared.sqlite")
  #expect(await code { try await place.attach() } == .remoteUnavailable)
}
