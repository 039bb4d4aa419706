import SyncKit
import SyncKitTesting
import Testing

@Test func `a late listener first gets the state and then what happens`() async throws {
  let remote = InMemoryTransport()
  let a = try TestDevice("a", remote)
  let b = try TestDevice("b", remote)
  try a.save("1", ["title": "x"])
  try await a.engine.syncNow()
  var events = b.engine.events.makeAsyncIterator()
  try await b.engine.syncNow()
  guard case .phase(.idle) = await events.next() else {
    Issue.record("The first event is not the state.")
    return
  }
  var changed: [RecordKey] = []
  var isFinished = false
  while !isFinished, let event = await events.next() {
    switch event {
    case .changed(let keys, .initialSync): changed += keys
    case .finished(_, let report):
      #expect(report.pulled == 1)
      isFinished = true
    default: break
    }
  }
  #expect(changed == [RecordKey(collection: "book", id: "1")])
}

@Test func `what is local stays on the device`() async throws {
  let remote = InMemoryTransport()
  let a = try TestDevice("a", remote)
  let b = try TestDevice("b", remote)
  try a.save("1", ["title": "x", "diary": "CANARY"])
  #expect(try a.book("1")?["diary"] == "CANARY")
  for device in [a, b] { try await device.engine.syncNow() }
  #expect(try b.book("1")?["diary"] == .null)
  #expect(try b.book("1")?["title"] == "x")
  let batch = try #require(try b.store.history().first { $0.device.name == "a" })
  #expect(!batch.entries.contains { $0.field == "diary" })
}
