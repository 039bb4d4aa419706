import SyncKit
import SyncKitTesting
import Testing

/// A remote that cannot erase what was withdrawn does not get what was published after it.

@Test func `what is published again waits until the remote knows what was withdrawn`() async throws
{
  let place = WatchedPlace()
  let (a, engineA) = try phone("a", place)
  for id in ["ada", "bob"] as [RecordID] {
    try a.add(id, id.text)
    try a.set(.synced, id)
  }
  try await engineA.syncNow()
  let former = try a.key("person", "ada").zone
  try a.set(.local, "ada")
  try a.set(.synced, "ada")
  let latter = try a.key("person", "ada").zone
  try a.edit("bob", ["name": "Bob"])
  #expect(former != latter)

  place.refuseErasures(true)
  for _ in 0..<2 {
    await #expect(throws: SyncError.self) { try await engineA.syncNow() }
    let zones = try await Set(place.segments(of: "people").map(\.info.zone))
    #expect(zones.contains(former) && !zones.contains(latter))
  }
  // Everything else goes on.
  let (b, engineB) = try phone("b", place)
  try await engineB.syncNow()
  #expect(try b.person("bob")?["name"] == "Bob")

  place.refuseErasures(false)
  try await engineA.syncNow()
  let zones = try await Set(place.segments(of: "people").map(\.info.zone))
  #expect(!zones.contains(former) && zones.contains(latter))
  for engine in [engineB, engineA] { try await engine.syncNow() }
  #expect(try b.store.records("person", id: "ada").map(\.key.zone) == [latter])
  #expect(try a.owed.isEmpty)
}
