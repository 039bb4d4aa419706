import SyncKitFormats

/// W2: both devices are in sync; then one record changes.
extension Benchmark {
  mutating func laterSync() throws {
    let records = try records(count)
    let pairs = try candidates.map { candidate in
      let pair = try Pair(candidate, in: scratch + "/w2-\(candidate.name)")
      try candidate.run("import", pair.a, records.file)
      try pair.settle()
      return pair
    }
    // A process takes milliseconds here, so more runs cost nothing.
    for round in 0..<max(repetitions, 11) {
      for pair in pairs {
        let before = pair.place.content
        let carried = try pair.place.wire
        results.add("W2", "nothing to do, both", pair.candidate, try pair.sync(pair.a, pair.b))
        results.add(
          "W2", "added to the folder by nothing", pair.candidate.name,
          Double(pair.place.content.bytes - before.bytes), "B")
        if let carried, let now = try pair.place.wire {
          results.add(
            "W2", "on the wire by nothing, a side", pair.candidate.name,
            Double(now - carried) / 2, "B")
        }
        guard pair.candidate.merges else { continue }
        let between = try pair.place.wire
        let edit = try edits(
          of: records.bytes, count: 1, "note", .string("round \(round)"), day: 1)
        results.add("W2", "one edit", pair.candidate, try pair.candidate.run("edit", pair.a, edit))
        results.add("W2", "one change A to B", pair.candidate, try pair.sync(pair.a, pair.b))
        results.add(
          "W2", "added to the folder by a change", pair.candidate.name,
          Double(pair.place.content.bytes - before.bytes), "B")
        if let between, let now = try pair.place.wire {
          results.add(
            "W2", "on the wire by a change, a side", pair.candidate.name,
            Double(now - between) / 2, "B")
        }
        results.add(
          "W2", "folder", pair.candidate.name, Double(pair.place.content.files), "files")
      }
    }
    for pair in pairs { try pair.agreement() }
  }
}
