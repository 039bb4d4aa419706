import CurlNetwork
import Foundation
import SyncKitApp
import SyncKitHTTP

/// What opens an account on a server: this device's own token, and where the server is.
struct Account: Codable, Sendable {
  /// The address.
  let server: String
  /// The certificate that the invitation named; nil when an authority vouches for the server.
  let certificate: String?
  /// The token; whoever has it can read the person's data.
  let token: String

  /// Lets this device into the account of the one who made the link.
  ///
  /// - Throws: ``SyncKit/SyncError`` `remote.code-spent` when the link was used before or is over, and what any call of
  ///   a server throws.
  static func join(_ link: ServerLink, as device: Device) async throws -> Account {
    // The only call that needs no token.
    let joined = try await SyncServerClient(access(to: link.server, link.fingerprint) { nil })
      .join(code: link.secret, as: device)
    return Account(
      server: link.server.text, certificate: link.fingerprint?.digits, token: joined.token)
  }

  /// The account as a place to sync with.
  func remote() throws -> Remote {
    let access = try access()
    return Remote(
      "server", location: access.address.text, transport: try HTTPTransport(access))
  }

  /// The account, to invite others.
  func client() throws -> SyncServerClient { try SyncServerClient(access()) }

  // MARK: Keeping it

  /// The account that was kept in the app's folder; nil before the device has joined one.
  ///
  /// An app on an Apple platform keeps it in the keychain.
  static func load(from home: String) throws -> Account? {
    guard let data = FileManager.default.contents(atPath: path(in: home)) else { return nil }
    return try JSONDecoder().decode(Account.self, from: data)
  }

  /// Keeps the account in a file that no other user can read.
  func save(in home: String) throws {
    let isKept = FileManager.default.createFile(
      atPath: Self.path(in: home), contents: try JSONEncoder().encode(self),
      attributes: [.posixPermissions: 0o600])
    guard isKept else { throw SyncError(.storeIO, "Could not write \(Self.path(in: home)).") }
  }

  private static func path(in home: String) -> String { "\(home)/account.json" }

  // MARK: Reaching the server

  private func access() throws -> ServerAccess {
    guard let address = ServerAddress(server) else {
      throw SyncError(.configInvalid, "'\(server)' is not the address of a server.")
    }
    return Self.access(to: address, certificate.flatMap { CertificateFingerprint($0) }) { [token] in
      token
    }
  }

  private static func access(
    to address: ServerAddress, _ certificate: CertificateFingerprint?,
    token: @escaping @Sendable () -> String?
  ) -> ServerAccess {
    ServerAccess(curl: address, environment: .system, fingerprint: certificate, token: token)
  }
}
