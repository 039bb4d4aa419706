import CommandFoundation
import SyncKit
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

  @Test(arguments: [[], ["airports", "list"], ["a b", "", "ü\n", "--", "-x"]])
  func `words that come on standard input are those of the command line`(_ words: [String]) throws {
    var rest = InputWords.bytes(words) + Array("input of the command".utf8)
    let resolved = try InputWords.resolved(["cloudsync", InputWords.option]) { most in
      // As a pipe may give it.
      let next = Array(rest.prefix(min(most, 3)))
      rest.removeFirst(next.count)
      return next
    }
    #expect(resolved == ["cloudsync"] + words)
    #expect(String(decoding: rest, as: UTF8.self) == "input of the command")
    #expect(try InputWords.resolved(["cloudsync", "x"]) { _ in [] } == ["cloudsync", "x"])
  }

  @Test(arguments: ["", "x\n[]", "3\n[1]", "2\n[", "99999999999\n[]", "-1\n", "2\n{}"])
  func `what is no list of words is refused`(_ input: String) {
    var rest = Array(input.utf8)
    #expect(throws: SyncError.self) {
      try InputWords.resolved(["cloudsync", InputWords.option]) { most in
        let next = Array(rest.prefix(most))
        rest.removeFirst(next.count)
        return next
      }
    }
  }

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
