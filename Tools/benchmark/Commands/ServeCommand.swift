import SyncKit
import SyncKitServer

extension Arguments {
  /// Serves without accounts, for everyone on this machine, until it is stopped.
  mutating func serve() async throws {
    let listen = try option("--listen") ?? "127.0.0.1:0"
    guard let data = try option("--data") else { throw Self.usage("--data is missing") }
    guard let address = ServerAddress(listen) else {
      throw Self.usage("--listen is not an address")
    }
    var settings = ServerSettings(listen: address, data: try POSIX.absolute(data))
    settings.authentication = .none
    settings.metrics = try option("--metrics").flatMap { ServerAddress($0) }
    // The servers of all tools start with the same words.
    _ = flag("-q")
    try end()
    let server = SyncServer(settings, environment: Replica.environment, log: .silent)
    try await server.run { address in
      try? POSIX.write(Array("http://\(address)\n".utf8), to: 1)
    }
  }
}
