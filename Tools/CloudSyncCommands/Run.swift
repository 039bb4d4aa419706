import CommandFoundation

/// Runs the command line as a process of its own: the one thing the executable does.
///
/// - Parameter arguments: All of them, the program's name first.
/// - Returns: The exit status; see `cloudsync help exit-codes`.
@MainActor public func run(arguments: [String]) async -> Int32 {
  // Scripts ask this often, and the answer needs nothing of what follows.
  if arguments.count == 2, arguments[1] == "--version" { return Version.print() }
  return await CommandRun(CloudSync.self).process(arguments)
}
