import CommandFoundation
import SyncKitHTTP
import SyncKit
import Testing

@testable import CloudSyncCommands

/// The texts that a person types or shows to add a device to an account.
struct JoinTextTests {
  @Test func `a code and a link are told apart`() throws {
    #expect(try JoinText(" 4F7K-92QD ") == .code("4F7K-92QD"))
    let text = "https://sync.example.org/join#4F7K-92QD"
    #expect(try JoinText(text).code == "4F7K-92QD")
    #expect(try JoinText("4f7k 92qd-j3m8 x6tb").code == "4f7k 92qd-j3m8 x6tb")
    for wrong in [
      "", "hello", "4F7K-92Q", "https://sync.example.org/join#hello",
      "https://sync.example.org/share#x", "https://sync.example.org", "a b",
    ] {
      #expect(throws: SyncError.self, "'\(wrong)' counts.") { try JoinText(wrong) }
    }
  }

  @Test func `a token is kept for its server only, and privately`() throws {
    let folder = try TemporaryFolder()
    let server = "https://sync.example.org"
    let other = "https://evil.example.org"
    #expect(try StoredToken.read("home", for: server, in: folder.path) == nil)
    try StoredToken.write("secret", of: "home", for: server, in: folder.path)
    #expect(try StoredToken.read("home", for: server, in: folder.path) == "secret")
    #expect(try StoredToken.read("home", for: other, in: folder.path) == nil)
    #expect(try StoredToken.read("away", for: server, in: folder.path) == nil)
    #expect(folder.mode(of: "tokens/home") == 0o600)
    #expect(folder.mode(of: "tokens") == 0o700)
    try StoredToken.remove("home", in: folder.path)
    #expect(try StoredToken.read("home", for: server, in: folder.path) == nil)
  }

  @Test func `a picture of a link has its marks and a light margin`() throws {
    let code = try #require(QRCode("https://sync.example.org/join#4F7K-92QD"))
    // The three corners of every such code: a dark ring around a light one around a dark core.
    for (column, row) in [(0, 0), (code.width - 7, 0), (0, code.width - 7)] {
      for step in 0..<7 { #expect(code[column + step, row] && code[column, row + step]) }
      #expect(!code[column + 1, row + 1] && code[column + 3, row + 3])
    }
    let lines = code.terminalText.split(separator: "\n")
    #expect(lines.count == (code.width + 5) / 2)
    #expect(lines.allSatisfy { $0.count == code.width + 4 })
    #expect(lines.first?.allSatisfy { $0 == "█" } == true)
    #expect(QRCode(String(repeating: "x", count: 10_000)) == nil)
  }
}
