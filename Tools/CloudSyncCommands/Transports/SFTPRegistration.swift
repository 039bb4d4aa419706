import CommandFoundation
import SFTPTransport
import SyncKit
import SyncKitText
import Synchronization

/// A folder of an SSH server.
enum SFTPRegistration: TransportRegistration {
  static let scheme = "sftp"
  static let isShared = true
  static let about = """
    A folder of an SSH server: a storage box, a NAS, a machine of yours. It goes through your own 'ssh' with its keys.
    """

  static var address: RemoteAddress {
    RemoteAddress(
      schemes: [scheme], form: "sftp://[USER@]HOST[:PORT]/PATH",
      read: { url, _ throws(SyncError) in
        let address = try SFTPAddress(url)
        var texts = ["host": address.host, "folder": address.folder]
        texts["user"] = address.user
        texts["port"] = address.port.map { "\($0)" }
        return ConfigValues(texts)
      },
      show: {
        SFTPAddress(
          host: $0.text("host") ?? "", user: $0.text("user"),
          port: $0.whole("port").flatMap { UInt16(exactly: $0) }, folder: $0.text("folder") ?? ""
        ).text
      })
  }

  static var tables: PlugInTables {
    PlugInTables(
      keys: [
        ConfigKey(
          "host", .text, "The SSH server, or what ~/.ssh/config calls it", required: true),
        ConfigKey("user", .text, "The account on the server; ssh's own default if unset"),
        ConfigKey(
          "port", .whole(1...65_535), "The server's port; ssh's own default if unset"),
        ConfigKey(
          "folder", .text, "The folder there, below the login folder unless it begins with /",
          required: true),
        ConfigKey(
          "ssh-command", .text, "The client of SSH and its first arguments", fallback: "ssh"),
      ],
      errors: [(.remoteHostKey, "The server's host key is unknown or has changed")])
  }

  static func open(
    _ remote: RemoteSettings, _ context: TransportContext
  ) throws -> any Transport {
    SFTPTransport(
      server: try server(remote, context), path: remote.values.text("folder") ?? "",
      createIfParentExists: context.mayCreate)
  }

  /// What makes two remotes reach one server in one way.
  private struct Way: Hashable {
    let host: String
    let user: String?
    let port: UInt16?
    let command: [String]
  }

  /// The servers that this process has reached, each with one connection for all domains and remotes.
  private static let servers = Mutex<[Way: SFTPServer]>([:])

  private static func server(
    _ remote: RemoteSettings, _ context: TransportContext
  ) throws(SyncError) -> SFTPServer {
    let values = remote.values
    let text = values.text("ssh-command") ?? "ssh"
    guard let command = ShellWords.split(text) else {
      throw SyncError(
        .configInvalid, "a quotation mark is missing in the ssh-command of '\(remote.name)'",
        hint: "write it as for a shell, such as ssh -i '/PATH/my key'")
    }
    let way = Way(
      host: values.text("host") ?? "", user: values.text("user"),
      port: values.whole("port").flatMap { UInt16(exactly: $0) }, command: command)
    return servers.withLock { servers in
      if let known = servers[way] { return known }
      let server = SFTPServer(
        SFTPAccess(
          host: way.host, user: way.user, port: way.port, command: way.command,
          variables: context.variables, environment: context.environment))
      servers[way] = server
      return server
    }
  }
}

/// How people write a folder of an SSH server.
struct SFTPAddress: Hashable {
  var host: String
  var user: String?
  var port: UInt16?
  /// Below the login folder unless it begins with `/`.
  var folder: String

  init(host: String, user: String?, port: UInt16?, folder: String) {
    self.host = host
    self.user = user
    self.port = port
    self.folder = folder
  }

  /// Reads `sftp://[USER@]HOST[:PORT]/PATH`, `sftp://HOST/~/PATH` and `sftp:[USER@]HOST:PATH`.
  ///
  /// - Throws: ``SyncError`` `usage`.
  init(_ url: String) throws(SyncError) {
    let shown = Sanitized.line(url)
    let rest = url.drop { $0 != ":" }.dropFirst()
    guard !url.utf8.contains(0), !url.contains(where: \.isNewline) else {
      throw Self.unclear(shown)
    }
    let server: Substring
    if rest.hasPrefix("//") {
      let path = rest.dropFirst(2)
      server = path.prefix { $0 != "/" }
      let folder = path.dropFirst(server.count)
      let isBelowLogin = folder == "/~" || folder.hasPrefix("/~/") || folder.hasPrefix("/./")
      self.folder = String(isBelowLogin ? folder.dropFirst(3) : folder)
      if self.folder.isEmpty { self.folder = "." }
    } else {
      // As scp has it: no port, and a path that begins where the login does.
      let host = rest.hasPrefix("[") ? rest.prefix { $0 != "]" } : rest.prefix(0)
      guard let colon = rest.dropFirst(host.count).firstIndex(of: ":") else {
        throw Self.unclear(shown)
      }
      server = rest[..<colon]
      let folder = rest[rest.index(after: colon)...]
      self.folder =
        folder.isEmpty ? "." : String(folder.hasPrefix("~/") ? folder.dropFirst(2) : folder)
    }
    var name = server
    if let at = server.lastIndex(of: "@") {
      let user = server[..<at]
      guard !user.contains(":") else {
        throw SyncError(
          .usage, "the address of an SSH server cannot have a password in it",
          hint: "leave it out, and let the server know a key of yours: ssh-copy-id")
      }
      guard !user.isEmpty else { throw Self.unclear(shown) }
      self.user = String(user)
      name = server[server.index(after: at)...]
    }
    if name.hasPrefix("["), let end = name.firstIndex(of: "]") {
      host = String(name[name.index(after: name.startIndex)..<end])
      name = name[name.index(after: end)...]
    } else {
      host = String(name.prefix { $0 != ":" })
      name = name.dropFirst(host.count)
    }
    if name.hasPrefix(":"), rest.hasPrefix("//") {
      guard let port = UInt16(name.dropFirst()), port > 0 else { throw Self.unclear(shown) }
      self.port = port
    } else if !name.isEmpty {
      throw Self.unclear(shown)
    }
    guard !host.isEmpty, !host.hasPrefix("-"), user?.hasPrefix("-") != true else {
      throw Self.unclear(shown)
    }
  }

  private static func unclear(_ shown: String) -> SyncError {
    SyncError(
      .usage, "'\(shown)' is not the address of a folder on an SSH server",
      hint:
        "write sftp://USER@HOST/PATH, sftp://HOST/~/PATH below the login folder, or sftp:HOST:PATH")
  }

  /// The address as a URL.
  var text: String {
    let name = host.contains(":") ? "[\(host)]" : host
    let server = (user.map { "\($0)@" } ?? "") + name + (port.map { ":\($0)" } ?? "")
    if folder.hasPrefix("/") { return "sftp://\(server)\(folder)" }
    return "sftp://\(server)/~" + (folder.isEmpty || folder == "." ? "" : "/\(folder)")
  }
}
