import SFTPTransport
import Testing

/// A command line in one text is split as a shell would split it.
@Suite struct Commands {
  @Test func quotationMarksHoldWordsTogether() {
    #expect(SSHCommand.words(of: "ssh") == ["ssh"])
    #expect(SSHCommand.words(of: "  ssh  -i 'my key' ") == ["ssh", "-i", "my key"])
    #expect(SSHCommand.words(of: #"a "b c"d e\ f '' "\"""#) == ["a", "b cd", "e f", "", "\""])
    #expect(SSHCommand.words(of: #"a 'b\c'"#) == ["a", #"b\c"#])
    #expect(SSHCommand.words(of: "") == [])
    #expect(SSHCommand.words(of: "ssh 'a") == nil)
    #expect(SSHCommand.words(of: #"ssh a\"#) == nil)
  }
}
