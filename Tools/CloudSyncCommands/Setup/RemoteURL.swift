import CommandFoundation
import SyncKit

/// A remote as a person types it: `NAME=URL`, or a URL alone.
struct RemoteURL: Hashable {
  /// Where it leads, by an absolute path.
  let location: Configuration.Remote.Location

  /// Reads a URL of any transport, such as `file:PATH`.
  ///
  /// - Throws: ``SyncError`` `usage` for anything else.
  init(_ text: String, _ request: Directories.Request) throws(SyncError) {
    location = try Configuration.Remote.Location(text, request)
  }

  /// The remote's entry in the configuration, in flow style.
  func entry(_ trust: ServerTrust = ServerTrust()) -> String {
    let settings = [(key: "type", value: location.type)] + location.settings + trust.settings
    return "{ \(settings.map { "\($0.key): \($0.value)" }.joined(separator: ", ")) }"
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
