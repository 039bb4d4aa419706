import SyncKitFormats
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A device for a test: its own home folder and nothing of the real one.
final class TestDevice: Sendable {
  /// The folder of the device; removed with the value unless it has another owner.
  let home: String
  private let isOwner: Bool

  init(in folder: String? = nil, name: String = "home") throws {
    isOwner = folder == nil
    home = try folder.map { "\($0)/\(name)" } ?? Self.temporaryFolder()
    if !isOwner { mkdir(home, 0o700) }
  }

  deinit { if isOwner { Files.remove(home) } }

  static func temporaryFolder() throws -> String {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/cloudsync-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw CommandRunner.Failure(what: "cannot make a folder in \(base)")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The path of a file in the home folder.
  func path(_ name: String) -> String { "\(home)/\(name)" }

  /// Runs `cloudsync` with arguments.
  @discardableResult
  func run(
    _ arguments: String..., input: String = "", variables: [String: String] = [:]
  ) async throws -> CommandRunner.Outcome {
    try await run(arguments, input: input, variables: variables)
  }

  @discardableResult
  func run(
    _ arguments: [String], input: String = "", variables: [String: String] = [:]
  ) async throws -> CommandRunner.Outcome {
    var environment = ["HOME": home, "PATH": "/usr/bin:/bin", "TMPDIR": home]
    environment.merge(variables) { $1 }
    return try await CommandRunner.run(
      arguments, environment: environment, input: Array(input.utf8), folder: home)
  }

  /// Runs a command that must succeed, and reads its document.
  func json(_ arguments: String..., input: String = "") async throws -> JSON {
    try await json(arguments, input: input)
  }

  func json(_ arguments: [String], input: String = "") async throws -> JSON {
    let outcome = try await run(arguments + ["--json"], input: input)
    try #require(outcome.status == 0, "\(arguments): \(outcome.error)")
    #expect(outcome.error.isEmpty)
    return try JSON(parsing: outcome.output)
  }

  /// The ICAO codes of the mappings by IATA code.
  func codes() async throws -> [String: String] {
    var codes: [String: String] = [:]
    for record in try await json("airports", "list")["records"]?.array ?? [] {
      codes[record["id"]?.string ?? ""] = record["fields"]?["icao"]?.string
    }
    return codes
  }

  /// The output of `verify` about the stored state; equal texts are equal states.
  func digest() async throws -> String {
    try await json("verify")["zones"]?[0]?["digest"]?.string ?? ""
  }
}

/// Two devices that share a folder, set up and in sync.
struct TwoDevices {
  let first: TestDevice
  let second: TestDevice
  /// The folder that both see.
  let shared: String
  private let base: TestDevice

  init() async throws {
    base = try TestDevice()
    first = try TestDevice(in: base.home, name: "first")
    second = try TestDevice(in: base.home, name: "second")
    shared = base.path("shared")
    for (device, name) in [(first, "laptop"), (second, "phone")] {
      let outcome = try await device.run(
        "init", "--yes", "--unencrypted", "--device", name, "--remote", "folder=file:\(shared)")
      try #require(outcome.status == 0, "\(outcome.error)")
    }
  }

  /// Syncs both until each has everything of the other.
  func sync() async throws {
    for device in [first, second, first] {
      let outcome = try await device.run("sync")
      try #require(outcome.status == 0, "\(outcome.error)")
    }
  }
}

/// Checks that a document has a name and keys.
func expectKeys(
  _ document: JSON, _ schema: String, _ keys: String...,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(document["schema"]?.string == schema, sourceLocation: sourceLocation)
  for key in keys {
    #expect(document[key] != nil, "\(key) is missing", sourceLocation: sourceLocation)
  }
}

/// Checks that a run failed with a status, and said so in one object on standard error.
func expectFailure(
  _ outcome: CommandRunner.Outcome, _ status: Int32, _ code: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(outcome.status == status, sourceLocation: sourceLocation)
  let failure = outcome.failure
  expectKeys(
    failure, "cloudsync.error/1", "message", "hint", "retryable", "safe",
    sourceLocation: sourceLocation)
  #expect(failure["code"]?.string == code, sourceLocation: sourceLocation)
  #expect(failure["exit"]?.int == Int64(status), sourceLocation: sourceLocation)
}

extension JSON {
  /// The counts of a writing command: added, changed, deleted, unchanged.
  var counts: [Int64?] {
    ["added", "changed", "deleted", "unchanged"].map { self[$0]?.int }
  }
}

extension TestDevice {
  /// Syncs devices one after the other, each without a refusal.
  static func sync(_ devices: TestDevice...) async throws {
    for device in devices {
      let run = try await device.run("sync")
      try #require(run.status == 0, "\(run.error)")
      #expect(!run.error.contains("efused"), "\(run.error)")
    }
  }
}
