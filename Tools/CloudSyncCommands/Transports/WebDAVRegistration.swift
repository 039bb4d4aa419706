import CommandFoundation
import SegmentFormat
import SyncKit
import SyncKitHTTP
import SyncKitText
import WebDAVTransport

/// A folder of a WebDAV server.
enum WebDAVRegistration: TransportRegistration {
  static let scheme = "webdav"
  static let isShared = true
  static let about = """
    A folder of a WebDAV server: Nextcloud, ownCloud, Fastmail, a storage box, a NAS.
    """

  /// What the addresses of a Nextcloud or an ownCloud have in them.
  private static let knownPaths = ["/remote.php/dav/", "/remote.php/webdav"]

  static var address: RemoteAddress {
    var address = RemoteAddress(
      schemes: ["webdav", "dav", "davs"], form: "webdav:https://HOST/PATH",
      read: { text, _ throws(SyncError) in try read(text) },
      show: { values in
        let user = values.text("user").map { "\(PercentEncoding.encode($0))@" } ?? ""
        let url = values.text("url") ?? ""
        return "webdav:\(url.replacing("://", with: "://\(user)", maxReplacements: 1))"
      })
    address.recognises = { text in
      ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
        && knownPaths.contains { text.contains($0) }
    }
    return address
  }

  static var tables: PlugInTables {
    PlugInTables(
      keys: [
        ConfigKey("url", .url, "The server's address", required: true),
        ConfigKey("user", .text, "The user"),
        ConfigKey("password", .secret(orText: false), "The password, better an app password"),
        ConfigKey("token", .secret(orText: false), "The token for the server"),
      ] + ConfigKey.network,
      errors: PlugInTables.networkErrors + [
        (.remoteBusy, "Others kept a shared file busy for too long")
      ])
  }

  static func open(
    _ remote: RemoteSettings, _ context: TransportContext
  ) throws -> any Transport {
    let values = remote.values
    guard let address = values.text("url").flatMap({ ServerAddress($0) }) else {
      throw SyncError(
        .configInvalid,
        "'\(Sanitized.line(values.text("url") ?? ""))' is not the address of a folder",
        hint: "write https://HOST/PATH, without a password, a query or a fragment")
    }
    let (name, user, token) = (remote.name, values.text("user"), values.secret("token"))
    return try WebDAVTransport(
      ServerAccess(address, remote.configured, context), createIfMissing: context.mayCreate,
      whenMoved: "If it has moved, correct 'remotes.\(name).url' in the configuration."
    ) {
      if let token { return .bearer(try token.read(environment: context.variables)) }
      guard let user else { return .none }
      let password =
        try values.readSecret("password", variables: context.variables)
        ?? context.answer(to: question(values), of: name)
      guard let password else {
        throw SyncError(
          .remoteSignedOut, "This device has no password for '\(name)'.",
          hint:
            "Run 'cloudsync remote add \(name) \(Self.address.show(values))' on a terminal, which asks for it, "
            + "or name its file with --password-file.")
      }
      return .password(user: user, password: password)
    }
  }

  static func question(_ values: ConfigValues) -> SecretQuestion? {
    guard let user = values.text("user"), values.secret("password") == nil,
      values.secret("token") == nil
    else { return nil }
    return SecretQuestion(
      "Password, or better an app password, of \(user)", place: Self.address.show(values))
  }

  /// Reads `webdav:https://[USER@]HOST/PATH`, `davs://…` and an address in which the kind shows.
  private static func read(_ text: String) throws(SyncError) -> ConfigValues {
    var rest = text[...]
    if rest.lowercased().hasPrefix("webdav:") { rest = rest.dropFirst("webdav:".count) }
    for (scheme, meant) in [("davs://", "https://"), ("dav://", "http://")]
    where rest.lowercased().hasPrefix(scheme) {
      rest = meant + rest.dropFirst(scheme.count)
    }
    guard let mark = rest.firstRange(of: "://") else { throw unreadable(text) }
    let slash = rest[mark.upperBound...].firstIndex(of: "/") ?? rest.endIndex
    var authority = rest[mark.upperBound..<slash]
    var values: [String: String] = [:]
    if let at = authority.lastIndex(of: "@") {
      let user = authority[..<at]
      guard !user.contains(":") else {
        throw SyncError(
          .usage, "a password does not belong into an address, where histories and logs keep it",
          hint: "leave it out; a terminal asks for it, or name its file with --password-file")
      }
      values["user"] = PercentEncoding.decode(user)
      authority = authority[authority.index(after: at)...]
    }
    let url = rest[..<mark.upperBound] + authority + escaped(rest[slash...])
    guard let address = ServerAddress(url) else { throw unreadable(text) }
    values["url"] = address.text
    return ConfigValues(values)
  }

  private static func unreadable(_ text: String) -> SyncError {
    SyncError(
      .usage, "'\(Sanitized.line(text))' is not the address of a folder of a WebDAV server",
      hint: "write webdav:https://HOST/PATH, without a query or a fragment")
  }

  /// A path as a server gets it: spaces and other letters are escaped, what is escaped already stays.
  private static func escaped(_ path: Substring) -> String {
    var escaped = ""
    var rest = path
    while let character = rest.popFirst() {
      let isEscape =
        character == "%" && rest.prefix(2).count == 2 && rest.prefix(2).allSatisfy(\.isHexDigit)
      escaped +=
        character == "/" || isEscape ? String(character) : PercentEncoding.encode(String(character))
    }
    return escaped
  }
}
