public import SyncKit

// Why a server does not start; here because clients explain all codes.

extension SyncError.Code {
  /// A server was asked to run in a way that would lay its data open.
  public static let serverUnsafe = Self("server.unsafe", exit: 78)
  /// A server cannot listen at the address that it was given.
  public static let serverAddress = Self("server.address", exit: 78)
  /// The address of a server belongs to another process just now.
  public static let serverAddressInUse = Self("server.address-in-use", exit: 75, retryable: true)
  /// The certificate or the key of a server cannot be used.
  public static let serverCertificate = Self("server.certificate", exit: 78)
}
