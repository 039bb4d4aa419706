import LocalMachine
import CommandFoundation
import SegmentFormat
import SQLiteTransport
import SyncKit

/// A database file that the processes of one machine share.
enum SQLiteRegistration: TransportRegistration {
  static let scheme = "sqlite"
  static let about = """
    A database file on a disk of this machine, for several people or programs on it.
    """
  static var address: RemoteAddress { .path(scheme) { LocalFolder.parent(of: $0) } }
  /// It never leaves the machine.
  static let encryptsNewVaults = false

  static var tables: PlugInTables {
    PlugInTables(
      keys: [.remotePath],
      errors: [
        (.remoteBusy, "Other processes kept a shared file busy for too long"),
        (.remoteDamaged, "A shared file is damaged, or contains foreign data"),
        (.remoteUnsuitable, "A shared file is on a file system that other machines use as well"),
      ])
  }

  static func open(
    _ remote: RemoteSettings, _ context: TransportContext
  ) throws -> any Transport {
    SQLiteTransport(
      path: remote.values.text("path") ?? "", createIfParentExists: context.mayCreate,
      whenMoved: remote.moveAdvice)
  }
}

extension Configuration.Remote.Location {
  /// A shared database file, by its absolute path.
  static func sqlite(_ path: String) -> Self {
    Self(type: SQLiteRegistration.scheme, values: ConfigValues(["path": path]))
  }
}
