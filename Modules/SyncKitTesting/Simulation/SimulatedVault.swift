public import SyncKit

/// The keys of a world in which every remote is end-to-end encrypted.
///
/// SyncKitTesting knows no encryption; a program that has one hands it in with ``SimulationParts``.
public protocol SimulatedVault: Sendable {
  /// The remote of a device with everything on it encrypted.
  ///
  /// - Parameters:
  ///   - remote: The remote as it is without encryption.
  ///   - member: Whose keys it uses.
  ///   - store: The store that syncs with it.
  /// - Returns: A remote of the same name and location.
  func encrypted(_ remote: Remote, as member: SimulatedMember, for store: SyncStore) -> Remote
}

/// Who has keys of a simulated vault.
public enum SimulatedMember: Hashable, Sendable {
  /// A device of the world, by its number.
  case device(Int)
  /// A device that was let go before all else happened, and had the keys until then.
  case former
}

/// What is being sealed: a remote sees only what comes of it.
enum SealedContent {
  @TaskLocal static var segment: Segment?
}
