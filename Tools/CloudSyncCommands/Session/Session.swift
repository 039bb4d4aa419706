import DeviceIdentity
import LocalMachine
import CommandFoundation
import SQLiteStorage
import SegmentFormat
import SyncKit
import SyncKitEncryption
import Synchronization

/// The resources of a command that touches data: the folders, the configuration, the stores.
///
/// Everything is opened on first use, so a command pays only for what it uses. Several tasks may
/// share a session, as the domains of a watcher do.
final class Session: Sendable {
  let context: CommandContext
  let directories: Directories
  let configuration: Configuration
  /// Whether this device is configured: it has its own file, or the machine's file names remotes.
  let isSetUp: Bool
  let environment: SyncEnvironment
  private let opened = Mutex(Opened())

  /// The open stores and the device.
  private struct Opened {
    var device: Device?
    /// The file of the device's id; another file means another id.
    var deviceFile: FileSignature?
    /// Whether the id is in the file, and not only to be written there.
    var isDeviceKept = false
    var stores: [String: OpenStore] = [:]
    var transports: [TransportKey: any Transport] = [:]
    /// What was read of the keys, and of which file.
    var ring: (file: FileSignature, ring: VaultKeyring)?
    /// The keys as the last exchange of statements left them.
    var keys: DeviceKeys?
    /// When statements were exchanged with a remote.
    var exchanges: [String: ContinuousClock.Instant] = [:]
  }

  /// A remote as it is configured, and whether it may be created.
  private struct TransportKey: Hashable {
    var remote: Configuration.Remote
    var mayCreate: Bool
  }

  /// A store, and the file that it was opened from.
  private struct OpenStore {
    var store: SyncStore
    var file: FileSignature?
    /// What stands in for the file as long as there is none.
    var unmade: UnmadeStorage?

    /// Whether the store is the one at the path, and not one that a repair or restore has set aside.
    ///
    /// This holds without a file too: an exchange may be between two steps, and a file created now
    /// would be in its way.
    func isCurrent(at path: String) -> Bool {
      guard let now = FileSignature(path) else { return true }
      return (unmade?.signature ?? file).map { $0.isSameFile(as: now) } ?? false
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
  ///
  /// A device that has written nothing yet has an id that is kept with its first write, see ``keepDevice()``.
  func device() throws -> Device {
    try opened.withLock { opened in
      let now = FileSignature(DeviceFile.path(in: directories.data))
      if let known = opened.device, now == nil || now == opened.deviceFile { return known }
      // Stores know their device.
      opened.stores = [:]
      let kept = try DeviceFile.id(in: directories.data)
      let device = Device(
        id: kept ?? UUIDText.random(from: environment),
        name: configuration.deviceName ?? HostName.current)
      opened.device = device
      opened.deviceFile = now
      opened.isDeviceKept = kept != nil
      return device
    }
  }

  /// This device, with its id on the disk.
  ///
  /// - Throws: ``SyncError`` `store.io` and the like; `store.busy` when another process has just drawn another id.
  @discardableResult
  func keepDevice() throws -> Device {
    let device = try device()
    try keep(device)
    return device
  }

  /// Keeps the id of a device that has had none on the disk.
  private func keep(_ device: Device) throws {
    let current = try self.device()
    guard current.id == device.id else { throw DeviceFile.busy }
    try opened.withLock { opened in
      guard !opened.isDeviceKept else { return }
      try makeFolders()
      try DeviceFile.keep(device.id, in: directories.data)
      opened.deviceFile = FileSignature(DeviceFile.path(in: directories.data))
      opened.isDeviceKept = true
    }
  }

  /// Whether the device has an id that it keeps, which the first write gives it.
  func hasKeptDevice() throws -> Bool {
    _ = try device()
    return opened.withLock { $0.isDeviceKept }
  }

  /// Becomes a new device in every store, since another machine writes under the id of this one.
  ///
  /// - Parameter done: A store that already has its new replica ids.
  /// - Throws: ``SyncError`` `store.busy` during another run, `store.io` and the like.
  func takeNewIdentity(besides done: String) async throws {
    try DeviceFile.draw(in: directories.data, environment: environment)
    for name in DomainRegistry.stores.map(\.name) where name != done {
      guard FileSignature(storePath(name)) != nil else { continue }
      // A run of that domain must end first: it would seal under the former ids.
      let lock = try await lock(name, wait: .seconds(10))
      defer { lock.release() }
      try store(name).takeNewIdentity()
    }
  }

  /// The store of a domain, or a local one, opened at the first call and again after its file was replaced;
  /// a rehearsal, for a dry run, leaves nothing in it.
  ///
  /// - Throws: ``SyncError`` `usage` for a domain that this build lacks, `store.damaged` and the like.
  func store(_ name: String, isRehearsal: Bool = false) throws -> SyncStore {
    if isRehearsal { return try rehearsal(name, device()) }
    let isThere = isMade(name)
    let device = try isThere ? ownDevice() : device()
    return try opened.withLock { opened in
      let path = storePath(name)
      if let known = opened.stores[name], known.isCurrent(at: path) { return known.store }
      // Checked first: a store replaced meanwhile is opened again at the next call.
      let file = FileSignature(path)
      let unmade = isThere ? nil : unmadeStorage(name, device)
      let store =
        try unmade.map { try self.store(name, on: $0, device, witness: $0) } ?? open(name, device)
      unmade?.opened()
      opened.stores[name] = OpenStore(
        store: store, file: file ?? (isThere ? FileSignature(path) : nil), unmade: unmade)
      return store
    }
  }

  /// Whether there is a file of a store, or the log of one that has lost its file.
  func isMade(_ name: String) -> Bool {
    ["", "-wal"].contains { FileSignature(storePath(name) + $0) != nil }
  }

  /// This device where there are stores already: they know their device by its id.
  private func ownDevice() throws -> Device {
    do { return try keepDevice() } catch let error as SyncError where error.code == .storeReadOnly {
      // What cannot be written can still be read.
      return try device()
    }
  }

  private func unmadeStorage(_ name: String, _ device: Device) -> UnmadeStorage {
    // A store may outlive the session that opened it, so the session stays until the file is made. What the store
    // has in memory names the device with which it was opened.
    UnmadeStorage(path: storePath(name), witness: witness(name)) { try self.keep(device) }
  }

  /// Closes a store, such as one whose disk has failed, so that the next call opens it again.
  func forgetStore(_ name: String) { opened.withLock { $0.stores[name] = nil } }

  private func rehearsal(_ name: String, _ device: Device) throws -> SyncStore {
    let base: any Storage =
      isMade(name) ? try SQLiteStorage(path: storePath(name)) : InMemoryStorage()
    return try store(name, on: RehearsalStorage(base: base), device, witness: nil)
  }

  private func open(_ name: String, _ device: Device) throws -> SyncStore {
    let storage = try SQLiteStorage(path: storePath(name))
    let store = try store(name, on: storage, device, witness: witness(name))
    if store.isCopy {
      context.warn(
        "the store of \(name) was copied or restored; from now on it counts as a new device")
    }
    return store
  }

  /// A store of a domain in any storage, such as one that will replace another.
  func store(
    _ name: String, on storage: any Storage, _ device: Device,
    witness: (any ContinuityWitness)?
  ) throws -> SyncStore {
    var rebase: [FieldName: RebasePolicy] = [:]
    for (field, policy) in configuration[domain: name]?.rebase ?? [:] {
      rebase[FieldName(field)] = RebasePolicy(rawValue: policy.rawValue)
    }
    return try SyncStore(
      DomainRegistry.stored(name), storage: storage, coding: DeflateSegmentCoding(),
      device: device, environment: environment, witness: witness, rebase: rebase,
      egress: DomainRegistry.names.contains(name) ? egressRules(of: name) : nil,
      detachment: detachment(of: name))
  }

  /// Why the configuration sends nothing of a domain; nil if it does, and for a local store.
  private func detachment(of name: String) -> UnsentEdits.Reason? {
    guard DomainRegistry.names.contains(name) else { return nil }
    guard configuration[domain: name]?.isEnabled ?? true else { return .disabled }
    return remoteNames(of: name).isEmpty ? .noRemote : nil
  }

  /// The file next to a store that proves its identity.
  func witness(_ name: String) -> WitnessFile {
    WitnessFile(path: LocalFolder.path(directories.data, "\(name).identity"))
  }

  func storePath(_ domain: String) -> String {
    LocalFolder.path(directories.data, "\(domain).sqlite")
  }

  /// The enabled domains of this build.
  var enabledDomains: [String] {
    DomainRegistry.names.filter { configuration[domain: $0]?.isEnabled ?? true }
  }

  /// The stores of the enabled domains: their own, and the local ones that never sync.
  var enabledStores: [String] {
    DomainRegistry.all.filter { configuration[domain: $0.domain.name]?.isEnabled ?? true }
      .flatMap { [$0.domain.name] + $0.localStores.map { $0.name } }
  }

  /// The stores for a check of everything: a local one only if it exists.
  var storesToRead: [String] {
    let domains = enabledDomains
    return enabledStores.filter { name in
      domains.contains(name) || isMade(name)
    }
  }

  /// The remotes of a domain, in the order of the configuration.
  ///
  /// - Throws: ``SyncError`` `remote.unsupported`, `remote.layout`.
  func remotes(of domain: String, creating mayCreate: Bool = false) throws -> [Remote] {
    try remoteNames(of: domain).map { try remote($0, for: domain, creating: mayCreate) }
  }

  func remoteNames(of domain: String) -> [String] { configuration[domain: domain]?.remotes ?? [] }

  /// A remote for a domain.
  func remote(
    _ name: String, for domain: String, creating mayCreate: Bool = false
  ) throws -> Remote {
    guard let configured = configuration[remote: name] else {
      throw SyncError.unknownName("remote", name, among: configuration.remotes.map(\.name))
    }
    return try remote(configured, for: domain, creating: mayCreate)
  }

  /// The transport to a location; the domains share one where it has a connection.
  func transport(
    for configured: Configuration.Remote, creating mayCreate: Bool
  ) throws -> any Transport {
    guard TransportRegistry.registration(configured.location.type)?.isShared == true else {
      return try TransportRegistry.transport(for: configured, host(creating: mayCreate))
    }
    let key = TransportKey(remote: configured, mayCreate: mayCreate)
    return try opened.withLock { opened in
      if let known = opened.transports[key] { return known }
      let transport = try TransportRegistry.transport(
        for: configured, host(creating: mayCreate))
      opened.transports[key] = transport
      return transport
    }
  }

  /// Closes the transports, so that the next call reads again what opens them.
  func forgetTransports() { opened.withLock { $0.transports = [:] } }

  /// The facts of this device that a transport may need.
  func host(creating mayCreate: Bool = false) -> TransportContext {
    TransportContext(
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

  // MARK: Keys of the vault

  /// The keys of the vault; nil on a device that has none.
  ///
  /// - Throws: ``SyncError`` `store.io`, `crypto.keys-damaged`.
  func keyring() throws -> VaultKeyring? {
    try opened.withLock { opened in
      guard let now = FileSignature(VaultKeyring.path(in: directories.data)) else { return nil }
      if let known = opened.ring, known.file == now { return known.ring }
      let ring = try VaultKeyring(in: directories.data)
      opened.ring = ring.map { (now, $0) }
      return ring
    }
  }

  /// How long what was exchanged with a remote is fresh enough.
  private static let freshness = Duration.seconds(10)

  /// The keys as the last exchange of this session left them.
  var learnedKeys: DeviceKeys? { opened.withLock { $0.keys } }

  func isExchangeDue(_ remote: String) -> Bool {
    opened.withLock { opened in
      opened.exchanges[remote].map { $0.duration(to: .now) > Self.freshness } ?? true
    }
  }

  func noteExchange(_ remote: String, _ keys: DeviceKeys) {
    opened.withLock { opened in
      // What has come from this remote, the others get as well.
      if opened.keys != keys { opened.exchanges = [:] }
      opened.exchanges[remote] = .now
      opened.keys = keys
    }
  }

  func noteEntries(_ entries: [SharedZoneName: [UInt8]]) {
    opened.withLock { $0.keys = $0.keys?.noting(entries) }
  }

  func forgetExchanges() { opened.withLock { $0.exchanges = [:] } }

  private func makeFolders() throws {
    do {
      try LocalFolder.create(directories.data)
    } catch {
      throw SyncError(error)
    }
  }
}
