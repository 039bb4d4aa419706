import SyncKitFormats
import Testing

/// Numbers as texts.
struct NumberTextTests {
  @Test(arguments: ["0", "-0", "1", "-12", "1.5", "1e3", "1E-7", "0.1234567890123456789", "1e400"])
  func `a number keeps its text`(text: String) {
    #expect(NumberText(text)?.text == text)
  }

  @Test(arguments: ["", "-", "01", "1.", ".5", "1e", "+1", "0x1", "1_0", "NaN", "inf", "1 ", "1e+"])
  func `other texts are no numbers`(text: String) {
    #expect(NumberText(text) == nil)
  }

  @Test func `two texts are equal where they stand for the same number`() {
    #expect(NumberText("1.10") == NumberText("1.1"))
    #expect(NumberText("1e3") == NumberText("1000.0"))
    #expect(NumberText("100") != NumberText("100.0"))
    #expect(NumberText("-0.0") != NumberText("0.0"))
    #expect(NumberText("-0") == NumberText("0"))
    #expect(NumberText(12_300) == NumberText("12300"))
    #expect(NumberText(Int64.min).text == "-9223372036854775808")
  }

  @Test func `a double stands for a number only with all of its digits`() {
    #expect(NumberText("1.10")?.double == 1.1)
    #expect(NumberText("0.1234567890123456789")?.double == nil)
    #expect(NumberText("1e400")?.double == nil && NumberText("1e-400")?.double == nil)
    #expect(NumberText("12345678901234567890")?.double == nil)
    #expect(NumberText("-0.0")?.double?.sign == .minus)
  }
}
