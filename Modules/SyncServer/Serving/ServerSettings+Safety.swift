import SyncKit

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

extension ServerSettings {
  /// Refuses what would lay data open to a network.
  ///
  /// - Throws: ``SyncError`` `server.unsafe`.
  func checkSafety() throws(SyncError) {
    if authentication == .none, !listen.isLocal {
      throw SyncError(
        .serverUnsafe, "\(listen) can be reached from elsewhere, and nobody would need a token",
        hint: "listen on 127.0.0.1 or a unix socket, or leave out --auth none")
    }
    if authentication == .none, proxy != .none {
      throw SyncError(
        .serverUnsafe, "a proxy would let everybody in, as nobody would need a token",
        hint: "leave out --auth none or --trusted-proxy")
    }
    if !listen.isLocal, tls == nil, proxy == .none {
      throw SyncError(
        .serverUnsafe, "\(listen) can be reached from elsewhere, and tokens would travel in clear",
        hint: "give --tls-cert and --tls-key, or --trusted-proxy when a proxy encrypts")
    }
  }
}
