import SyncCrypto
import SyncKit

/// The one stanza of a file that a passphrase opens: it wraps the key of the file.
package struct ScryptStanza {
  static let saltLength = 16
  private static let label = Array("age-encryption.org/v1/scrypt".utf8)
  /// The wrapping key has a salt of its own, so the nonce need not differ.
  private static let nonce = [UInt8](repeating: 0, count: Sealing.nonceLength)

  private let salt: [UInt8]
  private let work: Int
  private let body: [UInt8]

  /// Wraps the key of a file.
  ///
  /// - Throws: ``SyncKit/SyncError`` `failure` when the key cannot be derived.
  init(
    _ fileKey: [UInt8], passphrase: String, salt: [UInt8], work: Int
  ) throws(SyncError) {
    (self.salt, self.work) = (salt, work)
    body = Sealing.seal(
      fileKey, context: [], key: try Self.key(passphrase, salt, work), nonce: Self.nonce)
  }

  /// Finds it in a header.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` for a header that has another stanza as well, or asks for more or less
  ///   work than anyone would choose; nothing was computed then.
  package init(_ header: AgeHeader) throws(SyncError) {
    guard let stanza = header.stanzas.first(where: { $0.arguments.first == "scrypt" }) else {
      throw .badAge("it was not encrypted with a passphrase", hint: "open it with 'age -d -i KEY'")
    }
    guard header.stanzas.count == 1 else {
      throw .badAge("it has other recipients beside a passphrase")
    }
    let arguments = stanza.arguments
    guard arguments.count == 3, let salt = AgeHeader.decoded(arguments[1]),
      salt.count == Self.saltLength, let work = Int(arguments[2]), "\(work)" == arguments[2],
      stanza.body.count == AgeHeader.fileKeyLength + Sealing.overhead
    else { throw .badAge("its header is damaged") }
    guard Scrypt.acceptable ~= work else {
      throw .badAge(
        "its work factor is 2^\(work), and only 2^\(Scrypt.acceptable.lowerBound) to "
          + "2^\(Scrypt.acceptable.upperBound) is accepted")
    }
    (self.salt, self.work, body) = (salt, work, stanza.body)
  }

  /// It in the form of a header.
  package var stanza: AgeHeader.Stanza {
    AgeHeader.Stanza(
      arguments: ["scrypt", AgeHeader.encoded(salt), "\(work)"], body: body)
  }

  /// Unwraps the key of the file.
  ///
  /// - Throws: ``SyncKit/SyncError`` `crypto.wrong-passphrase`, also where the wrapped key was changed: nothing tells
  ///   one from the other; `failure` when the key cannot be derived.
  func open(passphrase: String) throws(SyncError) -> [UInt8] {
    let key = try Self.key(passphrase, salt, work)
    guard let fileKey = Sealing.open(body, context: [], key: key, nonce: Self.nonce) else {
      throw SyncError(.wrongPassphrase, "the passphrase does not open the file")
    }
    return fileKey
  }

  private static func key(
    _ passphrase: String, _ salt: [UInt8], _ work: Int
  ) throws(SyncError) -> [UInt8] {
    guard let key = Scrypt.derive(Array(passphrase.utf8), salt: label + salt, work: work) else {
      throw SyncError(
        .failure,
        "a key cannot be derived from the passphrase: this platform cannot, or has too little memory"
      )
    }
    return key
  }
}
