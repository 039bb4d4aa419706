import ArgumentParser

/// The options that every command has.
///
/// What is not given here may come from a variable; ``CommandContext`` brings both together.
public struct GlobalOptions: ParsableArguments, Sendable {
  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Read this configuration file.", valueName: "path"),
    completion: .file(extensions: ["yaml", "yml"]))
  package var config: String?

  @Option(help: ArgumentHelp("Use this profile: its own settings and stores.", valueName: "name"))
  package var profile: String?

  @Option(help: ArgumentHelp("Print in this format.", valueName: "format"))
  package var output: OutputFormat?

  @Flag(help: "The same as --output json.")
  package var json = false

  @Flag(help: "The same as --output plain.")
  package var plain = false

  @Option(help: ArgumentHelp("Use colour.", valueName: "when"))
  package var color: When?

  @Option(help: ArgumentHelp("Show progress.", valueName: "when"))
  package var progress: When?

  @Flag(name: .shortAndLong, help: "Print only errors.")
  package var quiet = false

  @Flag(name: .shortAndLong, help: "Print more; twice for details.")
  package var verbose: Int

  @Option(help: ArgumentHelp("Write messages in this format.", valueName: "format"))
  package var logFormat: LogFormat?

  @Flag(name: .shortAndLong, help: "Answer every question with yes.")
  package var yes = false

  @Flag(help: "Never ask questions.")
  package var noInput = false

  public func validate() throws {
    let formats = Set([output, json ? .json : nil, plain ? .plain : nil].compactMap { $0 })
    guard formats.count <= 1 else {
      let names = formats.map(\.rawValue).sorted().joined(separator: " and ")
      throw ValidationError("Two output formats were given: \(names)")
    }
    guard !quiet || verbose == 0 else {
      throw ValidationError("--quiet and --verbose cannot be combined")
    }
  }

  public init() {}
}

/// The option of commands that change something.
package struct DryRunOption: ParsableArguments {
  @Flag(name: [.customShort("n"), .long], help: "Show what would change and change nothing.")
  package var dryRun = false

  package init() {}
}
