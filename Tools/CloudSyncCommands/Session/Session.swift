import CommandFoundation
import SQLiteStorage
import SegmentFormat
import SyncKit
import Synchronization

/// What a command that touches data works with: the folders, the configuration, the stores.
///
/// Everything is opened when it is asked for, so that a command pays only for what it uses. Several tasks may
/// use one session, as a watcher's domains do side by side.
final class Session: Sendable {
  let context: CommandContext
  let directories: Directories
  let configuration: Configuration
  /// Whether somebody has configured this device: a file of its own, or remotes that its machine names.
  let isSetUp: Bool
  let environment: SyncEnvironment
  private let opened = Mutex(Opened())

  /// What is open already.
  private struct Opened {
    var device: Device?
    /// The file that the device's id is from; another one means that the device has got another id.
    var deviceFile: FileSignature?
    var stores: [String: OpenStore] = [:]
    var servers: [String: any Transport] = [:]
  }

  /// A store, and the file that it was opened from.
  private struct OpenStore {
    var store: SyncStore
    var file: FileSignature?

    /// Whether the store is that of the path, and not one that was put aside by a repair or a restore.
    ///
    /// Without any file there it still is: who exchanges one is between two steps, and a file that was made now
    /// would be in the way.
    func isCurrent(at path: String) -> Bool {
      guard let now = FileSignature(path) else { return true }
      return file.map { $0.isSameFile(as: now) } ?? false
    }
  }

  /// Reads the configuration.
  ///
  /// - Throws: ``SyncError`` `config.invalid`.
  init(_ context: CommandContext) throws {
    self.context = context
    directories = try context.directories()
    let resolved = try context.configuration()
    configuration = resolved.values
    let own = directories.configFile
    isSetUp =
      !configuration.remotes.isEmpty
      || resolved.files.contains { $0 == own || $0 != Directories.systemConfigFile }
    environment = context.environment
  }

  /// This device: its id from the data folder, its name from the configuration or the host.
  func device() throws -> Device {
    try opened.withLock { opened in
      let file = DeviceFile.path(in: directories.data)
      let now = FileSignature(file)
      if let known = opened.device, now == nil || now == opened.deviceFile { return known }
      // Stores know whose they are.
      opened.stores = [:]
      try makeFolders()
      let device = Device(
        id: try DeviceFile.id(in: directories.data, environment: environment),
        name: configuration.deviceName ?? HostName.current)
      opened.device = device
      opened.deviceFile = FileSignature(file)
      return device
    }
  }

  /// Becomes a device of its own in every store, since another machine writes under the id of this one.
  ///
  /// - Parameter done: A store that has its new replica ids already.
  /// - Throws: ``SyncError`` `store.busy` while another run goes on, `store.io` and the like.
  func takeNewIdentity(besides done: String) async throws {
    try DeviceFile.draw(in: directories.data, environment: environment)
    for name in DomainRegistry.stores.map(\.name) where name != done {
      guard FileSignature(storePath(name)) != nil else { continue }
      // A run of that domain has to end first: it would seal under the former ids.
      let lock = try await lock(name, wait: .seconds(10))
      defer { lock.release() }
      try store(name).takeNewIdentity()
    }
  }

  /// The store of a domain, or a local one, opened at the first call and when another file has taken its place;
  /// in a rehearsal, a dry run, nothing stays in it.
  ///
  /// - Throws: ``SyncError`` `usage` for a domain that this build lacks, `store.damaged` and the like.
  func store(_ name: String, isRehearsal: Bool = false) throws -> SyncStore {
    if isRehearsal { return try open(name, device(), isRehearsal: true) }
    let device = try device()
    return try opened.withLock { opened in
      let path = storePath(name)
      if let known = opened.stores[name], known.isCurrent(at: path) { return known.store }
      // Looked at first: one that is exchanged meanwhile is opened again at the next call.
      let file = FileSignature(path)
      let store = try open(name, device, isRehearsal: false)
      opened.stores[name] = OpenStore(store: store, file: file ?? FileSignature(path))
      return store
    }
  }

  /// Lets go of a store, such as one whose disk has failed it, so that the next call opens it anew.
  func forgetStore(_ name: String) { opened.withLock { $0.stores[name] = nil } }

  private func open(_ name: String, _ device: Device, isRehearsal: Bool) throws -> SyncStore {
    let storage = try SQLiteStorage(path: storePath(name))
    let store = try store(
      name, on: isRehearsal ? RehearsalStorage(base: storage) : storage, device,
      witness: isRehearsal ? nil : witness(name))
    if store.isCopy, !isRehearsal {
      context.warn(
        "the store of \(name) was copied or restored; from now on it is a device of its own")
    }
    return store
  }

  /// A store of a domain in any storage, such as one that is to take the place of another.
  func store(
    _ name: String, on storage: any Storage, _ device: Device,
    witness: (any ContinuityWitness)?
  ) throws -> SyncStore {
    var rebase: [Name: RebasePolicy] = [:]
    for (field, policy) in configuration[domain: name]?.rebase ?? [:] {
      rebase[Name(field)] = RebasePolicy(rawValue: policy.rawValue)
    }
    return try SyncStore(
      DomainRegistry.stored(name), storage: storage, coding: DeflateSegmentCoding(),
      device: device, environment: environment, witness: witness, rebase: rebase,
      egress: DomainRegistry.names.contains(name) ? egressRules(of: name) : nil,
      detachment: detachment(of: name))
  }

  /// Why nothing of a domain is sent by the configuration; nil when something is, and for a local store.
  private func detachment(of name: String) -> UnsentEdits.Reason? {
    guard DomainRegistry.names.contains(name) else { return nil }
    guard configuration[domain: name]?.isEnabled ?? true else { return .disabled }
    return remoteNames(of: name).isEmpty ? .noRemote : nil
  }

  /// What lies beside a store and proves that it is the one it was.
  func witness(_ name: String) -> WitnessFile {
    WitnessFile(path: LocalFolder.path(directories.data, "\(name).identity"))
  }

  func storePath(_ domain: String) -> String {
    LocalFolder.path(directories.data, "\(domain).sqlite")
  }

  /// The domains that are switched on, of those that this build has.
  var enabledDomains: [String] {
    DomainRegistry.names.filter { configuration[domain: $0]?.isEnabled ?? true }
  }

  /// The stores of the domains that are switched on: their own, and the local ones that never sync.
  var enabledStores: [String] {
    DomainRegistry.all.filter { configuration[domain: $0.domain.name]?.isEnabled ?? true }
      .flatMap { [$0.domain.name] + $0.localStores.map { $0.name } }
  }

  /// The stores that a check of all reads: a local one only where something was put into it.
  var storesToRead: [String] {
    let domains = enabledDomains
    return enabledStores.filter { name in
      domains.contains(name)
        || ["", "-wal"].contains { FileSignature(storePath(name) + $0) != nil }
    }
  }

  /// The remotes of a domain, in the order of the configuration.
  ///
  /// - Throws: ``SyncError`` `remote.unsupported`, `remote.layout`.
  func remotes(of domain: String, creating mayCreate: Bool = false) throws -> [Remote] {
    try remoteNames(of: domain).map { try remote($0, for: domain, creating: mayCreate) }
  }

  func remoteNames(of domain: String) -> [String] { configuration[domain: domain]?.remotes ?? [] }

  /// A remote as a domain meets it.
  func remote(
    _ name: String, for domain: String, creating mayCreate: Bool = false
  ) throws -> Remote {
    guard let configured = configuration[remote: name] else {
      throw SyncError.unknownName("remote", name, among: configuration.remotes.map(\.name))
    }
    return try remote(configured, for: domain, creating: mayCreate)
  }

  /// The transport to a place; the domains of one server share one, and with it a connection.
  func transport(
    for configured: Configuration.Remote, creating mayCreate: Bool
  ) throws -> any Transport {
    guard configured.location.isServer else {
      return try TransportRegistry.transport(for: configured, surroundings(creating: mayCreate))
    }
    return try opened.withLock { opened in
      if let known = opened.servers[configured.name] { return known }
      let transport = try TransportRegistry.transport(
        for: configured, surroundings(creating: mayCreate))
      opened.servers[configured.name] = transport
      return transport
    }
  }

  /// What a transport may need of this device.
  func surroundings(creating mayCreate: Bool = false) -> TransportSurroundings {
    TransportSurroundings(
      mayCreate: mayCreate, environment: environment, variables: context.terminal.environment,
      data: directories.data)
  }

  /// Takes the lock that sync, compaction and restoring share.
  func lock(_ domain: String, wait: Duration) async throws -> StoreLock {
    try makeFolders()
    return try await StoreLock(
      LocalFolder.path(directories.data, "\(domain).lock"), wait: wait)
  }

  /// Whether a run of a domain is under way, in this or another process.
  func isRunning(_ domain: String) -> Bool {
    StoreLock.isHeld(LocalFolder.path(directories.data, "\(domain).lock"))
  }

  private func makeFolders() throws {
    do {
      try LocalFolder.create(directories.data)
    } catch {
      throw SyncError(error)
    }
  }
}
