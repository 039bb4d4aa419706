/// W1: one device has records, the other none; each syncs once.
extension Benchmark {
  mutating func firstSync() throws {
    let records = try records(count)
    for _ in 0..<repetitions {
      for candidate in candidates {
        let pair = try Pair(candidate, in: scratch + "/w1-\(candidate.name)")
        results.add("W1", "import", candidate, try candidate.run("import", pair.a, records.file))
        let push = try pair.sync(pair.a)
        let pull = try pair.sync(pair.b)
        results.add("W1", "A pushes", candidate, push)
        results.add("W1", "B pulls", candidate, pull)
        results.add("W1", "first sync A to B", candidate, push + pull)
        let place = pair.place.content
        results.add(
          "W1", "folder, per record", candidate.name, Double(place.bytes) / Double(count), "B")
        results.add("W1", "folder", candidate.name, Double(place.files), "files")
        if let carried = try pair.place.wire, let peak = pair.place.peak {
          results.add(
            "W1", "on the wire, per record", candidate.name, Double(carried) / Double(count), "B")
          results.add("W1", "memory of the server", candidate.name, Double(peak) / 1e6, "MB")
        }
        try pair.agreement(expecting: records.bytes)
      }
    }
  }
}
