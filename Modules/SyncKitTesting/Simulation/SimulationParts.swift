public import SyncKit
import SegmentFormat

/// The parts that a simulated world is made of; a test exchanges one for a faulty one, to see
/// whether the simulation notices.
public struct SimulationParts: Sendable {
  /// The storage that a device's store gets, around the one that survives its restarts.
  public var storage: @Sendable (_ inner: InMemoryStorage, _ device: Int) -> any Storage
  /// The transport that a device's engine gets, around the simulated remote.
  public var transport: @Sendable (_ inner: any Transport, _ device: Int) -> any Transport
  /// The coding of a device.
  public var coding: @Sendable (_ device: Int) -> any SegmentCoding
  /// How a note's title is chosen among concurrent ones, on a device.
  public var titlePolicy: @Sendable (_ device: Int) -> any ConflictPolicy

  /// Starts the server of a world that has one, by the world's clock; nil when there is none to start.
  public var server:
    (@Sendable (_ random: SeededRandom, _ clock: VirtualClock) async throws -> any SimulatedServer)?

  /// Draws the keys of a world in which all remotes are encrypted; nil when none is.
  public var vault: (@Sendable (_ random: SeededRandom) async throws -> any SimulatedVault)?

  /// Makes sound parts.
  public init() {
    storage = { inner, _ in inner }
    transport = { inner, _ in inner }
    coding = { _ in DeflateSegmentCoding() }
    titlePolicy = { _ in NewestPolicy() }
  }

  func domain(_ device: Int, isOlder: Bool = false) -> SimulatedDomain {
    SimulatedDomain(title: titlePolicy(device), isOlder: isOlder)
  }
}
