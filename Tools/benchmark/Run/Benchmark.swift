import SyncKitFormats
import SyncKit

/// One run of workloads: its options, its folder, and its results.
struct Benchmark {
  /// The workloads by name, in the order in which they run.
  static let workloads: [(name: String, run: @Sendable (inout Benchmark) throws -> Void)] = [
    ("W1", { try $0.firstSync() }), ("W2", { try $0.laterSync() }),
    ("W3", { try $0.conflictStorm() }), ("W4", { try $0.writes() }),
    ("W5", { try $0.mergeInMemory() }), ("W6", { try $0.startUp() }),
    ("W7", { try $0.queries() }),
  ]

  /// Starts this program again for each step.
  let launcher: Launcher
  /// The number of records.
  let count: Int
  /// The number of measurements of each step.
  let repetitions: Int
  /// The tools to compare.
  let candidates: [Candidate]
  /// The scratch folder.
  let scratch: String
  var results = Results()

  init(_ arguments: RunArguments, tool: String) throws {
    count = arguments.count
    repetitions = arguments.repetitions
    // One of its own, since all of it is removed at the end.
    let folder = try POSIX.absolute(arguments.scratch ?? "/tmp")
    try POSIX.makeFolder(folder)
    scratch = "\(folder)/cloudsync-bench-\(POSIX.now())"
    try POSIX.makeFolder(scratch)
    let launcher = Launcher(tool: tool, file: scratch + "/cost")
    self.launcher = launcher
    let script = scratch + "/naive.py"
    try POSIX.write(PackageResources.naive_py, to: script)
    var candidates = arguments.media.map { Candidate.own(launcher, over: $0) }
    candidates.append(.floor(launcher))
    if (try? launcher.run(["python3", "--version"])) != nil {
      candidates.append(.naive(script, launcher))
    }
    self.candidates = candidates + arguments.peers.map { .peer($0, launcher) }
  }

  /// Runs workloads one after another; removes their files.
  mutating func run(_ names: [String]) throws {
    defer { POSIX.remove(scratch) }
    for workload in Self.workloads where names.isEmpty || names.contains(workload.name) {
      try workload.run(&self)
    }
  }

  /// A file of records, sorted by id as an export is, and its bytes.
  func records(_ count: Int, seed: UInt64 = 1) throws -> (file: String, bytes: [UInt8]) {
    let file = scratch + "/records-\(count)-\(seed).ndjson"
    if POSIX.exists(file) { return (file, try POSIX.read(file)) }
    var generator = RecordGenerator(seed: seed)
    let records = (0..<count).map { _ in generator.next() }
    var writer = LineWriter()
    for record in records.sorted(by: { ($0["id"]?.string ?? "") < ($1["id"]?.string ?? "") }) {
      writer.append(record.serialized())
    }
    try POSIX.write(writer.bytes, to: file)
    return (file, writer.bytes)
  }

  /// A file of edits of the first records: one field each, and the time of the edit.
  func edits(
    of records: [UInt8], count: Int, _ field: String, _ value: JSON, day: Int
  ) throws -> String {
    let file = scratch + "/edits-\(field).ndjson"
    var writer = LineWriter()
    for line in lines(of: records).prefix(count) {
      guard let id = try? JSON(parsing: line)["id"] else { continue }
      let time = JSON.string("2027-01-0\(day)T00:00:00.000Z")
      writer.append(
        JSON.object(["id": id, .init(field): value, "modified": time]).serialized())
    }
    try POSIX.write(writer.bytes, to: file)
    return file
  }

  /// Runs this program's own step in a separate process; its lines become results.
  mutating func step(_ workload: String, _ arguments: String...) throws {
    let output = scratch + "/step"
    let cost = try launcher.run([launcher.tool, "step"] + arguments, output: output)
    try addLines(workload, of: output)
    results.add(workload, "peak memory", "cloudsync", Double(cost.peak) / 1e6, "MB")
  }

  /// Adds what a process has printed: candidate, measure, value and unit, with tabs between.
  mutating func addLines(_ workload: String, of file: String) throws {
    for line in lines(of: try POSIX.read(file)) {
      let parts = String(decoding: line, as: UTF8.self).split(separator: "\t").map(String.init)
      guard parts.count == 4, let value = Double(parts[2]) else { continue }
      results.add(workload, parts[1], parts[0], value, parts[3])
    }
  }
}
