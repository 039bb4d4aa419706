import SyncKitFormats
import Testing

/// A command line in one text is split as a shell would split it.
@Suite struct CommandLines {
  @Test func `quotation marks hold words together`() {
    #expect(ShellWords.split("ssh") == ["ssh"])
    #expect(ShellWords.split("  ssh  -i 'my key' ") == ["ssh", "-i", "my key"])
    #expect(ShellWords.split(#"a "b c"d e\ f '' "\"""#) == ["a", "b cd", "e f", "", "\""])
    #expect(ShellWords.split(#"a 'b\c'"#) == ["a", #"b\c"#])
    #expect(ShellWords.split("  ") == [])
    #expect(ShellWords.split("ssh 'a") == nil)
    #expect(ShellWords.split(#"ssh a\"#) == nil)
  }
}
