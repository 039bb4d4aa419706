import SyncKitFormats
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The server is a separate program, which the client finds and becomes.
struct ServerProgramTests {
  /// The client without the server next to it, in its own folder.
  private static func lonely(_ device: TestDevice) throws -> String {
    let path = device.path("cloudsync")
    if link(CommandRunner.program, path) != 0 {
      try Files.write(try Files.read(CommandRunner.program), to: path)
      chmod(path, 0o700)
    }
    return path
  }

  private static var server: String { "\(CommandRunner.program)-server" }

  private func run(
    _ words: [String], _ program: String, _ device: TestDevice, path: String = "/usr/bin:/bin"
  ) async throws -> CommandRunner.Outcome {
    try await CommandRunner.run(
      words, program: program, environment: ["HOME": device.home, "PATH": path], folder: device.home
    )
  }

  @Test(arguments: [
    ["serve"], ["server", "accounts"], ["token", "list"], ["serve", "--help"], ["help", "server"],
  ])
  func `without it the client says how to get it`(words: [String]) async throws {
    let device = try TestDevice()
    let client = try Self.lonely(device)
    let outcome = try await run(words, client, device)
    #expect(outcome.status == 69 && outcome.output.isEmpty)
    #expect(outcome.error.contains("the program cloudsync-server"), "\(outcome.error)")
    #expect(outcome.error.contains("Tools/release cloudsync-server"), "\(outcome.error)")
    let failure = try await run(["--json"] + words, client, device).failure
    #expect(failure["code"] == "server.missing" && failure["retryable"] == false)
    #expect(failure["exit"] == 69)
  }

  @Test func `it is found in PATH, with its arguments and exit status`() async throws {
    let device = try TestDevice()
    let client = try Self.lonely(device)
    let bin = device.path("bin")
    try Files.makeFolder(bin)
    #expect(symlink(Self.server, "\(bin)/cloudsync-server") == 0)
    let path = "/nowhere:\(bin):/usr/bin"
    let made = try await run(
      ["--json", "server", "account", "add", "Anna K."], client, device, path: path)
    #expect(made.status == 0 && made.document["name"] == "Anna K.", "\(made.error)")
    let again = try await run(["server", "account", "add", "anna k."], client, device, path: path)
    #expect(again.status == 65)
    let wrong = try await run(["serve", "--nonsense"], client, device, path: path)
    #expect(wrong.status == 64 && wrong.error.contains("'cloudsync serve --help'"))
  }

  @Test func `help is always the same, and names the called program`()
    async throws
  {
    let device = try TestDevice()
    let help = try await device.run("serve", "--help")
    #expect(help.status == 0 && help.output.contains("USAGE: cloudsync serve"))
    #expect(try await device.run("help", "serve").output == help.output)
    let own = try await run(["serve", "--help"], Self.server, device)
    #expect(own.status == 0 && own.output.contains("USAGE: cloudsync-server serve"))
    #expect(own.output.contains("\n  cloudsync-server serve --listen "))
    #expect(help.output.contains("\n  cloudsync serve --listen "))
    let version = try await run(["--version"], Self.server, device)
    #expect(version.output.hasPrefix("cloudsync-server "))
    #expect(
      try await device.run("--help").output.contains("Run the server that devices sync with."))
  }
}
