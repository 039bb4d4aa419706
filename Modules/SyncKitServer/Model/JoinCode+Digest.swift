import SyncCrypto
import SyncWire

extension JoinCode {
  /// The server keeps this in place of the code.
  var digest: [UInt8] { SHA256.hash(Array(plain.utf8)) }
}
