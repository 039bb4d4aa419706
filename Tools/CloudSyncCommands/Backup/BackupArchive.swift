import LocalMachine
import CommandFoundation
import SyncKitFormats
import SQLiteStorage
import SyncKit

/// A backup: an archive of one moment of every store, with the configuration.
///
/// | Entry | What |
/// |---|---|
/// | `backup.json` | `cloudsync.backup/1`: when it was made, by which device, which stores are in it |
/// | `stores/NAME.sqlite` | a store, whole in one file |
/// | `config.yaml` | the user's configuration; no token and no other secret that lies in a file |
struct BackupArchive {
  /// A problem and the store that has it.
  struct Problem {
    var store: String
    var text: String
  }

  /// The content of a backup for one store.
  struct Store {
    var name: String
    var bytes: Int
  }

  /// The description in the archive.
  let document: JSON
  /// The stores in it that this build supports.
  let stores: [Store]
  private let archive: ZipArchive

  private static let head = "backup.json"
  private static let config = "config.yaml"
  /// No store of a person is larger.
  private static let limit = 8 << 30

  /// Opens a backup.
  ///
  /// - Throws: ``SyncError`` `input.invalid` if it is not a backup, or has a newer version.
  init(_ source: any ByteSource) throws {
    do {
      archive = try ZipArchive(source, limits: ZipArchive.Limits(entries: 1_000, size: Self.limit))
      guard let entry = archive[Self.head] else {
        throw ArchiveError("it contains no \(Self.head)")
      }
      document = try JSON(parsing: try archive.contents(of: entry, limit: 1 << 20))
    } catch let error as SystemError {
      throw SyncError(error)
    } catch {
      throw SyncError(.inputInvalid, "this is not a cloudsync backup: \(error)")
    }
    guard document["schema"]?.string == "cloudsync.backup/1" else {
      throw SyncError(
        .inputInvalid, "this version cannot read the backup", hint: "upgrade cloudsync")
    }
    let archive = archive
    stores = DomainRegistry.stores.compactMap { domain in
      archive[Self.path(domain.name)].map { Store(name: domain.name, bytes: $0.size) }
    }
  }

  /// Unpacks a store into a new file of mode 0600.
  ///
  /// - Throws: ``SyncError`` `input.invalid` if the archive is damaged there; then no file is left behind.
  func unpack(_ store: Store, to path: String) throws {
    guard let entry = archive[Self.path(store.name)] else { return }
    do {
      let file = try OutputFile(creating: path)
      try archive.forEachChunk(of: entry) { try file.write($0) }
      try file.finish()
    } catch let error as SystemError {
      LocalFile.discard(path)
      throw SyncError(error)
    } catch {
      LocalFile.discard(path)
      throw SyncError(.inputInvalid, "the backup is damaged: \(error)")
    }
  }

  /// The configuration in it; nil if there is none.
  func configuration() throws -> [UInt8]? {
    guard let entry = archive[Self.config] else { return nil }
    do {
      return try archive.contents(of: entry, limit: ConfigNode.maximumSize)
    } catch {
      throw SyncError(.inputInvalid, "the backup is damaged: \(error)")
    }
  }

  /// Unpacks every store into a folder and reads it completely; returns the problems.
  ///
  /// - Throws: ``SyncError`` `store.disk-full` and the like.
  func problems(unpackingTo folder: String) throws -> [Problem] {
    var problems: [Problem] = []
    if stores.isEmpty { problems.append(Problem(store: "", text: "it contains no store")) }
    for store in stores {
      let path = LocalFolder.path(folder, "\(store.name).sqlite")
      do {
        try unpack(store, to: path)
        let storage = try SQLiteStorage(path: path, isCreated: false)
        defer { storage.close() }
        problems += try storage.problems().map { Problem(store: store.name, text: $0) }
      } catch let error as SyncError where error.code.exit == 65 || error.code == .storeNewer {
        problems.append(Problem(store: store.name, text: error.message))
      }
    }
    return problems
  }

  /// Makes a backup of every existing store; a folder holds the copies until they are packed.
  ///
  /// - Returns: The archive, its own document, and the stores.
  /// - Throws: ``SyncError`` `store.damaged` and the like.
  static func make(
    of session: Session, in folder: String
  ) throws -> (bytes: [UInt8], document: JSONObject, stores: [Store]) {
    var writer = ZipWriter()
    var stores: [Store] = []
    var packed: [(String, [UInt8])] = []
    let line = ProgressLine(session.context)
    defer { line.clear() }
    for domain in DomainRegistry.stores {
      line.begin("backing up \(domain.name)")
      let copy = LocalFolder.path(folder, "\(domain.name).sqlite")
      guard let storage = try open(session.storePath(domain.name)) else { continue }
      defer { storage.close() }
      try storage.backUp(to: copy)
      defer { LocalFile.discard(copy) }
      let bytes = try read(copy)
      stores.append(Store(name: domain.name, bytes: bytes.count))
      packed.append((self.path(domain.name), bytes))
    }
    line.begin("packing the backup")
    let device = try session.device()
    let document: JSONObject = [
      "schema": "cloudsync.backup/1",
      "made": .string(Timestamp.format(milliseconds: session.environment.now())),
      "version": .string(Version.number),
      "device": ["id": .string(device.id), "name": .string(device.name)],
      "stores": .array(
        stores.map { ["name": .string($0.name), "bytes": .int(Int64($0.bytes))] }),
    ]
    do {
      try writer.add(head, JSON.object(document).serialized(pretty: true))
      for (path, bytes) in packed { try writer.add(path, bytes) }
      if let config = try ConfigFile.read(session.directories) {
        try writer.add(self.config, config)
      }
    } catch let error as SyncError {
      // A backup without an unreadable store would pass for a complete one.
      throw error
    } catch {
      throw SyncError(.failure, "could not pack the backup: \(error)")
    }
    return (writer.finish(), document, stores)
  }

  /// A store; nil when there is none.
  private static func open(_ path: String) throws -> SQLiteStorage? {
    do {
      return try SQLiteStorage(path: path, isCreated: false)
    } catch let error as SyncError where error.code == .storeMissing {
      return nil
    }
  }

  private static func path(_ store: String) -> String { "stores/\(store).sqlite" }

  private static func read(_ path: String) throws(SyncError) -> [UInt8] {
    do throws(SystemError) { return try LocalFile.read(path, limit: limit) } catch {
      throw SyncError(error)
    }
  }
}
