/// W6: the shortest wait of a person, with the real `cloudsync` if it is next to this tool.
extension Benchmark {
  mutating func startUp() throws {
    let folder = launcher.tool.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let own = Candidate(
      name: "cloudsync", words: [(folder + ["cloudsync"]).joined(separator: "/")],
      launcher: launcher)
    // A start of this tool, which reads nothing, takes about as long as any Swift program.
    let floor = Candidate(name: "floor", words: [launcher.tool], launcher: launcher)
    guard let program = own.words.first, POSIX.exists(program) else { return }
    let home = scratch + "/home"
    try POSIX.makeFolder(home)
    // A benchmark must not touch the person's own data.
    var variables = ["HOME": home, "CLOUDSYNC_CONFIG": ""]
    for folder in ["CONFIG", "DATA", "STATE", "CACHE"] {
      variables["XDG_\(folder)_HOME"] = ""
      variables["CLOUDSYNC_\(folder)_DIR"] = ""
    }
    func run(_ candidate: Candidate, _ arguments: String...) throws -> Cost {
      try launcher.run(candidate.words + arguments, variables: variables)
    }

    _ = try run(own, "init", "--yes", "--unencrypted", "--remote", "folder=file:\(home)/remote")
    let file = home + "/mappings.csv"
    let rows = (0..<1_000).map { "\(Self.code($0)),K\(Self.code($0))\n" }.joined()
    try POSIX.write(Array(("iata,icao\n" + rows).utf8), to: file)
    // A code that belongs to a city is refused, and the others are written.
    _ = try? run(own, "airports", "import", file, "--skip-bad")
    for _ in 0..<2 { _ = try run(own, "sync") }
    for round in 0..<max(repetitions, 21) {
      results.add("W6", "--version", own, try run(own, "--version"))
      results.add("W6", "--version", floor, try run(floor, "--version"))
      results.add("W6", "sync, nothing to do", own, try run(own, "sync"))
      guard let cost = try? run(own, "airports", "add", "XYZ", "K\(Self.code(round))") else {
        continue
      }
      results.add("W6", "airports add", own, cost)
      _ = try run(own, "sync")
    }
  }

  /// Three letters for a number.
  private static func code(_ number: Int) -> String {
    let digits = [number / 676 % 26, number / 26 % 26, number % 26]
    return String(decoding: digits.map { UInt8(ascii: "A") + UInt8($0) }, as: UTF8.self)
  }
}
