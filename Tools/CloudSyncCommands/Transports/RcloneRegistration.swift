import CommandFoundation
import SyncKit
import SyncKitHTTP
import WebDAVTransport

/// A folder that the person's own rclone reaches.
enum RcloneRegistration: TransportRegistration {
  static let scheme = "rclone"
  static let isShared = true
  static let about = """
    A folder that your own rclone reaches: Dropbox, Google Drive, OneDrive, Box, pCloud and sixty others.
    """

  static var address: RemoteAddress {
    RemoteAddress(
      schemes: [scheme], form: "rclone:NAME:PATH",
      read: { text, _ throws(SyncError) in
        let remote = String(text.drop { $0 != ":" }.dropFirst())
        // What begins with a dash would be an option.
        guard let colon = remote.firstIndex(of: ":"), colon != remote.startIndex,
          !remote.hasPrefix("-"), !remote.utf8.contains(0)
        else {
          throw SyncError(
            .usage, "'\(Sanitized.line(text))' names no remote of rclone",
            hint: "write rclone:NAME:PATH, with a NAME of 'rclone listremotes'")
        }
        return ConfigValues(["remote": remote])
      },
      show: { "rclone:\($0.text("remote") ?? "")" })
  }

  static var tables: PlugInTables {
    PlugInTables(
      keys: [
        ConfigKey("remote", .text, "The folder as rclone calls it, NAME:PATH", required: true),
        ConfigKey("rclone", .text, "The program, if it is not on the path", fallback: "rclone"),
      ])
  }

  static func open(
    _ remote: RemoteSettings, _ context: TransportContext
  ) throws -> any Transport {
    let server = try RcloneServer.shared(
      remote.values.text("remote") ?? "", program: remote.values.text("rclone") ?? "rclone",
      environment: context.environment)
    return try WebDAVTransport(
      server.access, createIfMissing: context.mayCreate,
      whenMoved:
        "Check it with 'rclone lsf \(remote.values.text("remote") ?? "")'; if it has moved, correct the remote."
    ) { .password(user: RcloneServer.user, password: server.password) }
  }
}
