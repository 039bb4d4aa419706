import SQLiteTransport
import SyncKit
import Testing

/// What was taken out of a file does not stay as room for ever.
@Suite struct ShrinkingFiles {
  @Test func `a file shrinks when a large zone is withdrawn`() async throws {
    let place = try SharedPlace()
    try await place.attach()
    try await place.store(1, 2, 3)
    let small = try place.bytes().count
    let transport = place.transport()
    _ = try await transport.attach(SharedPlace.friend(), domain: SharedPlace.domain)
    // As much as many exchanges of a large zone leave.
    try place.sql(
      """
      WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      INSERT INTO segment SELECT i, '\(SharedPlace.domain)', 'big', zeroblob(16), i, i,
        zeroblob(16), randomblob(40000) FROM n;
      PRAGMA wal_checkpoint(TRUNCATE);
      """)
    #expect(try place.bytes().count > small + 10_000_000)
    try await transport.erase(
      ZoneID("big"), of: SharedPlace.domain, confirmedBy: Confirmations())
    for _ in 0..<3 { try await transport.flush(SharedPlace.domain) }
    #expect(try place.texts("PRAGMA integrity_check") == ["ok"])
    let free = try place.texts("PRAGMA freelist_count").first.flatMap { Int($0) } ?? .max
    #expect(free < 256, "\(free) pages are free")
    #expect(try place.bytes().count < small + 3_000_000)
    #expect(try await place.transport().inventory(of: SharedPlace.domain).segments.count == 3)
  }
}
