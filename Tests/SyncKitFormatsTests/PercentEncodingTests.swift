import SyncKitFormats
import Testing

/// Texts in the parts of a URL.
struct PercentEncodingTests {
  @Test func `what never needs it stays, and all else is escaped`() {
    #expect(PercentEncoding.encode("aZ09-._~") == "aZ09-._~")
    #expect(PercentEncoding.encode("a b/ü\u{1}+%") == "a%20b%2F%C3%BC%01%2B%25")
  }

  @Test(arguments: ["", "plain", "a b/ü\u{1}+%", "100%25", "e\u{301}", "\r\n"])
  func `what was escaped comes back byte for byte`(text: String) {
    let back = PercentEncoding.decode(PercentEncoding.encode(text))
    #expect(Array(back.utf8) == Array(text.utf8))
  }

  @Test func `a sign without two digits stands for itself`() {
    for text in ["%", "%4", "%zz", "%+1", "% 1", "100%"] {
      #expect(PercentEncoding.decode(text) == text)
    }
    #expect(PercentEncoding.decode("%4a%4A%") == "JJ%")
    #expect(PercentEncoding.decode("%ff") == "\u{FFFD}")
  }
}
