import Testing

@testable import FileTransport

/// The examples of RFC 4648, and what is none.
@Suite struct DocumentBase64 {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func `the examples of the standard`(plain: String, text: String) {
    #expect(Base64.encode(Array(plain.utf8)) == text)
    #expect(Base64.decode(text) == Array(plain.utf8))
  }

  @Test func `every byte goes there and back`() {
    let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    #expect(Base64.decode(Base64.encode(bytes)) == bytes)
  }

  @Test(arguments: ["Z", "Zg", "Zg=", "=Zg=", "Zg==Zg==", "Z===", "Zm9\n", "Zm-_", "é==="])
  func `anything else is refused`(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}
