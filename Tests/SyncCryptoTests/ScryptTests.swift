import SyncCrypto
import Testing

/// Answers of RFC 7914, and of Python's hashlib.
struct ScryptTests {
  @Test func `a passphrase gives the key of scrypt`() {
    // hashlib.scrypt(b"pleaseletmein", salt=b"SodiumChloride", n=2**14, r=8, p=1, dklen=32), chapter 12 of the RFC.
    let key = Scrypt.derive(
      Array("pleaseletmein".utf8), salt: Array("SodiumChloride".utf8), work: 14)
    #expect(
      key?.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        == "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2")
    #expect(Scrypt.derive([], salt: [], work: 10)?.count == 32)
  }

  @Test func `work below the floor or above the ceiling is refused before it is done`() {
    for work in [-1, 0, 1, 9, 21, 32, 63, 64, 1 << 40] {
      #expect(Scrypt.derive([1], salt: [2], work: work) == nil)
    }
  }
}
