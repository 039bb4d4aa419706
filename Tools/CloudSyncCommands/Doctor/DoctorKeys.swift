import CommandFoundation
import SyncKit
import SyncKitEncryption

/// Checks the keys of an encrypted vault.
enum DoctorKeys {
  /// What there is to say; nothing on a device without keys.
  static func checks(_ session: Session) -> [DoctorCheck] {
    do {
      guard let ring = try session.keyring() else { return [] }
      let keys = ring.keys
      if let remote = ring.reencrypting.min() {
        return [
          DoctorCheck(
            "keys", .warning, "not all on \(remote) is encrypted with the newest key yet",
            advice: "cloudsync vault rotate --reencrypt")
        ]
      }
      if keys.membership.isSplit {
        return [
          DoctorCheck("keys", .warning, VaultShow.split, advice: "cloudsync vault rotate")
        ]
      }
      return [DoctorCheck("keys", .ok, "this device has the keys of its vault")]
    } catch {
      let error = ErrorReport.described(error)
      return [DoctorCheck("keys", .error, error.message, advice: error.hint)]
    }
  }
}
