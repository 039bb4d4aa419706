import CommandFoundation

/// Runs the command line; this is all that the executable does.
///
/// - Parameter arguments: All of them, the program's name first.
/// - Returns: The exit status; see `cloudsync help exit-codes`.
@MainActor public func run(arguments: [String]) async -> Int32 {
  // Scripts ask this often, and the answer needs nothing else.
  if arguments.count == 2, arguments[1] == "--version" { return Version.print() }
  return await CommandRun(CloudSync.self).process(arguments)
}
