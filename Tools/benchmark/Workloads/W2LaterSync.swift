import Formats

/// W2: both devices are in step; then one record changes.
extension Benchmark {
  mutating func laterSync() throws {
    let records = try records(count)
    let pairs = try candidates.map { candidate in
      let pair = try Pair(candidate, in: scratch + "/w2-\(candidate.name)")
      try candidate.run("import", pair.a, records.file)
      try pair.settle()
      return pair
    }
    // A process takes milliseconds here, so that more runs cost nothing.
    for round in 0..<max(repetitions, 11) {
      for pair in pairs {
        let before = pair.folder
        results.add("W2", "nothing to do, both", pair.candidate, try pair.sync(pair.a, pair.b))
        results.add(
          "W2", "added to the folder by nothing", pair.candidate.name,
          Double(pair.folder.bytes - before.bytes), "B")
        guard pair.candidate.merges else { continue }
        let edit = try edits(
          of: records.bytes, count: 1, "note", .string("round \(round)"), day: 1)
        results.add("W2", "one edit", pair.candidate, try pair.candidate.run("edit", pair.a, edit))
        results.add("W2", "one change A to B", pair.candidate, try pair.sync(pair.a, pair.b))
        results.add(
          "W2", "added to the folder by a change", pair.candidate.name,
          Double(pair.folder.bytes - before.bytes), "B")
        results.add(
          "W2", "folder", pair.candidate.name, Double(pair.folder.files), "files")
      }
    }
    for pair in pairs { try pair.agreement() }
  }
}
