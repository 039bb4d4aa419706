import FileTransport
import SyncKitFormats
import MediaLibrary
import ReadableDocuments
import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

/// A domain that is nothing but its name, for a transport that never looks inside.
struct Contract: SyncDomain, ReadableDocument {
  let schema = DomainSchema("contract", [RecordType("thing", fields: [Field("name", .string)])])
  let path = "Things/Things.json"
  let folder: String? = "Things/Roots"
  let version: Int64 = 1
  let levels = [DocumentLevel("thing", key: "things")]
  let headNames: Set<FieldName> = []

  func head(newest: Int64?, device: String?) -> ValueMap { ValueMap() }
  func write(_ record: DocumentRecord) -> ValueMap {
    ValueMap([
      (FieldName("id"), .string(record.id.text)),
      (FieldName("name"), record.fields["name"] ?? .null),
    ])
  }
  func read(
    _ object: ValueMap, of collection: CollectionName, in parent: RecordID?, over base: ValueMap?
  ) throws -> DocumentRecord {
    DocumentRecord(
      collection, id: RecordID(object["id"]?.string ?? ""),
      fields: ["name": object["name"] ?? .null])
  }
}

extension TransportContract {
  /// Checks a transport whose readable files lie in a folder and may be cut short there.
  static func check(
    _ check: ContractCheck<TransportContract>,
    _ make: @escaping @Sendable (RemoteFolder) -> any Transport
  ) async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    let contract = TransportContract {
      TestRemote {
        make(remote)
      } empty: {
        try remote.empty()
      } cut: {
        for name in remote.files() where name.hasSuffix(".json") {
          let bytes = try remote.read(name)
          try remote.write(name, Array(bytes.prefix(bytes.count / 2)))
        }
      }
    }
    try await check(contract)
  }
}

@Suite struct DocumentTransportKeepsTheContract {
  @Test(arguments: TransportContract.checks)
  func check(_ check: ContractCheck<TransportContract>) async throws {
    try await TransportContract.check(check) {
      DocumentTransport(path: $0.path, domain: Contract(), document: Contract())
    }
  }
}

@Suite struct ADocumentBetweenTwoDevices {
  @Test func `two devices agree over one file, and a quiet sync writes nothing`() async throws {
    let document = try SharedDocument()
    let (first, second) = (try document.device("first"), try document.device("second"))
    let list = try first.list("Weekend")
    try first.item("Heat", 949, in: list)
    try await first.sync()
    try await second.sync()
    try second.item("Ronin", 8195, in: list)
    try await settle(document, first, second)
    #expect(try first.titles == ["Heat", "Ronin"])
    #expect(document.names == ["MediaShowsData.json"])
    let mark = "layout-media-document"
    #expect(document.remote.files().contains(mark))
    let before = document.remote.run(
      "stat -c '%y %i' \(SharedDocument.path) > ../stamp-\(document.remote.path.suffix(6))")
    #expect(before == 0)
    try await first.sync()
    try await second.sync()
    let after = document.remote.run(
      "stat -c '%y %i' \(SharedDocument.path) | cmp - ../stamp-\(document.remote.path.suffix(6))")
    #expect(after == 0)
    document.remote.run("rm ../stamp-\(document.remote.path.suffix(6))")
  }

  @Test func `concurrent edits of different fields of one item all survive`() async throws {
    let document = try SharedDocument()
    let (first, second) = (try document.device("first"), try document.device("second"))
    let list = try first.list("Weekend")
    let item = try first.item("Heat", 949, in: list)
    try await settle(document, first, second)
    try first.edit(item, ["isFavorite": true])
    try second.edit(item, ["customField1": "blue-ray"])
    try await settle(document, first, second)
    let shown = try #require(try first.item("Heat"))
    #expect(shown["isFavorite"] == true && shown["customField1"] == "blue-ray")
  }

  @Test func `a segments place is not mistaken for a document, nor the other way round`()
    async throws
  {
    let document = try SharedDocument()
    let device = try document.device("first")
    try device.list("Weekend")
    try await device.sync()
    let other = SyncEngine(
      store: try document.device("other").store,
      remotes: [
        Remote(
          "r", location: "file:", transport: FileTransport(path: document.remote.path))
      ])
    let error = await #expect(throws: SyncError.self) { try await other.syncNow() }
    #expect(error?.code == .remoteLayout && error?.hint?.contains("document") == true)
  }
}

@Suite struct ConversionOfALayout {
  private func convert(
    _ document: SharedDocument, _ device: MediaDevice, to layout: String
  )
    async throws -> LayoutConversion.Outcome
  {
    try await LayoutConversion(
      path: document.remote.path, domain: MediaLibraryDomain(), document: MediaDocument()
    ).run(
      to: layout,
      RemoteIdentity(
        vault: device.store.vault(), isKnown: true, newVault: "", mayWrite: false))
  }

  private func engine(_ device: MediaDevice, segments: Bool) -> SyncEngine {
    let transport: any Transport =
      segments
      ? FileTransport(path: device.path) : MediaDevice.transport(device.path, device.store)
    return SyncEngine(
      store: device.store,
      remotes: [Remote("folder", location: "file:\(device.path)", transport: transport)])
  }

  @Test func `there and back again, records stay, backups too, and doing it twice is nothing`()
    async throws
  {
    let document = try SharedDocument()
    let (first, second) = (try document.device("first"), try document.device("second"))
    let item = try first.item("Heat", 949, in: first.list("Weekend"))
    try await settle(document, first, second)
    let digests = try first.digests
    let there = try await convert(document, first, to: "segments")
    #expect(there.isConverted && there.backup == "backup-media-document-1" && there.segments > 0)
    #expect(try await convert(document, first, to: "segments").isConverted == false)
    #expect(document.names.isEmpty)
    await #expect(throws: SyncError.self) { try await first.sync() }
    for device in [first, second] {
      let report = try await engine(device, segments: true).syncNow()
      #expect(report.pushed == 0 && report.pulled == 0)
      #expect(try device.digests == digests)
    }
    try first.edit(item, ["isFavorite": true])
    try await engine(first, segments: true).syncNow()
    let back = try await convert(document, first, to: "document")
    #expect(back.isConverted && back.backup == "backup-media-segments-1")
    try await settle(document, first, second)
    #expect(try second.item("Heat")?["isFavorite"] == true)
  }

  @Test(arguments: ["document", "segments"])
  func `one that was cut off is gone on with, in either direction`(layout: String) async throws {
    let document = try SharedDocument()
    let device = try document.device("first")
    try device.item("Heat", 949, in: device.list("Weekend"))
    try await device.sync()
    // Cut off after the new form was marked and before the old one was set aside.
    document.remote.run("cp layout-media-document layout-media-segments")
    for segments in [true, false] {
      let error = await #expect(throws: SyncError.self) {
        try await engine(device, segments: segments).syncNow()
      }
      #expect(error?.code == .remoteLayout)
    }
    #expect(try await convert(document, device, to: layout).isConverted)
    try await engine(device, segments: layout == "segments").syncNow()
    let other = try document.device("second")
    try await engine(other, segments: layout == "segments").syncNow()
    try await engine(device, segments: layout == "segments").syncNow()
    #expect(try other.digests == device.digests)
  }
}
