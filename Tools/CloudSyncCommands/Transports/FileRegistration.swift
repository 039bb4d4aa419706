import CommandFoundation
import FileTransport
import SyncKit

/// A folder that all devices reach.
enum FileRegistration: TransportRegistration {
  static let scheme = "file"
  static let about = """
    A folder that all devices reach: on a cloud drive, a network share or a memory stick.
    """

  static var tables: PlugInTables {
    PlugInTables(
      keys: [.remotePath],
      errors: [
        (.documentBusy, "Other devices keep writing the domain's file"),
        (.documentTooLarge, "A domain has become too large for one file"),
      ])
  }

  static func open(
    _ remote: RemoteSettings, _ context: TransportContext
  ) throws -> any Transport {
    FileTransport(
      path: remote.values.text("path") ?? "", createIfParentExists: context.mayCreate,
      whenMoved: remote.moveAdvice)
  }
}

extension Configuration.Remote.Location {
  /// A folder, by its absolute path.
  static func file(_ path: String) -> Self {
    Self(type: FileRegistration.scheme, values: ConfigValues(["path": path]))
  }
}
