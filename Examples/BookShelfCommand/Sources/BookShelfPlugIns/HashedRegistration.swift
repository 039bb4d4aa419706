import CloudSyncCommands
import SegmentFormat
import SyncKit

/// The transport to a ``HashedFolder`` on the command line: `hashed:PATH`.
public enum HashedRegistration: TransportRegistration {
  public static let scheme = "hashed"
  public static let about = "A folder without folders in it, for media that have none."

  public static var tables: PlugInTables {
    PlugInTables(
      keys: [.remotePath],
      errors: [(.hashTaken, "Two blobs of a hashed folder have one hash")])
  }

  public static func open(
    _ remote: RemoteSettings, _ context: TransportContext
  ) throws -> any Transport {
    BlobTransport(
      HashedFolder(
        path: remote.values.text("path") ?? "", mayCreate: context.mayCreate,
        advice: remote.moveAdvice))
  }
}
