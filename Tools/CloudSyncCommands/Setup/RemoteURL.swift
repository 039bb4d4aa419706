import CommandFoundation
import SyncKitHTTP
import SyncKit

/// A remote as a person types it: `NAME=URL`, or a URL alone.
struct RemoteURL: Hashable {
  /// Where it leads, by an absolute path.
  let location: Configuration.Remote.Location

  /// Reads `file:PATH`, `sqlite:PATH` or `http(s)://…`.
  ///
  /// - Throws: ``SyncError`` `usage` for anything else.
  init(_ text: String, _ request: Directories.Request) throws(SyncError) {
    let kinds = "write file:PATH, sqlite:PATH or https://HOST"
    guard let colon = text.firstIndex(of: ":") else {
      throw SyncError(.usage, "'\(Sanitized.line(text))' is no URL of a remote", hint: kinds)
    }
    let scheme = text[..<colon].lowercased()
    var rest = String(text[text.index(after: colon)...])
    switch scheme {
    case "file", "sqlite":
      if rest.hasPrefix("///") { rest.removeFirst(2) }
      guard !rest.isEmpty, !rest.hasPrefix("//"), !rest.utf8.contains(0) else {
        throw SyncError(.usage, "'\(Sanitized.line(text))' has no path", hint: kinds)
      }
      let path = Self.plain(try request.absolute(rest))
      location = scheme == "file" ? .file(path) : .sqlite(path)
    case "http", "https":
      guard let address = ServerAddress(text) else {
        throw SyncError(
          .usage, "'\(Sanitized.line(text))' is no address of a server",
          hint: "write https://HOST, without a user, a query or a fragment")
      }
      location = .http(url: address.text, token: nil)
    default:
      throw SyncError(.usage, "'\(Sanitized.line(scheme))' is no kind of remote", hint: kinds)
    }
  }

  /// A path without `//`, `/./` and an ending slash; `..` stays, since a link may be before it.
  private static func plain(_ path: String) -> String {
    let parts = path.split(separator: "/").filter { $0 != "." }
    return "/" + parts.joined(separator: "/")
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

/// `NAME=URL` on the command line.
struct NamedRemote: Hashable {
  let name: String
  let url: RemoteURL

  /// - Throws: ``SyncError`` `usage`.
  init(_ text: String, _ request: Directories.Request) throws(SyncError) {
    guard let equals = text.firstIndex(of: "=") else {
      throw SyncError(
        .usage, "'\(Sanitized.line(text))' is no remote",
        hint: "write NAME=URL, such as folder=file:~/Sync")
    }
    name = String(text[..<equals])
    guard ConfigText.isName(name) else {
      throw SyncError(
        .usage, "'\(Sanitized.line(name))' cannot be the name of a remote",
        hint: "a name has letters, digits, - and _, at most 64 of them")
    }
    url = try RemoteURL(String(text[text.index(after: equals)...]), request)
  }
}
