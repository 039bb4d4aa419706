import SyncKit
import Testing

@testable import SQLiteTransport

private let domain = SharedPlace.domain

@Test
func `a damaged segment is removed by the device that finds it, and its author sends it again`()
  async throws
{
  let place = try SharedPlace()
  try await place.attach()
  try await place.store(1, 2, 3)
  let author = place.transport()
  let known = try await author.inventory(of: domain).position
  try place.sql("UPDATE segment SET bytes = zeroblob(length(bytes)) WHERE cursor = 2")
  let reader = place.transport()
  for reference in try await reader.inventory(of: domain).segments {
    _ = try await reader.fetch(reference, of: domain)
  }
  // A mere reader changes nothing.
  #expect(try place.texts("SELECT count(*) FROM segment") == ["3"])
  try await reader.flush(domain)
  // The author thought that it is there; now it gets the whole list again, and sees what is missing.
  let told = try await author.inventory(of: domain, since: known)
  #expect(!told.isContinuation && told.segments.map(\.first) == [1, 3])
  try await place.store(2)
  #expect(try await place.everything() == [1, 3, 2])
}

@Test func `a segment that a newer version wrote is left alone`() async throws {
  let place = try SharedPlace()
  try await place.attach()
  try await place.store(1)
  let reader = place.transport()
  let reference = try #require(try await reader.inventory(of: domain).segments.first)
  // Found wanting by name, sound by content.
  var other = reference
  other.head = ContentHash(high: 9, low: 9)
  #expect(try await reader.fetch(other, of: domain) == nil)
  try await reader.flush(domain)
  #expect(try await place.everything() == [1])
}
