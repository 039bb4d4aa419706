import CommandFoundation
import SyncKitHTTP
import SyncKit

/// The location of a remote as a person types it: a path, or a URL.
struct RemoteURL: Hashable {
  /// Where it leads, by an absolute path.
  let location: Configuration.Remote.Location

  private static let kinds = "write a folder's path, file:PATH, sqlite:PATH or https://HOST"

  /// Reads a path, `file:PATH`, `sqlite:PATH` or `http(s)://…`.
  ///
  /// A path begins with `/`, `~` or `.`, has a slash, or names a folder that exists; any other word is rather
  /// a mistyped URL.
  ///
  /// - Throws: ``SyncError`` `usage` for anything else.
  init(_ text: String, _ request: Directories.Request) throws(SyncError) {
    guard let colon = Self.endOfScheme(in: text) else {
      guard try Self.isPath(text, request) else {
        throw SyncError(.usage, "'\(Sanitized.line(text))' is no URL of a remote", hint: Self.kinds)
      }
      location = .file(try Self.path(text, of: text, request))
      return
    }
    let scheme = text[..<colon].lowercased()
    let rest = String(text[text.index(after: colon)...])
    switch scheme {
    case "file": location = .file(try Self.path(rest, of: text, request))
    case "sqlite": location = .sqlite(try Self.path(rest, of: text, request))
    case "http", "https":
      guard let address = ServerAddress(text) else {
        throw SyncError(
          .usage, "'\(Sanitized.line(text))' is not the address of a server",
          hint: "write https://HOST, without a user, a query or a fragment")
      }
      location = .http(url: address.text, token: nil)
    default:
      throw SyncError(
        .usage, "'\(Sanitized.line(scheme))' is not a kind of remote", hint: Self.kinds)
    }
  }

  /// The colon that ends a scheme; nil for a text whose first colon, if any, is within a path.
  private static func endOfScheme(in text: String) -> String.Index? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let isWithinPath = text[..<colon].contains("/") || text.hasPrefix("~") || text.hasPrefix(".")
    return isWithinPath ? nil : colon
  }

  private static func isPath(
    _ text: String, _ request: Directories.Request
  ) throws(SyncError) -> Bool {
    guard let first = text.first else { return false }
    if "/~.".contains(first) { return true }
    if LocalFolder.exists(try request.absolute(text)) { return true }
    guard let slash = text.firstIndex(of: "/") else { return false }
    // `https//HOST` and `sync.example.org/cloudsync` are addresses with a mistake.
    let word = text[..<slash]
    return !word.contains(".") && !text[slash...].hasPrefix("//")
  }

  private static func path(
    _ rest: String, of text: String, _ request: Directories.Request
  ) throws(SyncError) -> String {
    var rest = rest
    if rest.hasPrefix("///") { rest.removeFirst(2) }
    guard !rest.isEmpty, !rest.hasPrefix("//"), !rest.utf8.contains(0) else {
      throw SyncError(.usage, "'\(Sanitized.line(text))' has no path", hint: kinds)
    }
    return plain(try request.absolute(rest))
  }

  /// A path without `//`, `/./` and an ending slash; `..` stays, since a link may be before it.
  private static func plain(_ path: String) -> String {
    let parts = path.split(separator: "/").filter { $0 != "." }
    return "/" + parts.joined(separator: "/")
  }

  /// Checks that the location can be used or made, as far as this machine can tell without a server.
  ///
  /// - Throws: ``SyncError`` `remote.unavailable` when the folder above it does not exist, `usage` for a file
  ///   where a folder belongs.
  func checkPlace() throws(SyncError) {
    switch location {
    case .file(let path):
      if LocalFolder.exists(path) { return }
      guard FileSignature(path) == nil else {
        throw SyncError(
          .usage, "\(Sanitized.line(path)) is a file, not a folder",
          hint: "name a folder, or write sqlite:PATH for a file that devices share")
      }
      try Self.checkFolder(above: path)
    case .sqlite(let path):
      if FileSignature(path) == nil { try Self.checkFolder(above: path) }
    case .http: return
    }
  }

  private static func checkFolder(above path: String) throws(SyncError) {
    let above = LocalFolder.parent(of: path)
    guard !LocalFolder.exists(above) else { return }
    throw SyncError(
      .remoteUnavailable, "there is no folder \(Sanitized.line(above))",
      hint: "make it first, or name a folder that exists")
  }

  /// The remote's entry in the configuration, in flow style.
  func entry(_ trust: ServerTrust = ServerTrust()) -> String {
    switch location {
    case .file(let path): "{ type: file, path: \(YAMLText.scalar(path)) }"
    case .sqlite(let path): "{ type: sqlite, path: \(YAMLText.scalar(path)) }"
    case .http(let url, _): "{ type: http, url: \(YAMLText.scalar(url))\(trust.entry) }"
    }
  }
}

extension Configuration.Remote.Location {
  /// The location for people: a path below the home folder begins with `~`, and a folder needs no scheme.
  func shown(_ request: Directories.Request) -> String {
    switch self {
    case .file(let path): Self.short(path, request)
    case .sqlite(let path): "sqlite:\(Self.short(path, request))"
    case .http(let url, _): url
    }
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
  let url: RemoteURL

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
