import SyncKit
import Testing

@testable import SQLiteTransport

@Test func `a listener learns in which domain something has arrived`() async throws {
  let place = try SharedPlace()
  try await place.attach()
  try await place.store(1)
  var news = place.transport().news().makeAsyncIterator()
  #expect(try await news.next() == RemoteNews(domain: nil))
  try await place.store(2)
  #expect(try await news.next() == RemoteNews(domain: SharedPlace.domain))
  let transport = place.transport()
  try await transport.store(SharedPlace.release(SharedPlace.segment(1, domain: "bike")))
  try await transport.flush("bike")
  #expect(try await news.next() == RemoteNews(domain: "bike"))
  let word = Confirmations([ReplicaID(high: 1, low: 1): VersionVector()])
  try await transport.erase("gone", of: "health", confirmedBy: word)
  #expect(try await news.next() == RemoteNews(domain: "health"))
}

@Test func `a listener learns that the file was replaced, and may ask again`() async throws {
  let place = try SharedPlace()
  try await place.attach()
  var news = place.transport().news().makeAsyncIterator()
  #expect(try await news.next() == RemoteNews(domain: nil))
  place.run("rm shared.sqlite*")
  #expect(await code { while try await news.next() != nil {} } == .remoteUnavailable)
  #expect(await code { for try await _ in place.transport().news() {} } == .remoteUnavailable)
  try await place.attach()
  var again = place.transport().news().makeAsyncIterator()
  #expect(try await again.next() == RemoteNews(domain: nil))
}

@Test func `a listener that goes away is not waited for`() async throws {
  let place = try SharedPlace()
  try await place.attach()
  let listening = Task { for try await _ in place.transport().news() {} }
  listening.cancel()
  _ = await listening.result
}
