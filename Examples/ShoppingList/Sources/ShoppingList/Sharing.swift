import SyncKitApp
import SyncKitHTTP

/// Lets other people into single lists.
struct Sharing {
  let store: SyncStore
  let session: SyncSession
  let client: SyncServerClient

  /// Invites a person to a list, to read and to write.
  ///
  /// - Returns: A link for this person alone. It goes to them by a way that the two trust.
  func invite(_ person: String, to list: ShoppingList) async throws -> ServerLink {
    guard let record = try store.record(ShoppingList.collection, list.recordID) else {
      throw SyncError(.notFound, "There is no list '\(list.name)'.")
    }
    // The server can share only what it has.
    try await session.syncNow()
    let share = try await client.share(
      record.key.zone, of: store.domain.name, title: list.name)
    let invitation = try await client.invite(person, to: share.id, as: .writer)
    return ServerLink(.share, at: client.address, secret: invitation.secret)
  }

  /// Takes part in another person's list.
  func accept(_ link: ServerLink) async throws {
    guard link.purpose == .share, link.server == client.address else {
      throw SyncError(.inputInvalid, "This is no link to a list on \(client.address).")
    }
    _ = try await client.accept(invitation: link.secret)
    try await session.syncNow()
  }

  /// Makes a link with which one more device of the same person joins; it is good for ten minutes.
  func pair() async throws -> ServerLink {
    ServerLink(.join, at: client.address, secret: try await client.makePairingCode().code)
  }
}
