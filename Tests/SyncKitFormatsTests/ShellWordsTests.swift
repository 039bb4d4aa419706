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

  @Test(arguments: ["ssh", "", "my key", "it's", "a\"b", "~/x", "$(x)", "a\\b", "a\nb", "é", "#"])
  func `a word that is quoted is read back`(word: String) {
    #expect(ShellWords.split(ShellWords.quoted(word)) == [word])
  }

  @Test func `only what a shell would change is quoted`() {
    let plain = "box=sftp://ada@box.example.org:23/sync"
    #expect(ShellWords.quoted(plain) == plain)
    #expect(ShellWords.quoted("it's") == #"'it'\''s'"#)
    #expect(ShellWords.quoted("~/x") == "'~/x'")
  }
}
