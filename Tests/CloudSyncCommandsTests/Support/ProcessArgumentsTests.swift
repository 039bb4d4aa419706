import CommandFoundation
import Testing

@testable import CloudSyncCommands

/// The words of a command line, even if the standard library does not find them.
struct ProcessArgumentsTests {
  #if os(Linux)
  @Test func `without words of our own the system is asked`() {
    #expect(!CommandLine.arguments.isEmpty)
    #expect(ProcessArguments.all(found: []) == CommandLine.arguments)
  }
  #endif

  @Test func `found words stay`() {
    #expect(ProcessArguments.all(found: ["a", "b"]) == ["a", "b"])
  }

  @Test(arguments: [
    ("", []), ("cloudsync\0", ["cloudsync"]), ("a\0b\0", ["a", "b"]), ("a\0\0c\0", ["a", "", "c"]),
    ("a\0\0", ["a", ""]), ("a\0ü\0", ["a", "ü"]),
  ])
  func `words are split, empty ones too`(_ text: String, _ words: [String]) {
    #expect(ProcessArguments.split(Array(text.utf8)) == words)
  }
}
