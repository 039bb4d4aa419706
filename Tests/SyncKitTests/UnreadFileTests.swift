import SyncKitTesting
import Testing

@testable import SyncKitEngine
@testable import SyncKitModel
@testable import SyncKitStore

@Test func `one unreadable file is reported and does not stop the others`()
  async throws
{
  let place = WatchedPlace()
  let (a, first) = try phone("a", place)
  let (b, second) = try phone("b", place)
  let (c, third) = try phone("c", place)
  for (phone, engine, person) in [(a, first, RecordID("ada")), (b, second, "bea")] {
    try phone.add(person, "\(person)")
    try phone.set(.synced, person)
    try await engine.syncNow()
  }
  let segments = try await place.segments(of: a.store.domain.name)
  let bad = Set(segments.filter { $0.info.zone == .root("person", "ada") }.map(\.info.head))
  #expect(!bad.isEmpty)
  place.failToRead(bad)
  try c.add("cleo", "Cleo")
  try c.set(.synced, "cleo")
  let outcome = await third.sync().first
  #expect(outcome?.error?.code == .remoteUnread)
  #expect(outcome?.error?.code.exit == 74)
  #expect(try c.person("bea") != nil && c.person("ada") == nil)
  #expect(outcome?.report.pushed ?? 0 > 0)

  place.failToRead([])
  for engine in [third, first] { try await engine.syncNow() }
  #expect(try c.person("ada") != nil && a.person("cleo") != nil)
}
