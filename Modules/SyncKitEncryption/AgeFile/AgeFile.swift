import SyncCrypto
public import SyncKit

/// A file that a passphrase opens, and that every program for age can read: `age -d FILE`.
///
/// It has one recipient, of the type scrypt, and is not armored. Source:
/// [age-encryption.org/v1](https://c2sp.org/age).
package enum AgeFile {
  /// Whether bytes begin as a file of age does, in whichever version.
  package static func isOne(_ start: some Collection<UInt8>) -> Bool {
    start.starts(with: AgeHeader.magic)
  }

  /// How many bytes ``isOne(_:)`` needs.
  package static let signatureLength = AgeHeader.magic.count

  /// Encrypts bytes.
  ///
  /// - Parameters:
  ///   - content: The bytes.
  ///   - passphrase: What opens them again.
  ///   - work: The binary logarithm of scrypt's work factor; other programs refuse more than about 20.
  ///   - environment: The source of randomness.
  /// - Returns: The whole file.
  /// - Throws: ``SyncKit/SyncError`` `failure` when the machine lacks the memory for it, or the platform has no scrypt.
  package static func seal(
    _ content: [UInt8], passphrase: String, work: Int = Scrypt.usual,
    from environment: SyncEnvironment
  ) throws(SyncError) -> [UInt8] {
    let fileKey = environment.randomBytes(AgeHeader.fileKeyLength)
    let stanza = try ScryptStanza(
      fileKey, passphrase: passphrase, salt: environment.randomBytes(ScryptStanza.saltLength),
      work: work)
    return AgeHeader.serialized([stanza.stanza], fileKey: fileKey)
      + AgePayload.seal(
        content, fileKey: fileKey, nonce: environment.randomBytes(AgePayload.nonceLength))
  }

  /// Decrypts a whole file; gives nothing of one of which any byte was changed.
  ///
  /// - Throws: ``SyncKit/SyncError`` `crypto.wrong-passphrase`; `input.invalid` for a file that is damaged, cut short
  ///   or longer than it was, has another recipient than one passphrase, or would take too much work or memory.
  package static func open(_ file: [UInt8], passphrase: String) throws(SyncError) -> [UInt8] {
    let header = try AgeHeader(file)
    let fileKey = try ScryptStanza(header).open(passphrase: passphrase)
    guard header.isSealed(by: fileKey) else { throw .badAge("its header was changed") }
    return try AgePayload.open(file[header.length...], fileKey: fileKey)
  }
}

extension SyncError {
  /// What is wrong with a file of age.
  static func badAge(_ reason: String, hint: String? = nil) -> SyncError {
    SyncError(.inputInvalid, "the encrypted file cannot be opened: \(reason)", hint: hint)
  }
}

extension SyncError.Code {
  /// A passphrase does not open a file.
  public static let wrongPassphrase = Self("crypto.wrong-passphrase", exit: 77)
}
