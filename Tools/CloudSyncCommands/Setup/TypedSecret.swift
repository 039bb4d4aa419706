import CommandFoundation
import SyncKit

/// A secret that a person has typed for a remote, which stays only if it works.
struct TypedSecret {
  /// How often a person may try.
  fileprivate static let mostTries = 3

  private let remote: String
  private let data: String
  /// What was kept before, and what it opens.
  private let former: String?
  private let place: String

  /// Keeps a secret.
  ///
  /// - Throws: ``SyncError`` `store.io` and the like when it cannot be kept.
  fileprivate init(
    _ typed: String, _ question: SecretQuestion, of remote: String, in data: String
  ) throws(SyncError) {
    (self.remote, self.data, place) = (remote, data, question.place)
    do {
      former = try StoredToken.read(remote, for: place, in: data)
      try StoredToken.write(typed, of: remote, for: place, in: data)
    } catch {
      throw error as? SyncError ?? SyncError(.storeIO, "The secret could not be kept: \(error)")
    }
  }

  /// Brings back what was kept before.
  ///
  /// - Throws: ``SyncError`` `store.io` and the like when this one may still be there.
  func takeBack() throws {
    if let former {
      try StoredToken.write(former, of: remote, for: place, in: data)
    } else {
      try StoredToken.remove(remote, in: data)
    }
  }
}

extension Session {
  /// Asks for the secret of a new remote that the configuration does not have, and keeps it once the remote does not
  /// refuse it.
  ///
  /// One that is refused is asked for again, three times in all. Without a terminal nothing is asked; the remote then
  /// says what it lacks.
  ///
  /// - Returns: What was typed, for the caller to take back when what follows fails; nil when nothing was asked.
  /// - Throws: ``SyncError`` `remote.denied` when the last one is refused; `store.io` and the like when it cannot be
  ///   kept.
  func askSecret(of remote: Configuration.Remote) async throws -> TypedSecret? {
    guard let kind = TransportRegistry.registration(remote.location.type),
      let question = kind.question(remote.location.values)
    else { return nil }
    var refusal: SyncError?
    for _ in 0..<TypedSecret.mostTries {
      if let refusal { context.warn(refusal.sentence) }
      guard let typed = try context.askSecret("\(question.text) at '\(remote.name)'"),
        !typed.isEmpty
      else { break }
      let secret = try TypedSecret(typed, question, of: remote.name, in: directories.data)
      refusal = await self.refusal(of: remote)
      guard refusal != nil else { return secret }
      try secret.takeBack()
    }
    if let refusal { throw refusal }
    return nil
  }

  /// Why a remote does not let this device in; nil when it does, or when that cannot be known now.
  private func refusal(of remote: Configuration.Remote) async -> SyncError? {
    // One that was opened keeps the secret that it had.
    forgetTransports()
    do {
      _ = try await isEncryptedPlace(remote)
      return nil
    } catch {
      // Of everything else the caller hears when it goes on.
      let error = ErrorReport.described(error)
      return error.code == .remoteDenied ? error : nil
    }
  }
}
