import SyncKitFormats
import SyncKit

/// What a command works with: how to print, whether to ask, where the files are.
///
/// It unites the options, the `CLOUDSYNC_*` variables and what the streams are. Options win.
public struct CommandContext: Sendable {
  package let terminal: Terminal
  package let format: OutputFormat
  package let logFormat: LogFormat
  package let isQuiet: Bool
  /// 0, or how often more was asked for; 1 for information, 2 for details.
  package let verbosity: Int
  /// Whether every question is answered with yes.
  package let assumesYes: Bool
  /// Whether a question may be asked: there is a person at a terminal and no `--no-input`.
  package let mayAsk: Bool
  /// Whether progress is shown on standard error.
  package let showsProgress: Bool
  /// Paints what goes to standard output.
  package let paint: Paint
  /// Paints what goes to standard error.
  package let messagePaint: Paint

  private let config: String?
  private let profile: String?

  /// Unites options and environment.
  ///
  /// - Throws: ``SyncError`` `config.invalid` for a variable with a value it cannot have.
  package init(_ options: GlobalOptions, _ terminal: Terminal) throws(SyncError) {
    let variables = OptionVariables(environment: terminal.environment)
    self.terminal = terminal
    let asked: OutputFormat? = options.json ? .json : options.plain ? .plain : options.output
    format = try variables.choice("OUTPUT", unless: asked) ?? .table
    logFormat = try variables.choice("LOG_FORMAT", unless: options.logFormat) ?? .text
    let quietByVariable = try variables.flag("QUIET")
    let levelByVariable = try variables.level("VERBOSE")
    isQuiet = options.quiet || options.verbose == 0 && quietByVariable
    verbosity = options.verbose > 0 ? options.verbose : isQuiet ? 0 : levelByVariable
    let yesByVariable = try variables.flag("YES")
    assumesYes = options.yes || yesByVariable
    let isSilent = try variables.flag("NO_INPUT")
    mayAsk =
      terminal.isInputTerminal && terminal.isErrorTerminal && !options.noInput && !isSilent
    let progress = try variables.choice("PROGRESS", unless: options.progress) ?? .auto
    showsProgress =
      progress == .always
      || progress == .auto && terminal.isErrorTerminal && !isQuiet && !format.isJSON
        && terminal.environment["TERM"] != "dumb"
    let _: When? = try variables.choice("COLOR", unless: options.color)
    func paint(_ isTerminal: Bool) -> Paint {
      Paint(
        isOn: ColorChoice.usesColor(
          option: options.color, environment: terminal.environment, isTerminal: isTerminal))
    }
    self.paint = paint(terminal.isOutputTerminal)
    messagePaint = paint(terminal.isErrorTerminal)
    config = options.config
    profile = options.profile
  }

  /// What decides where the folders are.
  package var directoryRequest: Directories.Request {
    Directories.Request(
      config: config, profile: profile, environment: terminal.environment,
      workingDirectory: terminal.workingDirectory, recordedHome: terminal.recordedHome)
  }

  /// Where this device keeps its files.
  ///
  /// - Throws: ``SyncError`` as ``Directories`` does.
  package func directories() throws(SyncError) -> Directories { try Directories(directoryRequest) }

  /// The clock, and the system's source of chance.
  public var environment: SyncEnvironment {
    SyncEnvironment(now: terminal.now, random: { UInt64.random(in: .min ... .max) })
  }

  /// The configuration in force, read again.
  ///
  /// - Throws: ``SyncError`` `config.invalid`.
  package func configuration() throws(SyncError) -> ResolvedConfiguration {
    try ConfigLoader(directoryRequest).load()
  }
}
