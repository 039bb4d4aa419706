import SyncKitModel
import SyncKitStore

/// A transport that can remove a zone for good, as withdrawing a record needs.
///
/// Without it, a record that was published once stays on the remote, and withdrawing it fails.
public protocol ErasingTransport: Transport {
  /// Removes everything of a zone, and leaves word of each replica that has done so too.
  ///
  /// The word is there before the first segment goes, and stays.
  func erase(_ zone: ZoneID, of domain: String, confirmedBy: Confirmations) async throws
}
