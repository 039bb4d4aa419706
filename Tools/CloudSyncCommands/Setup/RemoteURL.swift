import LocalMachine
import CommandFoundation
import SyncKit

/// The location of a remote as a person types it: a path, or a URL.
struct RemoteURL: Hashable {
  /// Where it leads, by an absolute path.
  var location: Configuration.Remote.Location

  /// Reads a path, or a URL of any transport, such as `file:PATH`.
  ///
  /// A path begins with `/`, `~` or `.`, has a slash, or names a folder that exists; any other word is rather
  /// a mistyped URL.
  ///
  /// - Throws: ``SyncError`` `usage` for anything else.
  init(_ text: String, _ request: Directories.Request) throws(SyncError) {
    let isPath = try Self.isPath(text, request)
    location = try Configuration.Remote.Location(
      isPath ? "\(FileRegistration.scheme):\(text)" : text, request)
  }

  private static func isPath(
    _ text: String, _ request: Directories.Request
  ) throws(SyncError) -> Bool {
    guard TransportRegistry.takesPaths, let first = text.first, !hasScheme(text) else {
      return false
    }
    if "/~.".contains(first) { return true }
    if LocalFolder.exists(try request.absolute(text)) { return true }
    guard let slash = text.firstIndex(of: "/") else { return false }
    // `https//HOST` and `sync.example.org/cloudsync` are addresses with a mistake.
    let word = text[..<slash]
    return !word.contains(".") && !text[slash...].hasPrefix("//")
  }

  /// Whether the first colon ends a scheme, and is not within a path.
  private static func hasScheme(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":") else { return false }
    return !text[..<colon].contains("/") && !text.hasPrefix("~") && !text.hasPrefix(".")
  }

  /// Checks that the location can be used or made, as far as this machine can tell without a server.
  ///
  /// - Throws: ``SyncError`` `remote.unavailable` when the folder above it does not exist, `usage` for a file
  ///   where a folder belongs.
  func checkPlace() throws(SyncError) {
    guard let folder = location.folder else { return }
    guard let path = location.values.text("path"), path != folder else {
      if LocalFolder.exists(folder) { return }
      guard FileSignature(folder) == nil else {
        throw SyncError(
          .usage, "\(Sanitized.line(folder)) is a file, not a folder",
          hint: "name a folder, or write sqlite:PATH for a file that devices share")
      }
      return try Self.checkExists(LocalFolder.parent(of: folder))
    }
    if FileSignature(path) == nil { try Self.checkExists(folder) }
  }

  private static func checkExists(_ folder: String) throws(SyncError) {
    guard !LocalFolder.exists(folder) else { return }
    throw SyncError(
      .remoteUnavailable, "there is no folder \(Sanitized.line(folder))",
      hint: "make it first, or name a folder that exists")
  }

  /// The remote's entry in the configuration, in flow style.
  func entry(_ trust: ServerTrust = ServerTrust(), encryption: Bool? = nil) -> String {
    let settings =
      [(key: "type", value: location.type)] + location.settings + trust.settings
      + (encryption.map { [(key: "encrypted", value: "\($0)")] } ?? [])
    return "{ \(settings.map { "\($0.key): \($0.value)" }.joined(separator: ", ")) }"
  }
}

extension Configuration.Remote.Location {
  /// The location for people: a path below the home folder begins with `~`, and a folder needs no scheme.
  func shown(_ request: Directories.Request) -> String {
    guard let path = values.text("path") else { return url }
    let short = Self.short(path, request)
    if type == FileRegistration.scheme { return short }
    var location = self
    location.values.set("path", to: .text(short))
    return location.url
  }

  /// The location in a table: short for people, the whole URL for programs.
  func cell(_ context: CommandContext) -> ReportTable.Cell {
    ReportTable.Cell(shown(context.directoryRequest), raw: url)
  }

  private static func short(_ path: String, _ request: Directories.Request) -> String {
    guard let home = try? request.home(), home != "/" else { return path }
    if path == home { return "~" }
    return path.hasPrefix("\(home)/") ? "~" + path.dropFirst(home.count) : path
  }
}

/// `NAME=LOCATION` on the command line.
struct NamedRemote: Hashable {
  let name: String
  var url: RemoteURL

  /// - Throws: ``SyncError`` `usage`.
  init(_ text: String, _ request: Directories.Request) throws(SyncError) {
    guard let equals = text.firstIndex(of: "=") else {
      throw SyncError(
        .usage, "'\(Sanitized.line(text))' is no remote",
        hint: "write NAME=LOCATION, such as folder=~/Dropbox/cloudsync")
    }
    try self.init(
      String(text[..<equals]), at: String(text[text.index(after: equals)...]), request)
  }

  /// - Throws: ``SyncError`` `usage`.
  init(
    _ name: String, at location: String, _ request: Directories.Request
  ) throws(SyncError) {
    guard ConfigText.isName(name) else {
      throw SyncError(
        .usage, "'\(Sanitized.line(name))' cannot be the name of a remote",
        hint: "a name has letters, digits, - and _, at most 64 of them")
    }
    self.name = name
    url = try RemoteURL(location, request)
  }
}
