import SyncCrypto
import SyncKit

/// What a browser proves with that the host sits at it: 256 random bits, of which the storage has the digest alone.
struct AdminSecret: Sendable {
  private let bytes: [UInt8]

  /// Draws a new one.
  init(from environment: SyncEnvironment) {
    bytes = (0..<4).flatMap { _ in
      let word = environment.random()
      return (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
    }
  }

  /// Reads what a cookie has; nil when it can be none.
  init?(_ text: some StringProtocol) {
    guard text.utf8.count == 52, let bytes = Base32.decode(text), bytes.count == 32 else {
      return nil
    }
    self.bytes = bytes
  }

  /// The whole secret, for the cookie.
  var text: String { Base32.encode(bytes) }

  /// The storage keeps this in its place.
  var digest: [UInt8] { SHA256.hash(bytes) }

  /// What every form of the session has, which leads back neither to the cookie nor to the digest.
  var formToken: String {
    Base32.encode(MessageCode.of(Array("cloudsync admin form".utf8), key: bytes))
  }

  /// Whether a form comes from a page of the session.
  func admits(form token: String?) -> Bool {
    token.map { Secret.isEqual(Array($0.utf8), Array(formToken.utf8)) } ?? false
  }
}
