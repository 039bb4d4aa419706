import CommandFoundation
import SyncKit
import Synchronization

/// A program with all commands of cloudsync, for domains and transports of your choice.
///
/// ```swift
/// let bookshelf = CommandProgram(
///   "bookshelf", version: "1.0", domains: [BookShelfRegistration.self],
///   transports: [HashedRegistration.self] + CommandProgram.cloudsync.transports)
/// exit(await bookshelf.run())
/// ```
///
/// Its name decides its folders and variables: `~/.config/bookshelf`, `BOOKSHELF_PROFILE`. Two programs of
/// different names on one machine share nothing.
public struct CommandProgram: Sendable {
  /// What people type: small letters, digits and `-`.
  public var name: String
  /// What `--version` says behind the name.
  public var version: String
  /// The domains, in the order in which they are shown.
  public var domains: [any DomainRegistration.Type]
  /// The transports, in the order in which they are shown.
  public var transports: [any TransportRegistration.Type]

  /// Makes a program; nothing of the domains and transports is looked at yet.
  ///
  /// - Parameters:
  ///   - name: What people type: small letters, digits and `-`.
  ///   - version: What `--version` says behind the name.
  ///   - domains: The domains, in the order in which they are shown.
  ///   - transports: The transports, likewise; those of `cloudsync` unless given.
  public init(
    _ name: String, version: String, domains: [any DomainRegistration.Type],
    transports: [any TransportRegistration.Type] = CommandProgram.cloudsync.transports
  ) {
    self.name = name
    self.version = version
    self.domains = domains
    self.transports = transports
  }

  /// The program `cloudsync`, with its five domains and three transports.
  public static let cloudsync = CommandProgram(
    Program.usualName, version: Version.number, domains: DomainRegistry.builtIn,
    transports: TransportRegistry.builtIn)

  /// Runs the command line of this process.
  ///
  /// A process runs one program, once.
  /// - Returns: The exit status; see `cloudsync help exit-codes`.
  @MainActor public func run() async -> Int32 {
    let arguments = ProcessArguments.current
    // Scripts ask this often, and the answer needs nothing else.
    if arguments.count == 2, arguments[1] == "--version" {
      return Version.print(Version.text(of: name, version))
    }
    Self.choose(self)
    return await CommandRun(CloudSync.self).process(arguments)
  }

  private static let chosen = Mutex<CommandProgram?>(nil)

  /// The program of this process; `cloudsync` unless another was chosen.
  static var current: CommandProgram {
    if let program = chosen.withLock({ $0 }) { return program }
    choose(cloudsync)
    return cloudsync
  }

  /// Makes this process the program.
  static func choose(_ program: CommandProgram) {
    chosen.withLock { $0 = program }
    Program.choose(
      Program(name: program.name, version: program.version) {
        ConfigPlugIns(
          domains: program.domains.map { registration in
            .init(
              name: registration.domain.name, keys: registration.tables.keys,
              hasPatterns: registration.hasRoots || registration.records.patterns != nil)
          },
          remotes: program.transports.map { .init(type: $0.scheme, keys: $0.tables.keys) })
      })
  }
}
