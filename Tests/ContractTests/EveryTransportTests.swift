import CommandFoundation
import RealPlaces
import SegmentFormat
import SyncKit
import SyncKitTesting
import SyncKitServer
import LocalMachine
import RealPlaces
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
private let places: [String: @Sendable (_ folder: String) async throws -> Place] = [
  "file": { Place(.file($0 + "/remote")) },
  "sqlite": { Place(.sqlite($0 + "/remote.sqlite")) },
  "sftp": { _ in
    let server = try OpenSSHServer()
    let values = ConfigValues([
      "host": "127.0.0.1", "port": "\(server.port)", "folder": server.path,
      "ssh-command": server.command.joined(separator: " "),
    ])
    return Place(.init(type: "sftp", values: values)) { server.stop() }
  },
  "http": { folder in
    let address = try #require(ServerAddress("127.0.0.1:0"))
    var settings = ServerSettings(listen: address, data: folder + "/server")
    settings.authentication = .none
    let server = SyncServer(
      settings, environment: .seeded(7),
      log: ServerLog(.text, level: .error, now: { 0 }, write: { _ in }))
    let (addresses, source) = AsyncStream.makeStream(of: String.self)
    let run = Task {
      defer { source.finish() }
      try await server.run(handlesSignals: false) { source.yield("http://\($0)") }
    }
    guard let url = await addresses.first(where: { _ in true }) else {
      try await run.value
      throw CancellationError()
    }
    return Place(.http(url: url, token: nil)) {
      await server.stop()
      try await run.value
    }
  },
  "webdav": { folder in
    let server = try WebDAVServer(.apache)
    let passwordFile = "\(folder)/password"
    try LocalFile.replace(passwordFile, with: Array(WebDAVServer.password.utf8))
    var values = ConfigValues(["url": "\(server.address)/cloudsync", "user": WebDAVServer.user])
    values.set("password", to: .secret(.file(passwordFile)))
    return Place(Configuration.Remote.Location(type: "webdav", values: values)) {
      server.process.stop()
    }
  },
  // Started by the transport; it ends with this process.
  "rclone": { folder in
    Place(
      Configuration.Remote.Location(
        type: "rclone", values: ConfigValues(["remote": ":local:\(folder)/remote"])))
  },
  "s3": { folder in
    let server = try MotoServer()
    let secretFile = "\(folder)/secret"
    try LocalFile.replace(secretFile, with: Array(server.secretKey.utf8))
    var values = ConfigValues([
      "bucket": MotoServer.bucket, "prefix": "cloudsync", "endpoint": server.address,
      "access-key": server.accessKey,
    ])
    values.set("secret-key", to: .secret(.file(secretFile)))
    return Place(Configuration.Remote.Location(type: "s3", values: values)) {
      server.process.stop()
    }
  },
]

/// A remote, and what to do when it is no longer needed.
private struct Place: Sendable {
  var location: Configuration.Remote.Location
  var end: @Sendable () async throws -> Void

  init(
    _ location: Configuration.Remote.Location,
    end: @escaping @Sendable () async throws -> Void = {}
  ) {
    self.location = location
    self.end = end
  }
}

@Test(arguments: TransportRegistry.all.map { $0.scheme }, DomainRegistry.names)
func `two stores of any domain agree over any transport, and a quiet run stores nothing`(
  scheme: String, name: String
) async throws {
  let make = try #require(places[scheme], "Add a place of the kind \(scheme) to this test.")
  let drafts = try #require(domainDrafts[name], "Add drafts of the domain \(name).")
  let folder = try #require(temporaryFolder())
  let place = try await make(folder)
  let configured = Configuration.Remote(name: "r", location: place.location)
  let host = TransportContext(
    mayCreate: true, environment: .seeded(9), data: folder)
  let remote = Remote(
    "r", location: place.location.url,
    transport: try TransportRegistry.transport(for: configured, host))
  let domain = try DomainRegistry.domain(name)
  let stores = try (0..<2).map { index in
    try SyncStore(
      domain, storage: InMemoryStorage(), coding: DeflateSegmentCoding(),
      device: Device(id: "d\(index)", name: "d\(index)"), environment: .seeded(UInt64(index)))
  }
  try stores[0].write { transaction in
    for draft in drafts { try transaction.save(draft) }
  }
  for type in domain.schema.collections where type.placement == .root {
    for record in try stores[0].records(type.name) where record.scope == .local {
      try stores[0].setScope(.synced, of: record.key)
    }
  }
  for store in stores + stores {
    try await SyncEngine(store: store, remotes: [remote]).syncNow()
  }
  let shown = try stores.map(shown)
  #expect(shown[0] == shown[1])
  #expect(!shown[0].isEmpty)
  let before = try await remote.transport.inventory(of: name).segments.count
  for store in stores {
    let report = try await SyncEngine(store: store, remotes: [remote]).syncNow()
    #expect(report.pushed == 0 && report.pulled == 0)
  }
  #expect(try await remote.transport.inventory(of: name).segments.count == before)
  try await place.end()
}

@Test(arguments: TransportRegistry.all.map { $0.scheme })
func `many small syncs leave few segments on any transport, and a new device reads them all`(
  scheme: String
) async throws {
  let make = try #require(places[scheme], "Add a place of the kind \(scheme) to this test.")
  let folder = try #require(temporaryFolder())
  let place = try await make(folder)
  let configured = Configuration.Remote(name: "r", location: place.location)
  func remote() throws -> Remote {
    let host = TransportContext(
      mayCreate: true, environment: .seeded(9), data: folder)
    return Remote(
      "r", location: place.location.url,
      transport: try TransportRegistry.transport(for: configured, host))
  }
  let stores = try (0..<2).map { index in
    try SyncStore(
      try DomainRegistry.domain("airports"), storage: InMemoryStorage(),
      coding: DeflateSegmentCoding(), device: Device(id: "d\(index)", name: "d\(index)"),
      environment: .seeded(UInt64(index)))
  }
  let here = try remote()
  var most = 0
  for number in 0..<150 {
    let letters = [number / 26, number % 26].map { "\(UnicodeScalar(UInt8(65 + $0)))" }.joined()
    let draft = RecordDraft("mapping", id: RecordID("A\(letters)"), fields: ["icao": "KJFK"])
    try stores[0].write { try $0.save(draft) }
    try await SyncEngine(store: stores[0], remotes: [here]).syncNow()
    if number % 10 == 9 {
      most = max(most, try await here.transport.inventory(of: "airports").segments.count)
    }
  }
  // Seven of each power of eight, and those that wait for the next look.
  #expect(most <= 48, "\(most) segments")
  try await SyncEngine(store: stores[1], remotes: [remote()]).syncNow()
  #expect(try shown(stores[0]) == shown(stores[1]))
  #expect(try stores[1].records("mapping").count == 150)

  var options = SyncOptions()
  options.isCompaction = true
  let report = try await SyncEngine(store: stores[0], remotes: [here]).syncNow(options)
  let left = try await here.transport.inventory(of: "airports").segments
  #expect(left.count == 2, "of each device one: \(left.map { "\($0.first)-\($0.last)" })")
  #expect(report.compaction.files == 2)
  try await place.end()
}

/// All records that may leave a device, without the fields that may not.
private func shown(_ store: SyncStore) throws -> [String] {
  try store.domain.schema.collections.filter { $0.placement != .local }.flatMap { type in
    try store.records(type.name).map { record in
      let fields = record.fields.filter { type.field($0.key)?.isLocal != true }
        .map { "\($0.key)=\($0.value)" }.sorted()
      return "\(type.name)/\(record.key.id) \(fields.joined(separator: " "))"
    }
  }
}

private func temporaryFolder() -> String? {
  var template = Array("/tmp/cloudsync-contract-XXXXXX".utf8CString)
  return template.withUnsafeMutableBufferPointer { buffer in
    buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
  }
}
