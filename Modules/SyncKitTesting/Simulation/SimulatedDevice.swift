import SyncKit
import Synchronization

/// A device of a simulated world: a store that can stop, be copied and be put back.
final class SimulatedDevice {
  /// How a device's version stands to that of the others.
  enum Version {
    case usual
    /// Some of what it writes cannot be read by the others yet.
    case ahead
    /// It knows neither all collections nor all fields.
    case behind
  }

  /// An older copy of a device's files.
  struct Backup {
    let storage: InMemoryStorage
    let witness: SimulatedWitness?
  }

  let number: Int
  let name: String
  let identity: Device
  let clock: DeviceClock
  let random: SharedStream
  /// The remotes it meets, by number.
  let remotes: [Int]
  let parts: SimulationParts
  let version: Version
  /// What it knows of the domain.
  let domain: SimulatedDomain
  /// How it reads and writes segments.
  let coding: any SegmentCoding
  private(set) var storage: InMemoryStorage
  private(set) var witness: SimulatedWitness?
  private(set) var crash = CrashSwitch()
  let log = SegmentLog()
  private(set) var store: SyncStore
  var backups: [Backup] = []
  /// What every record must still show, by what was acknowledged since the last other event.
  var expected: [RecordKey: [FieldName: Value]] = [:]
  /// The zones here that must not leave the device, as they were after the last step.
  var localZones: Set<ZoneID> = []
  /// The roots that are there and local, as they were after the last step.
  var localRoots: Set<RootRecord> = []
  /// The batches that have taken effect here.
  var seen = BitSet()
  /// How far each series had got in each zone, where places may lie about that.
  var progress: [ZoneID: [ReplicaID: UInt64]] = [:]
  /// How far the table of segments has been read for ``seen``.
  var lastSegment: [UInt8]?

  init(
    _ number: Int, identity: Device? = nil, clock: DeviceClock, random: SeededRandom,
    remotes: [Int], storage: InMemoryStorage, witness: SimulatedWitness?, parts: SimulationParts,
    version: Version = .usual, versions: SimulatedVersions
  ) throws {
    self.number = number
    self.version = version
    domain = parts.domain(number, isOlder: version == .behind)
    coding = VersionedCoding(
      inner: parts.coding(number), versions: versions, isAhead: version == .ahead)
    name = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(truncatingIfNeeded: number)))
    self.identity = identity ?? Device(id: "device-\(name)", name: name)
    self.clock = clock
    self.random = SharedStream(random)
    self.remotes = remotes
    self.storage = storage
    self.witness = witness
    self.parts = parts
    store = try Self.open(
      storage, witness, crash, log, parts, number, domain, coding, self.identity, clock,
      self.random)
  }

  /// Stops whatever runs and opens the store again from what was committed.
  func reopen(stoppingAfter writes: Int? = nil, isAfterCommit: Bool = false) throws {
    crash = CrashSwitch()
    if let writes { crash.arm(after: writes, isAfterCommit: isAfterCommit) }
    defer { crash.disarm() }
    store = try Self.open(
      storage, witness, crash, log, parts, number, domain, coding, identity, clock, random)
  }

  /// Puts an older copy of the store back; the witness is the old one too, or has stayed.
  func putBack(_ backup: Backup, withWitness: Bool) {
    storage = InMemoryStorage(copying: backup.storage)
    if withWitness, let old = backup.witness { witness = SimulatedWitness(copying: old) }
    seen = BitSet()
    lastSegment = nil
    expected = [:]
  }

  /// Copies the device's files as they are.
  func backUp() -> Backup {
    Backup(
      storage: InMemoryStorage(copying: storage),
      witness: witness.map { SimulatedWitness(copying: $0) })
  }

  private static func open(
    _ storage: InMemoryStorage, _ witness: SimulatedWitness?, _ crash: CrashSwitch,
    _ log: SegmentLog, _ parts: SimulationParts, _ number: Int, _ domain: SimulatedDomain,
    _ coding: any SegmentCoding, _ identity: Device, _ clock: DeviceClock, _ random: SharedStream
  ) throws -> SyncStore {
    try SyncStore(
      domain,
      storage: SimulatedStorage(inner: parts.storage(storage, number), crash: crash, log: log),
      coding: coding, device: identity,
      environment: SyncEnvironment(now: { clock.now }, random: { random.next() }),
      witness: witness.map { WitnessAccess(witness: $0, crash: crash) })
  }
}

/// The clock of one device: the world's, wrong by some milliseconds.
final class DeviceClock: Sendable {
  private let world: VirtualClock
  private let skew: Mutex<Int64>

  init(_ world: VirtualClock, skew: Int64) {
    self.world = world
    self.skew = Mutex(skew)
  }

  var now: Int64 { world.now &+ skew.withLock { $0 } }
  func jump(by delta: Int64) { skew.withLock { $0 &+= delta } }
}

/// A stream of random numbers that all parts of one device share.
final class SharedStream: Sendable {
  private let random: Mutex<SeededRandom>

  init(_ random: SeededRandom) { self.random = Mutex(random) }
  func next() -> UInt64 { random.withLock { $0.next() } }
}

/// A set of small numbers.
struct BitSet {
  private var words: [UInt64] = []

  func contains(_ number: Int) -> Bool {
    number >> 6 < words.count && words[number >> 6] & (1 << UInt64(number & 63)) != 0
  }

  mutating func insert(_ number: Int) {
    while number >> 6 >= words.count { words.append(0) }
    words[number >> 6] |= 1 << UInt64(number & 63)
  }
}
