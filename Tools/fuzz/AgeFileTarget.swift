import SyncKit
import SyncKitEncryption
import SyncKitTesting

extension FuzzTarget {
  /// A backup from elsewhere: the header, and the payload under a key that is known.
  ///
  /// The key comes from nowhere, as its derivation takes half a second by design.
  static let ageFile = FuzzTarget(
    "age-file",
    samples: { [try sealed([]), try sealed(Array("PK".utf8))] },
    body: { bytes in
      if let header = try? AgeHeader(bytes) {
        if header.isSealed(by: fileKey) { fail("a header was opened with a key that made none") }
        let again = AgeHeader.serialized(header.stanzas, fileKey: fileKey)
        if !again.starts(with: header.covered) || again.count != header.length {
          fail("a header is written in another way than it was read")
        }
        if let stanza = try? ScryptStanza(header), [stanza.stanza] != header.stanzas {
          fail("a stanza is written in another way than it was read")
        }
      }
      let nonce = Array(bytes.prefix(16))
      guard nonce.count == 16 else { return }
      let content = Array(bytes.dropFirst(16))
      let own = AgePayload.seal(content, fileKey: fileKey, nonce: nonce)
      if try AgePayload.open(own[...], fileKey: fileKey) != content {
        fail("content does not survive being sealed")
      }
      if (try? AgePayload.open(bytes[...], fileKey: fileKey)) != nil {
        fail("content was opened with a key that sealed none")
      }
    })

  private static let fileKey = [UInt8](repeating: 5, count: 16)

  private static func sealed(_ content: [UInt8]) throws -> [UInt8] {
    try AgeFile.seal(content, passphrase: "a passphrase", work: 10, from: .seeded(15))
  }
}
