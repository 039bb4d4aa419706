import DeviceIdentity
import AirportMappings
import CommandFoundation
import FileTransport
import SQLiteStorage
import SegmentFormat
import SyncKit
import SyncKitEncryption

/// A device of a demonstration: its store and the shared folder.
struct DemoDevice {
  let name: String
  let store: SyncStore
  private let engine: SyncEngine

  init(
    _ name: String, in folder: DemoFolder, keys: VaultKeys, environment: SyncEnvironment
  ) throws {
    self.name = name
    try folder.make(name)
    store = try SyncStore(
      AirportsDomain(), storage: SQLiteStorage(path: folder.path("\(name)/airports.sqlite")),
      coding: DeflateSegmentCoding(),
      device: Device(id: UUIDText.random(from: environment), name: name),
      environment: environment,
      witness: WitnessFile(path: folder.path("\(name)/airports.identity")))
    let shared = folder.path("shared")
    engine = SyncEngine(
      store: store,
      remotes: [
        Remote(
          "shared", location: "file:\(shared)",
          transport: EncryptedTransport(
            FileTransport(path: shared, createIfParentExists: true),
            keys: DeviceKeys(of: keys, from: environment),
            memory: StoreMemory(store, remote: "shared"), environment: environment))
      ])
  }

  func sync() async throws -> SyncReport { try await engine.syncNow() }

  /// The ICAO code that the device has for an IATA code.
  func icao(_ iata: String) throws -> String {
    try store.record(.mapping(iata: iata)).flatMap { AirportMapping($0) }?.icao ?? "not there"
  }

  /// The number of mappings.
  func count() throws -> Int { try store.counts()["mapping"] ?? 0 }
}
