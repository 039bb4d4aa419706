import CommandFoundation
import SyncKit

/// Makes a transport known to a command: one row in the list of a ``CommandProgram``.
///
/// All of it is read when it is first needed, and never for `--version`.
public protocol TransportRegistration: SendableMetatype {
  /// What `type` says in the configuration, and what its URLs begin with, such as `file`.
  static var scheme: String { get }
  /// What such a remote is, in a sentence or two for `help remotes`.
  static var about: String { get }
  /// How a person writes where a remote is, and how it is shown.
  static var address: RemoteAddress { get }
  /// What the configuration and the help have of it.
  static var tables: PlugInTables { get }
  /// Whether a new vault on such a remote is encrypted when nobody says otherwise.
  static var encryptsNewVaults: Bool { get }
  /// Whether the domains of a run share one transport, and with it a connection.
  static var isShared: Bool { get }
  /// What a terminal asks for when such a remote is added: a secret that the configuration does not say where to find;
  /// nil when nothing is missing.
  ///
  /// The answer is kept in a file that only the person can read; ``TransportContext/answer(to:of:)`` finds it again.
  static func question(_ values: ConfigValues) -> SecretQuestion?
  /// The transport to a remote. Nothing is reached or made yet.
  ///
  /// - Throws: ``SyncError`` `config.invalid` for settings that cannot be used.
  static func open(
    _ remote: RemoteSettings, _ context: TransportContext
  ) throws -> any Transport
}

extension TransportRegistration {
  /// True: other people keep it, or a copy of it.
  public static var encryptsNewVaults: Bool { true }
  /// False: each domain opens its own.
  public static var isShared: Bool { false }
  /// Nothing is asked for.
  public static func question(_ values: ConfigValues) -> SecretQuestion? { nil }
  /// `SCHEME:PATH`.
  public static var address: RemoteAddress { .path(scheme) }
  /// The key `path`, which ``RemoteAddress/path(_:folder:)`` needs.
  public static var tables: PlugInTables { PlugInTables(keys: [.remotePath]) }
}

extension ConfigKey {
  /// Where a remote is that has a path.
  public static let remotePath = ConfigKey(
    "path", .path, "A folder, or a database file", required: true)
}

/// What a terminal asks for to open a remote.
public struct SecretQuestion: Sendable {
  /// What is wanted, such as `Password of ada`.
  public var text: String
  /// What the answer opens; once the remote leads elsewhere, it is not used any more.
  public var place: String

  /// Says what is wanted for what.
  public init(_ text: String, place: String) {
    self.text = text
    self.place = place
  }
}

/// How people write where a remote is, and how it is shown.
public struct RemoteAddress: Sendable {
  /// The schemes of its URLs, in lowercase.
  public var schemes: [String]
  /// What to write, such as `file:PATH`.
  public var form: String
  /// Whether an address of another scheme is meant for this kind, such as one of `https` with a path that only it has.
  public var recognises: @Sendable (_ url: String) -> Bool = { _ in false }
  /// Reads a URL, as it was typed, into values for the keys of the configuration.
  ///
  /// The second argument makes a path absolute, as the command line means it. It throws ``SyncError`` `usage`
  /// for a URL that leads nowhere.
  public var read:
    @Sendable (_ url: String, _ absolute: (String) throws(SyncError) -> String) throws(SyncError)
      -> ConfigValues
  /// The URL of a remote, without a secret in it.
  public var show: @Sendable (ConfigValues) -> String
  /// The folder of this machine to which it writes; nil when it is elsewhere.
  public var folder: @Sendable (ConfigValues) -> String?

  /// Says how.
  public init(
    schemes: [String], form: String,
    read:
      @escaping @Sendable (
        _ url: String, _ absolute: (String) throws(SyncError) -> String
      ) throws(SyncError) -> ConfigValues,
    show: @escaping @Sendable (ConfigValues) -> String,
    folder: @escaping @Sendable (ConfigValues) -> String? = { _ in nil }
  ) {
    self.schemes = schemes
    self.form = form
    self.read = read
    self.show = show
    self.folder = folder
  }

  /// The address of what has a path on this machine, which the key `path` holds: `SCHEME:PATH`.
  ///
  /// - Parameters:
  ///   - scheme: What stands before the colon.
  ///   - folder: The folder to which is written, made from the path; the path itself unless given.
  /// - Returns: The address.
  public static func path(
    _ scheme: String, folder: @escaping @Sendable (_ path: String) -> String = { $0 }
  ) -> RemoteAddress {
    RemoteAddress(
      schemes: [scheme], form: "\(scheme):PATH",
      read: { url, absolute throws(SyncError) in
        var rest = String(url.drop { $0 != ":" }.dropFirst())
        if rest.hasPrefix("///") { rest.removeFirst(2) }
        guard !rest.isEmpty, !rest.hasPrefix("//"), !rest.utf8.contains(0) else {
          throw SyncError(
            .usage, "'\(Sanitized.line(url))' has no path", hint: TransportRegistry.advice)
        }
        return ConfigValues(["path": plain(try absolute(rest))])
      },
      show: { "\(scheme):\($0.text("path") ?? "")" },
      folder: { $0.text("path").map(folder) })
  }

  /// A path without `//`, `/./` and an ending slash; `..` stays, since a link may be before it.
  private static func plain(_ path: String) -> String {
    let parts = path.split(separator: "/").filter { $0 != "." }
    return "/" + parts.joined(separator: "/")
  }
}

/// A remote as the configuration has it.
public struct RemoteSettings: Sendable {
  /// What the person calls it.
  public let name: String
  /// What the configuration says under the keys of its transport.
  public let values: ConfigValues
  /// What a person does when the remote has moved, for the hint of an error; nil for one without a path.
  public let moveAdvice: String?
  let configured: Configuration.Remote

  init(_ remote: Configuration.Remote) {
    name = remote.name
    values = remote.location.values
    moveAdvice = remote.moveAdvice
    configured = remote
  }
}

/// The facts of the device that a transport may need besides its location.
public struct TransportContext: Sendable {
  /// Whether a missing location may be created.
  public var mayCreate = false
  /// The clock and the source of randomness.
  public var environment: SyncEnvironment
  /// All variables.
  public var variables: [String: String] = [:]
  /// The folder of the stores, where tokens are kept too.
  public var data: String

  init(
    mayCreate: Bool = false, environment: SyncEnvironment, variables: [String: String] = [:],
    data: String
  ) {
    self.mayCreate = mayCreate
    self.environment = environment
    self.variables = variables
    self.data = data
  }

  /// What a person has answered to a question when the remote was added; nil when nobody was asked.
  ///
  /// - Throws: ``SyncError`` `store.io` when it cannot be read.
  public func answer(to question: SecretQuestion?, of remote: String) throws -> String? {
    guard let question else { return nil }
    return try StoredToken.read(remote, for: question.place, in: data)
  }
}
