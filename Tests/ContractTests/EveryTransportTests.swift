import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

@testable import CloudSyncCommands

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A new place of each registered kind; a new transport adds a row here.
private let places: [String: @Sendable (_ folder: String) -> Configuration.Remote.Location] = [
  "file": { .file($0 + "/remote") }
]

@Test(arguments: TransportRegistry.all.map(\.scheme))
func `two stores agree over every registered transport, and a quiet run stores nothing`(
  scheme: String
) async throws {
  let place = try #require(places[scheme], "Add a place of the kind \(scheme) to this test.")
  let folder = try #require(temporaryFolder())
  let location = place(folder)
  let configured = Configuration.Remote(name: "r", location: location)
  let surroundings = TransportSurroundings(
    mayCreate: true, environment: .seeded(9), data: folder)
  let remote = Remote(
    "r", location: location.url,
    transport: try TransportRegistry.transport(for: configured, surroundings))
  var stores: [SyncStore] = []
  for (index, id) in ["JFK", "LAX"].enumerated() {
    let store = try SyncStore(
      DomainRegistry.domain("airports"), storage: InMemoryStorage(),
      coding: DeflateSegmentCoding(), device: Device(id: "d\(index)", name: "d\(index)"),
      environment: .seeded(UInt64(index)))
    try store.write {
      try $0.save(RecordDraft("mapping", id: Name(id), fields: ["icao": .string("K" + id)]))
    }
    stores.append(store)
  }
  for store in stores + stores {
    try await SyncEngine(store: store, remotes: [remote]).syncNow()
  }
  #expect(try stores[0].verify().map(\.digest) == stores[1].verify().map(\.digest))
  #expect(try stores[0].records("mapping").map(\.key.id) == ["JFK", "LAX"])
  let before = try await remote.transport.inventory(of: "airports").segments.count
  for store in stores {
    let report = try await SyncEngine(store: store, remotes: [remote]).syncNow()
    #expect(report.pushed == 0 && report.pulled == 0)
  }
  #expect(try await remote.transport.inventory(of: "airports").segments.count == before)
}

private func temporaryFolder() -> String? {
  var template = Array("/tmp/cloudsync-contract-XXXXXX".utf8CString)
  return template.withUnsafeMutableBufferPointer { buffer in
    buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
  }
}
