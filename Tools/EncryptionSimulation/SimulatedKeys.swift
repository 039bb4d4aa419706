import SegmentFormat
public import SyncKit
import SyncKitEncryption
public import SyncKitTesting

/// The keys of a simulated vault: every device of the world has introduced itself to the others, and one was let go.
public struct SimulatedKeys: SimulatedVault {
  private let devices: [DeviceKeys]
  private let former: DeviceKeys

  /// Draws the keys of a vault, and lets its devices state what they state on a place that does not lie.
  public init(_ random: SeededRandom) async throws {
    let environment = SyncEnvironment.seeded(random)
    let owner = VaultOwner(from: environment)
    let vault = VaultKeys(of: owner, from: environment)
    let desk = StatementDesk(environment)
    // A new device comes at the end.
    var devices: [DeviceKeys] = []
    for number in 0...SimulationPlan.maximumReplicas {
      devices.append(
        try await desk.exchange(DeviceKeys(of: vault, from: environment), "device \(number)"))
    }
    former = try await desk.exchange(DeviceKeys(of: vault, from: environment), "former")
    devices[0] = try await desk.exchange(devices[0], "device 0")
    let leaving = devices[0].membership.members.filter { $0.id == "former" }
    try devices[0].beginEpoch(
      by: owner, lettingGo: leaving, objects: [:], slots: { _ in [] }, from: environment)
    for number in devices.indices {
      devices[number] = try await desk.exchange(devices[number], "device \(number)")
    }
    self.devices = devices
  }

  /// The keys of a world, in the form for ``SyncKitTesting/SimulationParts``.
  public static func part(_ random: SeededRandom) async throws -> any SimulatedVault {
    try await SimulatedKeys(random)
  }

  public func encrypted(
    _ remote: Remote, as member: SimulatedMember, for store: SyncStore
  ) -> Remote {
    let keys =
      switch member {
      case .device(let number): devices[number]
      case .former: former
      }
    return remote.encrypted(with: keys, for: store)
  }
}

/// Where the devices of a vault meet before anything happens.
private struct StatementDesk {
  /// It has no records.
  private struct NoRecords: SyncDomain {
    let schema = DomainSchema("statements", [])
  }

  private let place = InMemoryTransport()
  private let environment: SyncEnvironment

  init(_ environment: SyncEnvironment) { self.environment = environment }

  /// The keys of a device with all that was stated, after it has introduced itself.
  func exchange(_ keys: DeviceKeys, _ id: String) async throws -> DeviceKeys {
    let store = try SyncStore(
      NoRecords(), storage: InMemoryStorage(), coding: DeflateSegmentCoding(),
      device: Device(id: id, name: id), environment: environment)
    let remote = Remote("desk", location: "desk", transport: place)
    return try await remote.exchange(keys, for: store) { _ in }
  }
}
