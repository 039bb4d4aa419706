import SyncKit

/// The words of a command line, taken one after another.
struct Arguments {
  private var words: [String]

  init(_ words: some Sequence<String>) { self.words = Array(words) }

  /// The remaining words.
  var rest: [String] { words }

  /// Takes the next word.
  mutating func word(_ name: String) throws -> String {
    guard !words.isEmpty else { throw Self.usage("\(name) is missing") }
    return words.removeFirst()
  }

  /// Takes an option with its value from any position; nil if it is missing.
  mutating func option(_ name: String) throws -> String? {
    guard let index = words.firstIndex(of: name) else { return nil }
    guard index + 1 < words.count else { throw Self.usage("\(name) needs a value") }
    defer { words.removeSubrange(index...index + 1) }
    return words[index + 1]
  }

  /// Takes an option whose value is a number above 0.
  mutating func number(_ name: String) throws -> Int? {
    guard let text = try option(name) else { return nil }
    guard let number = Int(text), number > 0 else { throw Self.usage("\(name) needs a number") }
    return number
  }

  /// Takes an option without a value.
  mutating func flag(_ name: String) -> Bool {
    guard let index = words.firstIndex(of: name) else { return false }
    words.remove(at: index)
    return true
  }

  /// Checks that no word is left.
  func end() throws {
    if let word = words.first { throw Self.usage("'\(word)' is not a known argument") }
  }

  static func usage(_ what: String) -> SyncError {
    SyncError(.usage, "\(what).", hint: "See 'cloudsync-bench help'.")
  }
}

/// The options of `run`.
struct RunArguments {
  let workloads: [String]
  let count: Int
  let repetitions: Int
  let isJSON: Bool
  let peers: [String]
  let scratch: String?
  let media: [Medium]

  init(_ arguments: Arguments) throws {
    var arguments = arguments
    count = try arguments.number("--n") ?? 10_000
    repetitions = try arguments.number("--reps") ?? 5
    isJSON = arguments.flag("--json")
    scratch = try arguments.option("--in")
    media = try (arguments.option("--over") ?? "file").split(separator: ",").map { name in
      guard let medium = Medium(rawValue: String(name)) else {
        throw Arguments.usage("--over takes file, sqlite and http")
      }
      return medium
    }
    var peers: [String] = []
    while let peer = try arguments.option("--peer") { peers.append(peer) }
    self.peers = peers
    workloads = arguments.rest
    let known = Benchmark.workloads.map(\.name)
    if let name = workloads.first(where: { !known.contains($0) }) {
      throw Arguments.usage("there is no workload '\(name)'")
    }
  }
}
