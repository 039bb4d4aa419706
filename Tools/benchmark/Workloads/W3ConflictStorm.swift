import SyncKitFormats
import SyncKit

/// W3: both devices edit different fields of the same records, and both touch `modified`.
extension Benchmark {
  mutating func conflictStorm() throws {
    let records = try records(count)
    let edited = min(count, 10_000)
    let left = try edits(of: records.bytes, count: edited, "status", "a was here", day: 1)
    let right = try edits(of: records.bytes, count: edited, "project", "b was here", day: 2)
    for _ in 0..<repetitions {
      for candidate in candidates where candidate.merges {
        let pair = try Pair(candidate, in: scratch + "/w3-\(candidate.name)")
        try candidate.run("import", pair.a, records.file)
        try pair.settle()
        let edits =
          try candidate.run("edit", pair.a, left) + candidate.run("edit", pair.b, right)
        results.add("W3", "edits of both", candidate, edits)
        results.add("W3", "sync both ways", candidate, try pair.sync(pair.a, pair.b, pair.a))
        let merged = lines(of: try pair.agreement()).prefix(edited)
        for line in merged {
          let record = try? JSON(parsing: line)
          guard record?["status"] == "a was here", record?["project"] == "b was here" else {
            throw SyncError(.failure, "'\(candidate.name)' has lost an edit.")
          }
        }
      }
    }
  }
}
