import DeviceIdentity
import LocalMachine
import SQLiteStorage
import SegmentFormat
public import SyncKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension SyncStore {
  /// Opens the store of a domain in a folder of the app, and makes both when they are not there.
  ///
  /// The folder holds the database of each domain, and the id of this device, which is drawn once. A folder that was
  /// copied or restored counts as another device, so that no two devices ever write under one id. Any number of
  /// domains share a folder, and any number of processes a store.
  ///
  /// Every part can be chosen with ``SyncKit/SyncStore/init(_:storage:coding:device:environment:witness:rebase:egress:detachment:)``
  /// instead.
  ///
  /// - Parameters:
  ///   - domain: The domain.
  ///   - folder: A folder that other users cannot read; it is made as one (0700).
  ///   - name: What the device is called in conflicts and in the history; the machine's name when it is nil.
  ///   - environment: The clock and the source of chance.
  /// - Returns: The store.
  /// - Throws: ``SyncKit/SyncError`` `store.schema` when the schema gives a name another meaning than before,
  ///   `store.damaged`, `store.newer`, `store.io`, `store.disk-full`.
  public static func open(
    _ domain: some SyncDomain, at folder: String, deviceName name: String? = nil,
    environment: SyncEnvironment = .system
  ) async throws -> SyncStore {
    try await OffThread.run {
      do throws(SystemError) { try LocalFolder.create(folder) } catch { throw SyncError(error) }
      let device = Device(
        id: try DeviceFile.current(in: folder, environment: environment),
        name: name ?? HostName.current)
      let base = LocalFolder.path(folder, domain.schema.name)
      return try SyncStore(
        domain, storage: SQLiteStorage(path: base + ".sqlite"), coding: DeflateSegmentCoding(),
        device: device, environment: environment,
        witness: WitnessFile(path: base + ".sqlite.identity"))
    }
  }

  /// Opens the store of a domain in a folder of the app; see ``open(_:at:deviceName:environment:)-(_,String,_,_)``.
  public static func open(
    _ domain: some SyncDomain, at folder: URL, deviceName name: String? = nil,
    environment: SyncEnvironment = .system
  ) async throws -> SyncStore {
    try await open(domain, at: folder.path, deviceName: name, environment: environment)
  }

  /// A store that ends with the process, for previews and tests.
  public static func inMemory(
    _ domain: some SyncDomain, deviceName name: String = "preview",
    environment: SyncEnvironment = .system
  ) throws -> SyncStore {
    try SyncStore(
      domain, storage: InMemoryStorage(), coding: DeflateSegmentCoding(),
      device: Device(id: UUIDText.random(from: environment), name: name), environment: environment)
  }
}
