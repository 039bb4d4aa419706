import SegmentFormat
import SyncKit
import Synchronization

// Places that lie: what devices show is what devices have written, and never older than what they had shown.
extension SimulatedWorld {
  /// Draws the keys of the world, and gives its places what a former device would plant.
  func openVault() async throws {
    guard let make = parts.vault else { return }
    let vault = try await make(root.fork("vault"))
    self.vault = vault
    // The one was let go. The other is a device of the vault, in another domain.
    var loot = try await loot(of: .former, in: SimulatedDomain.name, vault)
    loot.merge(try await self.loot(of: .device(0), in: "elsewhere", vault)) { $1 }
    for remote in remotes { remote.place?.take(loot) }
  }

  /// What a device has sealed, and the same as it is without: nothing of it may ever be shown.
  private func loot(
    of member: SimulatedMember, in domain: String, _ vault: any SimulatedVault
  ) async throws -> [String: [UInt8]] {
    let random = root.fork("loot in \(domain)")
    // Whatever devices write comes before it.
    let environment = SyncEnvironment.seeded(random, clock: time, skew: 3_600_000)
    let store = try SyncStore(
      SimulatedDomain(name: domain), storage: InMemoryStorage(), coding: coding,
      device: Device(id: "another", name: "another"), environment: environment)
    for (id, collection) in [("1", "note"), ("2", "note"), ("1", "album"), ("1", "log")] {
      try store.write {
        try $0.save(
          RecordDraft(
            CollectionName(collection), id: RecordID(id),
            fields: [collection == "log" ? "text" : "title": .string("forged")]))
      }
    }
    let (sealed, plain) = (InMemoryBlobStore(), InMemoryBlobStore())
    let remotes = [
      vault.encrypted(
        Remote("sealed", location: "sealed", transport: BlobTransport(sealed)), as: member,
        for: store),
      Remote("plain", location: "plain", transport: BlobTransport(plain)),
    ]
    for outcome in await SyncEngine(store: store, remotes: remotes).sync() {
      if let error = outcome.error { throw error }
    }
    return sealed.files.merging(plain.files) { $1 }
      .filter { $0.key.hasSuffix(SimulatedRemote.ending) }
  }

  /// What a device sees of a remote on a place that lies.
  func sealed(
    _ remote: SimulatedRemote, _ place: MaliciousPlace, for device: SimulatedDevice,
    as name: String, _ location: String
  ) throws -> any Transport {
    guard let vault else { throw SimulationBreach("a malicious world has no keys") }
    let view = place.view(
      of: device.number, over: FolderView(remote: remote, device: device.number))
    let plain = Remote(
      name, location: location, transport: BlobTransport(view, coding: device.coding))
    let way = vault.encrypted(plain, as: .device(device.number), for: device.store).transport
    return WatchedTransport(inner: ForwardingTransport(way), world: watch, coding: coding)
  }

  /// Ends all lies; what a place has dropped is gone, with batches that were nowhere else.
  func becomeHonest() async throws {
    for remote in remotes {
      guard let place = remote.place else { continue }
      let before = try batches(in: remote)
      let dropped = place.becomeHonest()
      statistics.faults.merge(place.counts, uniquingKeysWith: +)
      guard !dropped.isEmpty else { continue }
      remote.state.withLock { $0.drop(dropped) }
      let lost = before.subtracting(try await batchesSomewhere())
      written.rollBack(lost)
      say(
        "\(remote.name) has dropped \(dropped.count) objects, "
          + "\(Set(lost.map(\.batch)).count) batches are gone")
    }
  }

  /// Whether an error says what a place that lies has done.
  static func isOfMalice(_ error: SyncError) -> Bool {
    ["crypto.forged", "crypto.misplaced", "crypto.plain", "format.damaged", "format.newer"]
      .contains(error.code.name)
  }

  // MARK: What is shown

  /// Judges what a device shows after a step.
  ///
  /// - Parameters:
  ///   - device: The device.
  ///   - hasWritten: Whether a person has written on it; else all that is new came from remotes.
  /// - Throws: ``SimulationBreach`` that says what it shows.
  func checkHonesty(of device: SimulatedDevice, hasWritten: Bool) throws {
    guard plan.isMalicious else { return }
    if hasWritten { noteValues(of: device) }
    honesty.judged = written.batches.count
    try checkValues(of: device)
    try checkProgress(of: device)
  }

  /// Takes note of what people have written in the newest batches.
  private func noteValues(of device: SimulatedDevice) {
    for batch in written.batches[honesty.judged...] {
      for operation in batch.operations.values.joined() {
        for write in operation.writes {
          if let value = write.value { honesty.note(value) }
        }
      }
    }
  }

  /// Fails when a device shows a value that no device has written.
  private func checkValues(of device: SimulatedDevice) throws {
    for type in device.domain.schema.collections where type.placement != .local {
      let local = Set(type.fields.filter(\.isLocal).map(\.name))
      try device.store.forEachRecord(in: type.name, includingDeleted: true) { record in
        for (name, value) in record.fields.sorted(by: { $0.key < $1.key }) {
          guard !local.contains(name), let forged = honesty.unknown(in: value) else { continue }
          throw SimulationBreach(
            "\(device.name) shows \(record.key) \(name)=\(Self.text(forged)), which no device has written"
          )
        }
      }
    }
  }

  /// Fails when a device knows less than it did, or shows something else than what follows from all it knows.
  private func checkProgress(of device: SimulatedDevice) throws {
    // A store that was put back knows less, and a branch may take the name of another.
    guard plan.faults.isDisjoint(with: [.restore, .clone, .scope]) else { return }
    for zone in try device.store.verify() {
      let now = Dictionary(uniqueKeysWithValues: zone.vector.map { ($0.replica, $0.seq) })
      for (replica, seq) in device.progress[zone.zone] ?? [:] where now[replica] ?? 0 < seq {
        throw SimulationBreach(
          "\(device.name) had \(replica)/\(seq) of \(zone.zone) and goes back to "
            + "\(now[replica] ?? 0)")
      }
      device.progress[zone.zone] = now
    }
    let known = Set(try device.store.openZones().keys)
    if let gone = device.progress.keys.sorted().first(where: { !known.contains($0) }) {
      throw SimulationBreach("\(device.name) had the zone \(gone) and has it no more")
    }
    try checkModel(of: device)
  }
}

/// What people have written in a world.
struct HonestValues {
  private var values = Set(SimulatedDomain.colors.map(Value.string))
  /// How many batches have been looked at.
  var judged = 0

  mutating func note(_ value: Value) {
    for part in Self.parts(of: value) { values.insert(part) }
  }

  /// A part of a value that is no person's; nil when there is none.
  func unknown(in value: Value) -> Value? {
    Self.parts(of: value).first { !values.contains($0) }
  }

  /// The texts and numbers in a value.
  private static func parts(of value: Value) -> [Value] {
    switch value {
    case .string, .int: [value]
    case .list(let values): values.flatMap(parts)
    case .map(let map): map.members.flatMap { parts(of: $0.value) }
    default: []
    }
  }
}
