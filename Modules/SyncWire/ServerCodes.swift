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
  /// The client library of a server's database is not installed.
  public static let serverLibrary = Self("server.library", exit: 69)
  /// The data of a server were moved elsewhere, or are on the way.
  public static let serverMoved = Self("server.moved", exit: 78)
  /// The database of a server cannot be reached.
  public static let storeUnavailable = Self("store.unavailable", exit: 69, retryable: true)
  /// Another transaction of a server's database came in between, and nothing was written.
  public static let storeConflict = Self("store.conflict", exit: 75, retryable: true)
}
