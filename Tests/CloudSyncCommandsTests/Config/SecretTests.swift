import CommandFoundation
import SyncKit
import Testing

@testable import CloudSyncCommands

/// Secrets are fetched from their source and never shown.
struct SecretTests {
  @Test func `each place gives its first line`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("s3cret\r\nmore\n", to: "token")
    #expect(try Secret.file(file).read(environment: [:]) == "s3cret")
    #expect(try Secret.environment("T").read(environment: ["T": "s3cret"]) == "s3cret")
    let credentials = ["CREDENTIALS_DIRECTORY": folder.path]
    #expect(try Secret.credential("token").read(environment: credentials) == "s3cret")
    let command = Secret.command(["printf", "%s\\nmore\\n", "a b;c"])
    #expect(try command.read(environment: [:]) == "a b;c")
  }

  @Test(arguments: [
    Secret.file("/nonexistent/token"), .environment("NOT_SET"), .credential("../x"),
    .command(["false"]), .command(["/nonexistent/program"]), .command(["true"]), .command([]),
    .keyring("-x"), .keyring("a b"), .keyring("a'b"), .keyring(""),
  ])
  func `a secret that cannot be read is an error of the configuration`(secret: Secret) {
    let error = #expect(throws: SyncError.self) {
      try secret.read(environment: ["CREDENTIALS_DIRECTORY": "/nonexistent"])
    }
    #expect(error?.code == .configInvalid)
  }

  @Test func `a description or a dump reveals nothing`() {
    let secret = Secret.command(["echo", "hunter2"])
    var text = "\(secret) \(String(reflecting: secret))"
    dump(secret, to: &text)
    dump(Configuration.Remote(name: "a", location: .http(url: "u", token: secret)), to: &text)
    #expect(!text.contains("hunter2"))
  }

  @Test func `a silent program that keeps running is ended when its time is over`() throws {
    let command = ["/bin/sh", "-c", "echo all; exec >&-; exec sleep 20"]
    let result = try ChildProcess.run(command, seconds: 1)
    #expect(result.status == 137 && result.output == Array("all\n".utf8))
    let quick = try ChildProcess.run(["/bin/sh", "-c", "exec >&-; exit 3"], seconds: 600)
    #expect(quick.status == 3)
  }

  @Test func `a program's long output does not stall`() throws {
    let command = ["head", "-c", "300000", "/dev/zero"]
    let result = try ChildProcess.run(command, limit: 1000)
    #expect(result.status == 0 && result.output.count == 1000)
  }
}
