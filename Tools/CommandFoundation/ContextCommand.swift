import ArgumentParser

/// A command that does something, as opposed to one that only groups others.
///
/// It asks its context for everything outside (streams, environment, clock, folders, configuration) and
/// prints through it, so that a test can run it whole. It runs on the main thread, since starting others
/// takes longer than most commands do; what it awaits may run elsewhere.
///
/// ```
/// struct DeviceList: ContextCommand {
///   static let configuration = CommandConfiguration(
///     commandName: "list", abstract: "List the devices.",
///     discussion: examples("cloudsync device list", "cloudsync device list --json"))
///
///   @OptionGroup(title: "Global options") var global: GlobalOptions
///
///   func run(_ context: CommandContext) async throws { … context.print(report) }
/// }
/// ```
public protocol ContextCommand: AsyncParsableCommand {
  /// The options that every command has.
  var global: GlobalOptions { get }

  /// Does the work.
  ///
  /// - Throws: ``SyncError`` for what went wrong; `ExitCode` for an outcome that has a status of its
  ///   own and was printed already.
  @MainActor func run(_ context: CommandContext) async throws
}

extension ContextCommand {
  @MainActor public mutating func run() async throws {
    let context = try CommandContext(global, .process())
    defer { context.terminal.output.flush() }
    try await run(context)
  }
}
