import SyncKitFormats
import Testing

/// Bytes as text and back.
struct Base64Tests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func `the examples of the standard hold`(bytes: String, text: String) {
    #expect(Base64.encode(Array(bytes.utf8)) == text)
    #expect(Base64.decode(text) == Array(bytes.utf8))
  }

  @Test func `all bytes come back, in any number`() {
    for count in 0..<300 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ count) }
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
  }

  @Test(arguments: ["Z", "Zg", "Zg=", "Zg===", "====", "Z===", "Zm9v=", "Zm-_", "Zm 9v", "Zgé="])
  func `invalid base64 is refused`(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}
