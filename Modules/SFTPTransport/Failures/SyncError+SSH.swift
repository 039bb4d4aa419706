public import SyncKit

extension SyncError.Code {
  /// The host key of a server is not the one that this device knows, or not known at all.
  public static let remoteHostKey = Self("remote.host-key", exit: 76)
}
