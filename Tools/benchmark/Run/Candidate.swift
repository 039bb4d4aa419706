import SyncKit

/// A tool to measure: a command with the verbs of ``Replica``.
struct Candidate {
  /// Its name in tables.
  let name: String
  /// The command, to be followed by a verb.
  let words: [String]
  /// Whether it can merge edits; the floor can only copy.
  var merges = true
  /// Whether it was named on the command line.
  var isPeer = false
  /// The medium of its remote.
  var medium = Medium.file

  let launcher: Launcher

  /// This tool itself.
  static func own(_ launcher: Launcher, over medium: Medium = .file) -> Candidate {
    Candidate(
      name: medium.name(of: "cloudsync"), words: [launcher.tool], medium: medium,
      launcher: launcher)
  }

  /// The least that any tool must do.
  static func floor(_ launcher: Launcher) -> Candidate {
    Candidate(
      name: "floor", words: [launcher.tool, "floor"], merges: false, launcher: launcher)
  }

  /// The naive script, with `python3`.
  static func naive(_ script: String, _ launcher: Launcher) -> Candidate {
    Candidate(name: "naive", words: ["python3", script], launcher: launcher)
  }

  /// A command from the command line.
  static func peer(_ command: String, _ launcher: Launcher) -> Candidate {
    let name = command.split(separator: " ").first?.split(separator: "/").last ?? "peer"
    return Candidate(
      name: String(name), words: ["/bin/sh", "-c", "exec \(command) \"$@\"", "sh"],
      isPeer: true, launcher: launcher)
  }

  @discardableResult
  func run(
    _ arguments: String..., output: String? = nil, variables: [String: String] = [:]
  ) throws -> Cost {
    try launcher.run(words + arguments, output: output, variables: variables)
  }
}

/// Two devices of one candidate and their remote.
struct Pair {
  let candidate: Candidate
  let a: String
  let b: String
  let place: SharedRemote
  private let scratch: String

  /// Makes two empty devices and an empty remote.
  init(_ candidate: Candidate, in scratch: String) throws {
    POSIX.remove(scratch)
    try POSIX.makeFolder(scratch)
    self.candidate = candidate
    self.scratch = scratch
    (a, b) = (scratch + "/a", scratch + "/b")
    place = try SharedRemote(
      candidate.medium, in: scratch + "/remote", tool: candidate.launcher.tool)
    for device in [a, b] { try candidate.run("init", device, "--remote", place.url) }
  }

  /// Syncs devices one after another.
  @discardableResult
  func sync(_ devices: String...) throws -> Cost {
    try devices.reduce(Cost()) { try $0 + candidate.run("sync", $1) }
  }

  /// Syncs until no device has changes for the other.
  func settle() throws { try sync(a, b, a, b) }

  /// The records of a device.
  func export(_ device: String) throws -> [UInt8] {
    let file = scratch + "/export"
    try candidate.run("export", device, output: file)
    return try POSIX.read(file)
  }

  /// The records of both.
  ///
  /// - Throws: ``SyncError`` `failure` when they differ.
  @discardableResult
  func agreement(expecting expected: [UInt8]? = nil) throws -> [UInt8] {
    let (left, right) = (try export(a), try export(b))
    guard left == right, expected == nil || left == expected else {
      throw SyncError(.failure, "The devices of '\(candidate.name)' do not have the same records.")
    }
    return left
  }
}
