public import SyncKit

extension SyncError.Code {
  /// The host key of a server is not the one that this device knows, or not known at all.
  public static let remoteHostKey = Self("remote.host-key", exit: 76)
  /// A program that is needed is not installed.
  public static let programMissing = Self("program.missing", exit: 69)
}
