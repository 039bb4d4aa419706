import SyncKit
import SyncKitEncryption

/// What a person has that opens the keys of a vault.
enum VaultOpening {
  /// A recovery code or an invitation.
  case code(RecoveryCode)
  case passphrase(String)

  /// The keys in a slot, at a time in milliseconds since 1970; nil when it does not open.
  func open(_ slot: KeySlot, now: Int64) -> VaultKeys? {
    switch self {
    case .code(let code): slot.open(code: code, now: now)
    case .passphrase(let passphrase): slot.open(passphrase: passphrase)
    }
  }

  /// What the device knew that has made an invitation; nothing for other slots.
  func frontier(_ slot: KeySlot, now: Int64) -> Frontier {
    guard case .code(let code) = self else { return Frontier() }
    return slot.frontier(code: code, now: now) ?? Frontier()
  }
}
