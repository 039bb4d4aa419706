import Testing

@testable import YAMLDocuments

@Test func `the parser tells its version`() {
  #expect(YAMLVersion.text.split(separator: ".").count == 3)
}
