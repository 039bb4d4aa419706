import SyncKit
import SyncWire

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
