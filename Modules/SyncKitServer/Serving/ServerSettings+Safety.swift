import SyncKit
import SyncWire

extension ServerSettings {
  /// Refuses what would lay data open to a network.
  ///
  /// - Throws: ``SyncError`` `server.unsafe`.
  func checkSafety() throws(SyncError) {
    if authentication == .none, !listen.isLocal {
      throw SyncError(
        .serverUnsafe, "\(listen) can be reached from other machines, and they would need no token",
        hint: "listen on 127.0.0.1 or a unix socket, or leave out --auth none")
    }
    if authentication == .none, database != nil {
      throw SyncError(
        .serverUnsafe, "several servers share a database, and it would be open without tokens",
        hint: "leave out --auth none or --store")
    }
    if authentication == .none, proxy != .none {
      throw SyncError(
        .serverUnsafe, "a proxy would let anyone in, without a token",
        hint: "leave out --auth none or --trusted-proxy")
    }
    if !listen.isLocal, tls == nil, proxy == .none {
      throw SyncError(
        .serverUnsafe,
        "\(listen) can be reached from other machines, and tokens would not be encrypted",
        hint: "give --tls-cert and --tls-key, or --trusted-proxy when a proxy encrypts")
    }
  }
}
