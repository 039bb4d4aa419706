import SyncKitFormats
import SyncKit

/// W4: durable writes through the API, one at a time and in bulk.
extension Benchmark {
  mutating func writes() throws {
    let records = try records(count)
    for _ in 0..<repetitions {
      let folder = scratch + "/w4"
      POSIX.remove(folder)
      try POSIX.makeFolder(folder)
      try step("W4", "writes", folder, records.file)
    }
  }
}

/// The content of a step's process: one line per result, with tabs between
/// candidate, measure, value and unit.
enum WriteStep {
  private static let singles = 1_000

  static func run(in folder: String, records file: String) throws {
    let reader = RecordLine(CanonicalDomain())
    let rows = lines(of: try POSIX.read(file))
    let drafts = try rows.map { try reader.draft($0) }
    let pairs = zip(drafts, rows).map { (id: $0.id?.text ?? "", line: $1) }
    let replica = try Replica(making: folder + "/a", remote: "file:\(folder)/remote")
    let store = try replica.store()
    let floor = try Floor(at: folder + "/floor")
    defer { floor.close() }

    var start = POSIX.seconds()
    _ = try store.importAll(drafts)
    report("cloudsync", "bulk", Double(drafts.count) / (POSIX.seconds() - start), "records/s")
    start = POSIX.seconds()
    try floor.insert(pairs)
    report("floor", "bulk", Double(pairs.count) / (POSIX.seconds() - start), "records/s")

    var times: [String: [Double]] = [:]
    let log = try POSIX.appending(to: folder + "/log")
    defer { POSIX.closeFile(log) }
    for (number, line) in rows.prefix(singles).enumerated() {
      let draft = try reader.draft(line)
      try measure("cloudsync", &times) {
        try store.write { transaction in
          guard let id = draft.id else { return }
          let key = RecordKey(collection: CanonicalDomain.task, id: id)
          try transaction.edit(key, ["note": .string("note \(number)")])
        }
      }
      try measure("SQLite WAL FULL", &times) {
        try floor.insert(draft.id?.text ?? "", line + [0x20])
      }
      try measure("append and fdatasync", &times) {
        try POSIX.write(Array(line), to: log)
        try POSIX.synchronize(log)
      }
    }
    for (candidate, samples) in times.sorted(by: { $0.key < $1.key }) {
      report(candidate, "one durable write, p50", samples.sorted()[samples.count / 2] * 1e3, "ms")
    }
  }

  private static func measure(
    _ candidate: String, _ times: inout [String: [Double]], _ body: () throws -> Void
  ) rethrows {
    let start = POSIX.seconds()
    try body()
    times[candidate, default: []].append(POSIX.seconds() - start)
  }
}

/// Prints a result of a step.
func report(_ candidate: String, _ measure: String, _ value: Double, _ unit: String) {
  print("\(candidate)\t\(measure)\t\(value)\t\(unit)")
}
