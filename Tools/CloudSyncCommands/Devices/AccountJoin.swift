import CommandFoundation
import HTTPTransport
import SyncKit
import SyncWire

/// What a person types to join an account: a code, or a link with the server in it.
enum JoinText: Equatable {
  case code(String)
  case link(ServerLink)

  /// Reads it.
  ///
  /// - Throws: ``SyncError`` `usage` for a link that leads elsewhere, or what cannot be a code.
  init(_ text: String) throws(SyncError) {
    let text = text.trimmingSpaces
    if text.contains("://") {
      guard let link = ServerLink(text), link.purpose == .join else {
        throw SyncError(
          .usage, "this is no link to join an account",
          hint: "'cloudsync device pair' on another device prints one")
      }
      _ = try Self.checked(link.secret)
      self = .link(link)
      return
    }
    self = .code(try Self.checked(text))
  }

  /// A code as it was typed.
  ///
  /// - Throws: ``SyncError`` `usage` for what can be none, so that no server need be asked.
  private static func checked(_ text: String) throws(SyncError) -> String {
    guard JoinCode(text) != nil else {
      throw SyncError(
        .usage, "this is no code to join an account",
        hint: "it looks like 4F7K-92QD, or like 4F7K-92QD-J3M8-X6TB for a new account")
    }
    return text
  }

  /// What proves the right to join.
  var code: String {
    switch self {
    case .code(let code): code
    case .link(let link): link.secret
    }
  }
}

extension Session {
  /// Joins the account of a server, and keeps the token that this device gets.
  ///
  /// - Throws: ``SyncError`` `remote.code-spent`, `remote.unavailable` and the like.
  func join(_ code: String, at remote: Configuration.Remote) async throws {
    let settings = try ServerAccess(remote, surroundings())
    let joined = try await SyncServerClient(settings).join(code: code, as: keepDevice())
    try StoredToken.write(
      joined.token, of: remote.name, for: settings.address, in: directories.data)
    context.note("this device belongs to the account '\(joined.account.name)' now")
  }

  /// Whether there is a token for a server, without asking the server.
  func hasToken(for remote: Configuration.Remote) throws -> Bool {
    try ServerAccess(remote, surroundings()).token() != nil
  }
}
