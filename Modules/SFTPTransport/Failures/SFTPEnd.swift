import SyncKit

/// Why a connection is over, or did not come to stand.
struct SFTPEnd: Error {
  /// What ended it.
  enum Reason: Equatable {
    /// The client of SSH has ended, or says nothing more.
    case ended
    /// It was closed here.
    case closed
    /// A request was left without an answer.
    case silent
    /// The server broke the protocol.
    case broken(SFTPBreach)
  }

  /// The error for the caller, when another try does not help.
  let error: SyncError
  /// Whether it worked until it broke, so that another one may work.
  let isPassing: Bool

  /// An end that another try does not change.
  init(_ error: SyncError) {
    self.init(error, isPassing: false)
  }

  private init(_ error: SyncError, isPassing: Bool) {
    self.error = error
    self.isPassing = isPassing
  }

  /// An end because of what the server has sent.
  init(_ breach: SFTPBreach, _ access: SFTPAccess) {
    self.init(SSHFailure.broken(breach, access))
  }

  /// Judges an end by what the client has said and how it has ended.
  ///
  /// - Parameters:
  ///   - reason: What ended the connection.
  ///   - said: The last words of the client.
  ///   - status: Its exit status; nil when it had to be ended.
  ///   - hasSpoken: Whether the server spoke SFTP before.
  ///   - access: How the server is reached.
  init(
    _ reason: Reason, said: [UInt8], status: Int32?, hasSpoken: Bool, _ access: SFTPAccess
  ) {
    switch reason {
    case .broken(let breach): self.init(breach, access)
    case .silent: self.init(SSHFailure.silent(said, access))
    case .closed:
      self.init(
        SyncError(.remoteIO, "The connection to \(access.place) was closed on this side."))
    case .ended:
      let failure = SSHFailure(said, status: status, hasSpoken: hasSpoken)
      self.init(
        failure.error(access),
        isPassing: hasSpoken && failure.kind.isPassing || failure.kind == .turnedAway)
    }
  }
}
