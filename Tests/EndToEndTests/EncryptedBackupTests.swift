import SyncKitFormats
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A backup is a file of age: without its passphrase it says nothing and changes nothing.
struct EncryptedBackupTests {
  private let device: TestDevice
  private let file: String
  private let secret: String

  init() async throws {
    device = try TestDevice()
    file = device.path("backup.zip.age")
    secret = device.path("passphrase")
    try Files.write(Array("lamp orbit mustard canoe\nsecond line\n".utf8), to: secret)
    try await device.run("airports", "add", "JFK", "KJFK")
    try await device.run("settings", "put", "canary-name", "canary-value", "--namespace", "app")
  }

  /// Runs a command of backups with the passphrase.
  private func run(
    _ words: String..., on other: TestDevice? = nil
  ) async throws -> CommandRunner.Outcome {
    try await (other ?? device).run(["backup"] + words + ["--passphrase-file", secret, "--json"])
  }

  @Test func `a backup hides everything, and comes back with the passphrase`() async throws {
    let made = try await run("create", file)
    try #require(made.status == 0, "\(made.error)")
    #expect(try JSON(parsing: made.output)["encrypted"] == true)
    #expect(Files.mode(file) == 0o600)
    let bytes = try Files.read(file)
    #expect(bytes.starts(with: Array("age-encryption.org/v1\n-> scrypt ".utf8)))
    for canary in ["canary", "KJFK", "SQLite", "PK\u{3}\u{4}", "backup.json", "lamp", "airports"] {
      #expect(bytes.firstRange(of: Array(canary.utf8)) == nil, "\(canary)")
    }
    #expect(try JSON(parsing: try await run("verify", file).output)["encrypted"] == true)
    let heir = try TestDevice()
    let restored = try await run("restore", file, "--yes", on: heir)
    try #require(restored.status == 0, "\(restored.error)")
    #expect(try JSON(parsing: restored.output)["encrypted"] == true)
    #expect(try await heir.codes() == ["JFK": "KJFK"])
    #expect(try await heir.run("settings", "list").output.contains("canary-value"))
    let left = Files.names(in: heir.path(".local/share/cloudsync"))
    #expect(!left.contains { $0.hasPrefix(".scratch") || $0.hasSuffix(".zip") })
  }

  @Test func `a person is told whether it is encrypted`() async throws {
    let made = try await device.run("backup", "create", file, "--passphrase-file", secret)
    #expect(made.error.contains("encrypted: only the passphrase opens it"), "\(made.error)")
    let zip = device.path("backup.zip")
    let plain = try await device.run("backup", "create", zip, "--unencrypted")
    #expect(plain.error.contains("not encrypted: anyone"), "\(plain.error)")
    #expect(try Files.read(zip).starts(with: Array("PK".utf8)))
    #expect(try await device.json("backup", "verify", zip)["encrypted"] == false)
    let both = try await run("create", zip, "--unencrypted")
    expectFailure(both, 64, "usage")
  }

  @Test func `without a passphrase nothing is written, and the ways to give one are named`()
    async throws
  {
    for name in [file, "-"] {
      let refused = try await device.run("backup", "create", name, "--json")
      expectFailure(refused, 64, "usage")
      let hint = refused.failure["hint"]?.string ?? ""
      for way in ["--passphrase-file", "backup.passphrase", "--unencrypted"] {
        #expect(hint.contains(way), "\(hint)")
      }
      #expect(refused.output.isEmpty)
    }
    #expect(!Files.names(in: device.home).contains("backup.zip.age"))
    #expect(try await run("create", file).status == 0)
    for verb in ["verify", "restore"] {
      let refused = try await device.run("backup", verb, file, "--json")
      expectFailure(refused, 64, "usage")
      #expect(refused.failure["hint"]?.string?.contains("--passphrase-file") == true)
    }
  }

  @Test func `a wrong passphrase changes nothing`() async throws {
    #expect(try await run("create", file).status == 0)
    try await device.run("airports", "add", "ZRH", "LSZH")
    try Files.write(Array("lamp orbit mustard kayak\n".utf8), to: secret)
    expectFailure(try await run("verify", file), 77, "crypto.wrong-passphrase")
    let restored = try await run("restore", file, "--yes", "--discard-unsent")
    expectFailure(restored, 77, "crypto.wrong-passphrase")
    #expect(try await device.codes().count == 2)
    let names = Files.names(in: device.path(".local/share/cloudsync"))
    #expect(!names.contains { $0.contains("replaced") || $0.hasPrefix(".scratch") })
  }

  @Test func `a file that was changed, cut or made longer changes nothing`() async throws {
    #expect(try await run("create", file).status == 0)
    try await device.run("airports", "add", "ZRH", "LSZH")
    let good = try Files.read(file)
    var changed = good
    changed[good.count / 2] ^= 1
    let bad = [changed, good.dropLast(), Array(good.prefix(100)), good + [0]]
    for bytes in bad + [Array(good.prefix(22))] {
      try Files.write(bytes, to: file)
      expectFailure(try await run("verify", file), 65, "input.invalid")
    }
    try Files.write(changed, to: file)
    let restored = try await run("restore", file, "--yes", "--discard-unsent")
    expectFailure(restored, 65, "input.invalid")
    #expect(try await device.codes().count == 2)
  }

  @Test func `a passphrase that others can read, or guess, is refused`() async throws {
    #expect(chmod(secret, 0o644) == 0)
    let open = try await run("create", file)
    expectFailure(open, 65, "input.invalid")
    #expect(open.failure["hint"]?.string?.contains("chmod 600") == true)
    #expect(chmod(secret, 0o600) == 0)
    try Files.write(Array("sesame\n".utf8), to: secret)
    let short = try await run("create", file)
    expectFailure(short, 64, "usage")
    #expect(short.failure["message"]?.string?.contains("8 characters") == true)
    try Files.write(Array("\nlamp orbit mustard canoe\n".utf8), to: secret)
    expectFailure(try await run("create", file), 65, "input.invalid")
    #expect(unlink(secret) == 0)
    expectFailure(try await run("create", file), 66, "input.missing")
    #expect(!Files.names(in: device.home).contains("backup.zip.age"))
  }

  @Test func `the configuration says where the passphrase is`() async throws {
    let sources = [
      "{ file: \(secret) }", "{ command: [head, -n1, \(secret)] }", "{ env: BACKUP_WORDS }",
    ]
    let variables = ["BACKUP_WORDS": "lamp orbit mustard canoe"]
    let config = device.path(".config/cloudsync/config.yaml")
    #expect(try await device.run("init", "--yes").status == 0)
    let rest = try Files.text(config)
    for source in sources {
      try Files.write(Array("\(rest)\nbackup: { passphrase: \(source) }\n".utf8), to: config)
      let made = try await device.run(
        "backup", "create", file, "--force", "--json", variables: variables)
      #expect(made.status == 0, "\(source): \(made.error)")
      let verified = try await device.run("backup", "verify", file, variables: variables)
      #expect(verified.status == 0, "\(verified.error)")
    }
    // The option wins over the configuration.
    let other = device.path("other")
    try Files.write(Array("another passphrase\n".utf8), to: other)
    #expect(
      try await device.run("backup", "create", file, "--force", "--passphrase-file", other).status
        == 0)
    expectFailure(try await run("verify", file), 77, "crypto.wrong-passphrase")
    // Never the secret itself.
    try Files.write(Array("\(rest)\nbackup: { passphrase: sesame street }\n".utf8), to: config)
    let plain = try await device.run("backup", "create", file, "--force", "--json")
    expectFailure(plain, 78, "config.invalid")
    #expect(!plain.error.contains("sesame"))
  }

  @Test func `it goes through pipes`() async throws {
    let program = CommandRunner.program
    let copy = device.path("copy")
    let piped = try await CommandRunner.run(
      [
        "-c",
        "'\(program)' backup create - --passphrase-file '\(secret)' | tee '\(copy)'"
          + " | '\(program)' backup verify - --passphrase-file '\(secret)' --json",
      ],
      program: "/bin/bash", environment: device.environment, folder: device.home)
    #expect(piped.status == 0, "\(piped.error)")
    #expect(try JSON(parsing: piped.output)["encrypted"] == true)
    #expect(try Files.read(copy).starts(with: Array("age-encryption.org".utf8)))
  }
}
