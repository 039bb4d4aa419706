import CommandFoundation
import SyncKitHTTP
import SyncKit
import SyncWire

/// The text that a person types to join an account: a code, or a link that includes the server.
enum JoinText: Equatable {
  case code(String)
  case link(ServerLink)

  /// Reads it.
  ///
  /// - Throws: ``SyncError`` `usage` for a link of another kind, or a text that cannot be a code.
  init(_ text: String) throws(SyncError) {
    let text = text.trimmingSpaces
    if text.contains("://") {
      guard let link = ServerLink(text), link.purpose == .join else {
        throw SyncError(
          .usage, "this is not a link to join an account",
          hint: "'cloudsync device pair' on another device prints one")
      }
      _ = try Self.checked(link.secret)
      self = .link(link)
      return
    }
    self = .code(try Self.checked(text))
  }

  /// A typed code.
  ///
  /// - Throws: ``SyncError`` `usage` for a text that cannot be a code, without a request to a server.
  private static func checked(_ text: String) throws(SyncError) -> String {
    guard JoinCode(text) != nil else {
      throw SyncError(
        .usage, "this is not a code to join an account",
        hint: "it looks like 4F7K-92QD, or like 4F7K-92QD-J3M8-X6TB for a new account")
    }
    return text
  }

  /// The proof of the right to join.
  var code: String {
    switch self {
    case .code(let code): code
    case .link(let link): link.secret
    }
  }
}

extension JoinText {
  /// The code for the keys of an encrypted account, behind the link's own.
  var key: String? {
    switch self {
    case .code: nil
    case .link(let link): link.key
    }
  }
}

extension Session {
  /// Joins the account of a server, and saves the new token of this device.
  ///
  /// - Throws: ``SyncError`` `remote.code-spent`, `remote.unavailable` and the like.
  func join(_ code: String, at remote: Configuration.Remote) async throws {
    let settings = try ServerAccess(remote, host())
    let joined = try await SyncServerClient(settings).join(code: code, as: keepDevice())
    try StoredToken.write(
      joined.token, of: remote.name, for: settings.address.text, in: directories.data)
    context.note("this device now belongs to the account '\(joined.account.name)'")
  }

  /// Whether there is a token for a server, without asking the server.
  func hasToken(for remote: Configuration.Remote) throws -> Bool {
    try ServerAccess(remote, host()).token() != nil
  }
}
