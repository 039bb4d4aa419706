public import SyncKit
import SyncKitHTTP

extension Remote {
  /// A cloudsync server.
  ///
  /// - Parameters:
  ///   - address: Its address, such as `https://sync.example.org`.
  ///   - token: What opens the account; asked for at the first request, and again when the server does not know it.
  ///   - name: What the store remembers it by.
  ///   - environment: The clock and the source of chance, for pauses before a request is repeated.
  /// - Returns: The remote; nothing is sent yet.
  /// - Throws: ``SyncKit/SyncError`` `config.invalid` for an address that is none, and for one in the clear that
  ///   leads to another machine.
  public static func server(
    _ address: String, token: @escaping @Sendable () throws -> String?,
    named name: String = "server", environment: SyncEnvironment
  ) throws -> Remote {
    guard let server = ServerAddress(address) else {
      throw SyncError(
        .configInvalid, "'\(address)' is not the address of a server.",
        hint: "An address looks like https://sync.example.org.")
    }
    return Remote(
      name, location: server.description,
      transport: try HTTPTransport(
        ServerAccess(curl: server, environment: environment, token: token)))
  }
}
