import SyncKitFormats
import SyncKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

let usage = """
  Measures cloudsync with the canonical record, and other tools for comparison.

  cloudsync-bench init DIR --remote file:PATH    create a device and its remote (or sqlite:PATH, or http://…)
  cloudsync-bench import DIR FILE.ndjson         write records
  cloudsync-bench edit DIR FILE.ndjson           write changes, one {"id": …, field: value} per line
  cloudsync-bench sync DIR                       sync with the remote
  cloudsync-bench export DIR                     print the records, sorted by id
  cloudsync-bench serve --listen HOST:PORT --data DIR  run a server without accounts, for this machine only
  cloudsync-bench generate --n N --seed S        print records made from a seed
  cloudsync-bench run [W1 … W7] [--n N] [--reps R] [--json] [--in SCRATCH] [--peer 'CMD']…
                      [--over file,sqlite,http]

  --over: how the devices of W1, W2 and W3 sync; a folder by default.

  A peer is a command that understands init, import, edit, sync and export as above; for W7 'queries DIR N', which
  prints a line for each measure: candidate, measure, value and unit, with tabs between.
  """

func perform() async throws {
  var arguments = Arguments(CommandLine.arguments.dropFirst())
  let verb = try arguments.word("A verb")
  switch verb {
  case "help", "--help", "-h": print(usage)
  case "--version": print("cloudsync-bench")
  case "serve": try await arguments.serve()
  case "generate": try generate(&arguments)
  case "run": try run(arguments)
  case "measure":
    let file = try arguments.word("FILE")
    try Launcher.measure(arguments.rest, into: file)
  case "step": try await step(&arguments)
  case "floor":
    let verb = try arguments.word("A verb")
    let floor = try Floor(at: arguments.word("DIR"))
    defer { floor.close() }
    try floor.run(verb: verb, arguments.rest)
  case "init":
    guard let remote = try arguments.option("--remote") else {
      throw Arguments.usage("--remote is missing")
    }
    let replica = try Replica(making: arguments.word("DIR"), remote: remote)
    try await replica.engine(replica.store(), isFirst: true).attach()
  case "import":
    try Replica(at: arguments.word("DIR")).importAll(arguments.word("FILE"))
  case "edit": try Replica(at: arguments.word("DIR")).edit(arguments.word("FILE"))
  case "sync": try await Replica(at: arguments.word("DIR")).sync()
  case "export": try Replica(at: arguments.word("DIR")).export()
  default: throw Arguments.usage("there is no verb '\(verb)'")
  }
}

func generate(_ arguments: inout Arguments) throws {
  let count = try arguments.number("--n") ?? 10_000
  let seed = UInt64(try arguments.number("--seed") ?? 1)
  try arguments.end()
  var generator = RecordGenerator(seed: seed)
  var output = LineWriter()
  for _ in 0..<count { output.append(generator.next().serialized()) }
  try POSIX.write(output.bytes, to: 1)
}

func run(_ arguments: Arguments) throws {
  let request = try RunArguments(arguments)
  var benchmark = try Benchmark(request, tool: CommandLine.arguments[0])
  try benchmark.run(request.workloads)
  print(request.isJSON ? benchmark.results.json.text(pretty: true) : benchmark.results.table)
}

func step(_ arguments: inout Arguments) async throws {
  switch try arguments.word("A step") {
  case "writes": try WriteStep.run(in: arguments.word("DIR"), records: arguments.word("FILE"))
  case "merge":
    guard let count = Int(try arguments.word("N")), let edits = Int(try arguments.word("EDITS"))
    else { throw Arguments.usage("a number is missing") }
    try MergeStep.run(count: count, edits: edits)
  case "queries":
    let folder = try arguments.word("DIR")
    guard let count = Int(try arguments.word("N")) else {
      throw Arguments.usage("a number is missing")
    }
    try await QueryStep.run(in: folder, count: count)
  case let name: throw Arguments.usage("there is no step '\(name)'")
  }
}

do {
  try await perform()
} catch let error as SyncError {
  let hint = error.hint.map { "\n\($0)" } ?? ""
  try? POSIX.write(Array("cloudsync-bench: \(error)\(hint)\n".utf8), to: 2)
  exit(error.code.exit)
}
