import RealPlaces
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Runs the examples of a guide against the real program, so that a guide cannot go stale.
///
///     @Test func `the guide does what it says`() async throws {
///       try await GuideRunner("settings").check()
///     }
///
/// ## How a guide is written
///
/// - A line `$ command` in a fenced `sh` block is run by `/bin/sh` in a fresh home folder, the
///   blocks of a guide one after another. `cloudsync` is the program under test.
/// - The lines below it, up to the next command or the fence, are what standard output and standard
///   error print, in that order within the command. Without such lines the output is not checked.
/// - `…` stands for any text within a line, or none; a line of only `…` for any lines, or
///   none. Spaces at the end of a line and empty lines at the end of the output do not count.
/// - `laptop$ command` runs on the device of that name, which has its own home; a bare `$` is
///   the device `home`. `~/Nextcloud` is one folder that all devices share.
/// - A command must end with status 0; one that ends with another says so: `$ command  # exits 2`.
/// - A command continues after a `\` at the end of a line, and up to the end of a `<<'EOF'`.
/// - A block of any other language whose fence has a second word is a file of that name in every
///   home: a fence `json app.json`. Blocks of `sh` without a command are left alone.
/// - A command that ends with `# soon` is repeated until it prints the expected output, for things that
///   take time. One that ends with `&` runs until the guide ends.
/// - `<!-- server https://sync.example.org -->` starts a real server, whose commands work as the device
///   `server`. In commands and output the address stands for the server's own.
/// - `<!-- webdav https://anna@cloud.example.org -->` starts a WebDAV server; in commands and output the address stands for
///   its own with its user, and the word of `<!-- password WORD -->` for the password.
/// - `<!-- sample 4F7K-92QD -->` says that this text stands for one that differs in each run, such as
///   a code: for the text printed where the guide first shows it, from there on.
struct GuideRunner {
  private let name: String
  private let text: String

  /// Reads a guide of `Documentation/Guides` by its name, without `.md`.
  init(_ name: String) throws {
    let tests = CommandRunner.folder(of: CommandRunner.folder(of: #filePath))
    let root = CommandRunner.folder(of: CommandRunner.folder(of: tests))
    self.init(name: "\(name).md", text: try Files.text("\(root)/Documentation/Guides/\(name).md"))
  }

  /// Takes a guide's text.
  init(name: String, text: String) {
    self.name = name
    self.text = text
  }

  /// Records an issue for each example that differs from the guide.
  func check() async throws {
    for problem in try await problems() { Issue.record(Comment(rawValue: problem)) }
  }

  /// The differences from the guide: one sentence each, with the guide's line.
  func problems() async throws -> [String] {
    let base = try TestDevice()
    let homes = Homes(base: base.home)
    try homes.prepare()
    defer { homes.end() }
    var words = GuideWords(samples: GuideBlock.directives("sample", in: text))
    var server: RunningCommand?
    if let address = GuideBlock.directives("server", in: text).first {
      let (process, url) = try await homes.serve()
      server = process
      words.know(address, as: url)
    }
    var cloud: WebDAVServer?
    defer { cloud?.process.stop() }
    if let address = GuideBlock.directives("webdav", in: text).first {
      let started = try WebDAVServer(.apache)
      words.know(address, as: started.address.replacing("://", with: "://\(WebDAVServer.user)@"))
      for password in GuideBlock.directives("password", in: text) {
        words.know(password, as: WebDAVServer.password)
      }
      cloud = started
    }
    var problems: [String] = []
    var commands = 0
    for block in GuideBlock.blocks(of: text) {
      if let file = block.file {
        homes.files[file] = block.lines.map { "\(words.real($0))\n" }.joined()
      } else if block.language == "sh" {
        for example in block.examples {
          commands += 1
          problems += try await run(example, homes, &words).map {
            "\(name):\(example.line): \($0)"
          }
        }
      }
    }
    try await server?.stop()
    return commands == 0 ? ["\(name): has no examples that can be run"] : problems
  }

  private func run(
    _ example: GuideExample, _ homes: Homes, _ words: inout GuideWords
  ) async throws -> [String] {
    if let unknown = words.unknown(in: example.command) {
      return ["'\(example.command)' wants '\(unknown)', which nothing has printed"]
    }
    let home = try homes.home(of: example.device)
    var script = "cd \"$HOME\" || exit\nexec 2>&1\n\(words.real(example.command))\n"
    if example.isBackground { script += "echo $! >>\"$HOME/../background\"\n" }
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: .seconds(example.isSoon ? 120 : 0))
    while true {
      let outcome = try await CommandRunner.run(
        ["-c", script], program: "/bin/sh",
        environment: [
          "HOME": home, "PATH": "\(homes.base)/bin:/usr/bin:/bin", "TMPDIR": home, "LC_ALL": "C",
        ], folder: homes.base)
      let problems = judge(outcome, example, &words)
      guard !problems.isEmpty, clock.now < end else { return problems }
      try await clock.sleep(for: .milliseconds(100))
    }
  }

  private func judge(
    _ outcome: CommandRunner.Outcome, _ example: GuideExample, _ words: inout GuideWords
  ) -> [String] {
    var problems: [String] = []
    if outcome.status != example.status {
      problems.append(
        "'\(example.command)' ended with \(outcome.status), not \(example.status):\n"
          + outcome.output)
    }
    guard let expected = example.output else { return problems }
    let lines = expected.map { words.real($0) }
    guard OutputPattern(lines.map(words.open)).matches(outcome.output) else {
      return problems + ["'\(example.command)' printed\n\(outcome.output)"]
    }
    for line in lines { words.learn(line, from: outcome.lines) }
    return problems
  }

  /// The homes of the devices of one guide.
  private final class Homes {
    let base: String
    var files: [String: String] = [:]

    init(base: String) { self.base = base }

    func prepare() throws {
      for folder in ["bin", "Nextcloud"] { mkdir("\(base)/\(folder)", 0o700) }
      symlink(CommandRunner.program, "\(base)/bin/cloudsync")
    }

    /// A server in the home of the device `server`, and its address.
    func serve() async throws -> (RunningCommand, String) {
      _ = try home(of: "server")
      let machine = try TestDevice(in: base, name: "server")
      let server = try RunningCommand("serve", "--listen", "127.0.0.1:0", on: machine)
      return (server, try await server.firstLine())
    }

    /// Ends the commands in the background.
    func end() {
      for line in (try? Files.text("\(base)/background"))?.split(separator: "\n") ?? [] {
        if let process = pid_t(line) { kill(process, SIGTERM) }
      }
    }

    /// The home of a device, created at the first call, with the files that the guide has shown so far.
    func home(of device: String) throws -> String {
      let home = "\(base)/\(device)"
      mkdir(home, 0o700)
      symlink("../Nextcloud", "\(home)/Nextcloud")
      for (name, content) in files where access("\(home)/\(name)", F_OK) != 0 {
        try Files.write(Array(content.utf8), to: "\(home)/\(name)")
      }
      return home
    }
  }
}
