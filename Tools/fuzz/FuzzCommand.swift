#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// An invalid command line.
struct FuzzFailure: Error {
  let message: String
}

/// The command of the command line.
struct FuzzCommand {
  private static let usage =
    "cloudsync-fuzz list | samples CORPUS | replay CORPUS [TARGET…] | "
    + "mutate CORPUS SECONDS [TARGET…]"
  /// The seconds that one input may take; then the process is ended, which is a finding.
  private static let patience: UInt32 = 20

  let arguments: [String]

  init(_ arguments: [String]) { self.arguments = arguments }

  func run() throws {
    guard let verb = arguments.first else { throw FuzzFailure(message: Self.usage) }
    switch (verb, arguments.count) {
    case ("list", _): print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
    case ("samples", 2): try writeSamples(arguments[1])
    case ("replay", 2...): try replay(arguments[1], targets(arguments.dropFirst(2)))
    case ("mutate", 3...):
      guard let seconds = Int(arguments[2]) else { throw FuzzFailure(message: Self.usage) }
      try mutate(arguments[1], seconds, targets(arguments.dropFirst(3)))
    default: try fuzz(verb)
    }
  }

  private func targets(_ names: ArraySlice<String>) throws -> [FuzzTarget] {
    try names.isEmpty ? FuzzTarget.all : names.map(target)
  }

  private func target(_ name: String) throws -> FuzzTarget {
    guard let found = FuzzTarget.all.first(where: { $0.name == name }) else {
      throw FuzzFailure(message: "There is no target '\(name)'.\n\(Self.usage)")
    }
    return found
  }

  private func writeSamples(_ corpus: String) throws {
    mkdir(corpus, 0o755)
    for target in FuzzTarget.all {
      mkdir("\(corpus)/\(target.name)", 0o755)
      for (number, bytes) in try target.samples().enumerated() {
        guard let file = fopen("\(corpus)/\(target.name)/sample-\(number)", "wb") else {
          throw FuzzFailure(message: "Cannot write to \(corpus).")
        }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
      }
    }
  }

  private func replay(_ corpus: String, _ targets: [FuzzTarget]) throws {
    for target in targets {
      let inputs = CorpusFolder.inputs("\(corpus)/\(target.name)")
      for (name, bytes) in inputs {
        CurrentInput.begin(target, bytes, name)
        alarm(Self.patience)
        target.feed(bytes)
      }
      alarm(0)
      print("\(target.name): \(inputs.count) inputs")
      fflush(nil)
    }
  }

  private func mutate(_ corpus: String, _ seconds: Int, _ targets: [FuzzTarget]) throws {
    for target in targets {
      let inputs = CorpusFolder.inputs("\(corpus)/\(target.name)").map(\.bytes)
      let seed = UInt64(time(nil))
      var mutator = Mutator(corpus: try inputs + target.samples(), seed: seed)
      let end = time(nil) + seconds
      var count = 0
      while time(nil) < end {
        let bytes = mutator.next()
        CurrentInput.begin(target, bytes, "seed \(seed), input \(count)")
        alarm(Self.patience)
        target.feed(bytes)
        count += 1
      }
      alarm(0)
      print("\(target.name): \(count) inputs, seed \(seed)")
      fflush(nil)
    }
  }

  private func fuzz(_ name: String) throws {
    let target = try target(name)
    #if FUZZING
    exit(LibFuzzer.run(target, Array(arguments.dropFirst())))
    #else
    throw FuzzFailure(
      message: "'\(target.name)' can be fuzzed with coverage by Tools/fuzz-targets only.\n"
        + Self.usage)
    #endif
  }
}
