import SyncCrypto
import Testing

/// The known answers of the standards.
struct PrimitivesTests {
  @Test(arguments: [
    // FIPS 180-4, examples of NIST.
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func `SHA-256 gives the known digests`(text: String, digest: String) {
    #expect(hex(SHA256.hash(Array(text.utf8))) == digest)
  }

  @Test func `Parts give the digest of the whole, and more may follow a digest`() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
    for cut in [0, 1, 63, 64, 65, 500, 1000] {
      var hash = SHA256()
      bytes[..<cut].withUnsafeBytes { hash.update($0) }
      #expect(hash.digest() == SHA256.hash(Array(bytes[..<cut])))
      bytes[cut...].withUnsafeBytes { hash.update($0) }
      #expect(hash.digest() == SHA256.hash(bytes))
    }
  }

  @Test(arguments: [
    // RFC 4231, test cases 1, 2 and 6.
    (
      [UInt8](repeating: 0x0B, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131),
      "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func `HMAC with SHA-256 gives the known codes`(key: [UInt8], message: String, code: String) {
    #expect(hex(MessageCode.of(Array(message.utf8), key: key)) == code)
  }

  @Test func `Secrets are equal byte by byte and of one length`() {
    #expect(Secret.isEqual([], []))
    #expect(Secret.isEqual([1, 2, 3], [1, 2, 3]))
    #expect(!Secret.isEqual([1, 2, 3], [1, 2, 4]))
    #expect(!Secret.isEqual([1, 2, 3], [1, 2]))
    #expect(!Secret.isEqual([0], []))
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let text = String(byte, radix: 16)
      return text.utf8.count == 1 ? "0\(text)" : text
    }.joined()
  }
}
