import LocalMachine
import SyncKit

/// Where this device keeps its files, on every platform by the XDG rules.
///
/// | Folder | First of these that is set |
/// |---|---|
/// | config | `--config`, `CLOUDSYNC_CONFIG`, `CONFIGURATION_DIRECTORY`, `XDG_CONFIG_HOME/cloudsync`, `~/.config/cloudsync` |
/// | data | `CLOUDSYNC_DATA_DIR`, `STATE_DIRECTORY`, `XDG_DATA_HOME/cloudsync`, `~/.local/share/cloudsync` |
/// | state | `CLOUDSYNC_STATE_DIR`, `STATE_DIRECTORY/state`, `XDG_STATE_HOME/cloudsync`, `~/.local/state/cloudsync` |
/// | cache | `CLOUDSYNC_CACHE_DIR`, `CACHE_DIRECTORY`, `XDG_CACHE_HOME/cloudsync`, `~/.cache/cloudsync` |
/// | runtime | `RUNTIME_DIRECTORY`, `XDG_RUNTIME_DIR/cloudsync`, the state folder |
///
/// A profile is the sub-folder `profiles/NAME` of each; a configuration that is named is that one,
/// whatever the profile. An XDG variable with a relative path is ignored, as XDG says. Nothing is made here; ``LocalFolder/create(_:)`` makes what is needed.
package struct Directories: Hashable, Sendable {
  /// The folder of `config.yaml` and `conf.d`.
  package var config: String
  /// The user's configuration file.
  package var configFile: String
  /// Whether the file was named and so must be there, and stands alone without `conf.d`.
  package var isConfigFileNamed: Bool
  /// The stores, `<domain>.sqlite`, with their lock files: the one place all runs agree on.
  package var data: String
  /// The run log and what else is worth keeping but not a store.
  package var state: String
  /// What can be fetched or made again.
  package var cache: String
  /// Sockets, gone after a restart; not for locks, as a cron job and a session may differ here.
  package var runtime: String

  package init(
    config: String, configFile: String, isConfigFileNamed: Bool, data: String, state: String,
    cache: String, runtime: String
  ) {
    self.config = config
    self.configFile = configFile
    self.isConfigFileNamed = isConfigFileNamed
    self.data = data
    self.state = state
    self.cache = cache
    self.runtime = runtime
  }

  /// The machine's configuration, below the user's.
  package static var systemConfigFile: String { "/etc/\(Program.current.name)/config.yaml" }

  /// The folder of drop-ins, read after the file in the order of their names.
  package var dropIns: String { LocalFolder.path(config, "conf.d") }

  /// The store of a domain.
  package func store(_ domain: String) -> String { LocalFolder.path(data, "\(domain).sqlite") }

  /// The lock file of a domain's store, for ``StoreLock``.
  package func lock(_ domain: String) -> String { LocalFolder.path(data, "\(domain).lock") }
}

extension Directories {
  /// What decides where the folders are.
  package struct Request: Sendable {
    /// What `--config` says: a file, or a folder that holds `config.yaml`.
    package var config: String?
    /// What `--profile` says.
    package var profile: String?
    package var environment: [String: String]
    /// What relative paths on the command line are relative to.
    package var workingDirectory: String
    /// The home folder by the password database, for when `HOME` is missing.
    package var recordedHome: @Sendable () -> String?

    package init(
      config: String? = nil, profile: String? = nil, environment: [String: String],
      workingDirectory: String, recordedHome: @escaping @Sendable () -> String?
    ) {
      self.config = config
      self.profile = profile
      self.environment = environment
      self.workingDirectory = workingDirectory
      self.recordedHome = recordedHome
    }
  }

  /// Works out the folders.
  ///
  /// - Throws: ``SyncError`` `usage` for a profile's name that cannot name a folder, `config.invalid`
  ///   when there is no home folder and one is needed.
  package init(_ request: Request) throws(SyncError) {
    let profile = try Self.checked(request.namedProfile)
    let given = request.value("STATE_DIRECTORY", isList: true)

    config = profile(
      try request.folder(
        request.value("CONFIGURATION_DIRECTORY", isList: true), "XDG_CONFIG_HOME", ".config"))
    if let path = try request.namedConfig() {
      isConfigFileNamed = !LocalFolder.exists(path)
      config = isConfigFileNamed ? LocalFolder.parent(of: path) : path
      configFile = isConfigFileNamed ? path : LocalFolder.path(path, "config.yaml")
    } else {
      isConfigFileNamed = false
      configFile = LocalFolder.path(config, "config.yaml")
    }

    let ownData = try request.own("DATA_DIR")
    data = profile(try request.folder(ownData ?? given, "XDG_DATA_HOME", ".local/share"))

    let ownState = try request.own("STATE_DIR")
    let states = try request.folder(
      ownState ?? given.map { LocalFolder.path($0, "state") }, "XDG_STATE_HOME", ".local/state")
    state = profile(states)

    let ownCache = try request.own("CACHE_DIR")
    cache = profile(
      try request.folder(
        ownCache ?? request.value("CACHE_DIRECTORY", isList: true), "XDG_CACHE_HOME", ".cache"))

    let runtime =
      request.value("RUNTIME_DIRECTORY", isList: true)
      ?? request.absoluteOnly("XDG_RUNTIME_DIR").map { LocalFolder.path($0, Program.current.name) }
    self.runtime = profile(runtime ?? states)
  }

  /// Checks a profile's name and gives what leads from a folder to the profile's part of it.
  private static func checked(_ name: String?) throws(SyncError) -> (String) -> String {
    guard let name else { return { $0 } }
    guard ConfigText.isName(name) else {
      throw SyncError(
        .usage, "'\(Sanitized.line(name))' cannot be the name of a profile",
        hint: "a name has letters, digits, - and _, at most 64 of them")
    }
    return { LocalFolder.path($0, "profiles/\(name)") }
  }
}

extension Directories.Request {
  /// A variable that says something; of systemd's lists of folders the first.
  fileprivate func value(_ name: String, isList: Bool = false) -> String? {
    guard let text = environment[name], !text.isEmpty else { return nil }
    guard isList else { return text }
    return text.split(separator: ":").first.map(String.init)
  }

  /// A variable whose relative values count for nothing.
  fileprivate func absoluteOnly(_ name: String) -> String? {
    value(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// The chosen folder, else ours in that of an XDG variable or its default.
  fileprivate func folder(
    _ chosen: String?, _ variable: String, _ fallback: String
  ) throws(SyncError) -> String {
    if let chosen { return chosen }
    if let base = absoluteOnly(variable) { return LocalFolder.path(base, Program.current.name) }
    return LocalFolder.path(LocalFolder.path(try home(), fallback), Program.current.name)
  }

  /// A folder that a variable of ours names.
  fileprivate func own(_ name: String) throws(SyncError) -> String? {
    guard let text = value(ConfigEnvironment.prefix + name) else { return nil }
    return try absolute(text)
  }

  /// The profile that the command line names, or a variable.
  package var namedProfile: String? { profile ?? value("\(ConfigEnvironment.prefix)PROFILE") }

  /// The absolute path of the configuration that the command line names, or a variable.
  package func namedConfig() throws(SyncError) -> String? {
    guard let path = config ?? value("\(ConfigEnvironment.prefix)CONFIG") else { return nil }
    return try absolute(path)
  }

  /// A path of the command line or of a variable of ours, made absolute.
  package func absolute(_ path: String) throws(SyncError) -> String {
    if path == "~" { return try home() }
    if path.hasPrefix("~/") { return LocalFolder.path(try home(), String(path.dropFirst(2))) }
    return path.hasPrefix("/") ? path : LocalFolder.path(workingDirectory, path)
  }

  /// The home folder: `HOME` where it is an absolute path, else what the system has on record.
  package func home() throws(SyncError) -> String {
    if let home = absoluteOnly("HOME") { return home }
    if let home = recordedHome(), home.hasPrefix("/") { return home }
    throw SyncError(
      .configInvalid, "there is no home folder: HOME is not set and the system has none on record",
      hint: "set HOME, or XDG_CONFIG_HOME and the other XDG variables")
  }
}
