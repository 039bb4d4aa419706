import SegmentFormat
import SQLiteFile
import SyncKit
import Testing

@testable import SQLiteTransport

@Test func `a file that others keep busy for too long is given up with a status of its own`()
  async throws
{
  let place = try SharedPlace()
  try await place.attach()
  let other = try Connection(place.path)
  defer { other.close() }
  try other.run("BEGIN IMMEDIATE")
  let transport = place.transport(patience: .milliseconds(100))
  try await transport.store(SharedPlace.release(SharedPlace.segment(1)))
  let found = await code { try await transport.flush(SharedPlace.domain) }
  #expect(found == .remoteBusy && found?.exit == 75 && found?.isRetryable == true)
  // Reading goes on meanwhile.
  #expect(try await place.everything() == [])
  try other.run("ROLLBACK")
  // What waited is not lost.
  try await transport.flush(SharedPlace.domain)
  #expect(try await place.everything() == [1])
}

@Test func `a waiting device continues as soon as the others are done, and holds up none`()
  async throws
{
  let place = try SharedPlace()
  try await place.attach()
  let other = try Connection(place.path)
  defer { other.close() }
  try other.run("BEGIN EXCLUSIVE")
  try await withThrowingTaskGroup(of: Void.self) { group in
    // More than there are threads.
    for number: UInt64 in 1...40 {
      group.addTask { _ = try await place.store(number) }
    }
    try await Task.sleep(for: .milliseconds(50))
    try other.run("COMMIT")
    try await group.waitForAll()
  }
  #expect(try await place.everything().count == 40)
}
