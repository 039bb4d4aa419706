import CommandFoundation
import Testing

@testable import CloudSyncCommands

/// A password in an address is a secret as well, and is never shown.
struct HiddenAddressTests {
  private static let configuration = """
    version: 1
    remotes:
      home:
        type: http
        url: https://sync.example.org
        proxy: http://anna:pass/word@proxy.example.org:3128
      work: { type: http, url: "https://work.example.org", proxy: "anna:password@10.0.0.1:80" }
    hooks:
      call: { kind: command, run: [curl, "https://anna:password@example.org/x?to=a@b"] }

    """

  @Test(arguments: ["table", "plain", "json", "jsonl", "csv"])
  func `show, get and set hide it`(format: String) async throws {
    let machine = try TestMachine(configuration: Self.configuration)
    for arguments in [
      ["show"], ["show", "--resolved"], ["get", "remotes"], ["get", "remotes.home.proxy"],
      ["set", "remotes.home.proxy", "http://anna:password@other.example.org:3128"],
    ] {
      let outcome = await machine.run(["config"] + arguments + ["--output", format, "-v"])
      #expect(outcome.status == 0, "\(outcome.error)")
      for text in [outcome.output, outcome.error] {
        #expect(!text.contains("anna") && !text.contains("word@"), "\(arguments): \(text)")
      }
    }
    let shown = await machine.run("config", "get", "remotes.home.proxy", "--plain").output
    #expect(shown == "http://(hidden)@other.example.org:3128\n")
    // The file has it, as it must.
    #expect(try machine.home.read(TestMachine.file).contains("anna:password@other"))
  }

  @Test func `an error about a bad address does not show it`() async throws {
    let machine = try TestMachine(
      configuration: "version: 1\nhooks: { a: { kind: ntfy, topic: x, server: 'ftp://a:b@c' } }\n")
    let outcome = await machine.run("config", "validate")
    #expect(outcome.status == 78)
    #expect(outcome.error.contains("ftp://(hidden)@c") && !outcome.error.contains("a:b"))
  }

  @Test func `a text that is not an address stays as it is`() {
    for text in ["a@b", "https://example.org/a@b", "direct", "x://y", "://", "@"] {
      #expect(ConfigText.hidingCredentials(text) == text)
    }
    #expect(ConfigText.hidingCredentials(ofProxy: "direct") == "direct")
    #expect(ConfigText.hidingCredentials(ofProxy: "u:p@h:1") == "(hidden)@h:1")
    #expect(
      ConfigText.hidingCredentials("a://u@h b://u:p@h/?q@") == "a://(hidden)@h b://(hidden)@h/?q@")
  }
}
