import SyncCrypto
import Testing

/// Answers of the RFCs, and of the Python package `cryptography` 48.
@Suite struct SealingAndKeys {
  private let key = (0..<32).map { UInt8($0) }
  private let message = Array("message".utf8)
  private let context = Array("context".utf8)

  @Test func `what was sealed elsewhere opens here, and nothing that was changed`() {
    let nonce = (0..<12).map { UInt8($0) }
    let sealed = Sealing.seal(message, context: context, key: key, nonce: nonce)
    #expect(sealed == bytes("e49e7b734870c0ebae6459f3183e09b0b2a727ce55095a"))
    #expect(Sealing.open(sealed, context: context, key: key, nonce: nonce) == message)
    for place in sealed.indices {
      var changed = sealed
      changed[place] ^= 1
      #expect(Sealing.open(changed, context: context, key: key, nonce: nonce) == nil)
    }
    #expect(Sealing.open(sealed, context: [], key: key, nonce: nonce) == nil)
    #expect(Sealing.open(sealed, context: context, key: key.reversed(), nonce: nonce) == nil)
    #expect(Sealing.open(sealed, context: context, key: key, nonce: nonce.reversed()) == nil)
    #expect(Sealing.open(sealed.dropLast(), context: context, key: key, nonce: nonce) == nil)
    #expect(Sealing.open([], context: context, key: key, nonce: nonce) == nil)
    #expect(Sealing.seal([], context: [], key: key, nonce: nonce).count == Sealing.overhead)
  }

  @Test func `keys are derived as RFC 5869 says`() {
    let drawn = KeyDerivation.extract(
      [UInt8](repeating: 0x0B, count: 22), salt: bytes("000102030405060708090a0b0c"))
    #expect(drawn == bytes("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5"))
    #expect(
      KeyDerivation.expand(drawn, for: bytes("f0f1f2f3f4f5f6f7f8f9"), length: 42)
        == bytes(
          "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"))
    let unsalted = KeyDerivation.extract([UInt8](repeating: 0x0B, count: 22), salt: [])
    #expect(unsalted == bytes("19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04"))
  }

  @Test func `a passphrase gives the key of Argon2id, at a cost between floor and ceiling`() {
    let salt = (0..<16).map { UInt8($0) }
    let derived = PassphraseKey.derive(Array("correct horse".utf8), salt: salt, cost: .usual)
    #expect(derived == bytes("e3c889ca40ed01e6b6771fc8a5bf16e35ad60b41c9bd5d7e6d63adf51e50b0fd"))
    for cost in [
      PassphraseKey.Cost(passes: 1, memory: 64 << 20), .init(passes: 3, memory: 1 << 20),
      .init(passes: 100, memory: 64 << 20), .init(passes: 3, memory: 1 << 40),
    ] {
      #expect(PassphraseKey.derive([1], salt: salt, cost: cost) == nil)
    }
    #expect(PassphraseKey.derive([1], salt: [1, 2], cost: .usual) == nil)
  }

  @Test func `a signature is that of Ed25519`() throws {
    let signer = try #require(SigningKey(seed: key))
    #expect(
      signer.publicKey == bytes("03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"))
    let signature = signer.sign(message)
    #expect(
      signature
        == bytes(
          "7bc0ea578290c8dcf6fc8a6e134a7f3e794ddd7e8922108bccd6202f95de532b92c2298dc8e161ac2b5e3653f92c5b0e12adf26b3d46e7bd2057715f25d3e205"
        ))
    #expect(SigningKey.isValid(signature, of: message, by: signer.publicKey))
    #expect(!SigningKey.isValid(signature, of: context, by: signer.publicKey))
    var changed = signature
    changed[0] ^= 1
    #expect(!SigningKey.isValid(changed, of: message, by: signer.publicKey))
    #expect(!SigningKey.isValid(signature, of: message, by: [UInt8](repeating: 0, count: 32)))
    #expect(SigningKey(seed: [1]) == nil)
  }

  @Test func `what was sealed to a public key elsewhere opens here`() throws {
    let receiver = try #require(AgreementKey(secret: key))
    let purpose = Array("cloudsync/zone".utf8)
    let sealed = bytes(
      "12152f4e48e14d99bdc3fded3db4d54207b69f7f83ee304a133f3b9ef10b4062306b566243b941b49b123023d74faaa81b7485b36bb4445f9eaf4965"
    )
    #expect(HPKE.open(sealed, by: receiver, purpose: purpose) == Array("a zone's key".utf8))
    #expect(HPKE.open(sealed, by: receiver, purpose: Array("cloudsync/other".utf8)) == nil)
    #expect(HPKE.open(sealed, by: receiver, purpose: purpose, context: [1]) == nil)
    let other = try #require(AgreementKey(secret: key.reversed()))
    #expect(HPKE.open(sealed, by: other, purpose: purpose) == nil)
    let again = try #require(
      HPKE.seal(
        message, to: receiver.publicKey, purpose: purpose, context: context,
        ephemeral: key.reversed()))
    #expect(HPKE.open(again, by: receiver, purpose: purpose, context: context) == message)
    // A point of small order would make the secret known to all.
    #expect(
      HPKE.seal(message, to: [UInt8](repeating: 0, count: 32), purpose: purpose, ephemeral: key)
        == nil)
  }

  private func bytes(_ text: String) -> [UInt8] {
    let digits = Array(text.utf8).map { $0 < 97 ? $0 - 48 : $0 - 87 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
