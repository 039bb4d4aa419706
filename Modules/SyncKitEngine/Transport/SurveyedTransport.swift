import SyncKitModel

/// A transport that can say what its remote is like.
public protocol SurveyedTransport: Transport {
  /// Finds out what a person should know before trouble comes; follows an attach, and leaves nothing behind.
  ///
  /// What can be learned only by storing is in it after ``TrialTransport/tryStoring(_:of:)``.
  ///
  /// - Throws: ``SyncError`` as ``Transport/store(_:)`` would, where something has to be written to find out.
  func survey() async throws -> RemoteSurvey
}

/// What a remote is like.
public struct RemoteSurvey: Hashable, Sendable {
  /// Its clock; nil when it does not tell.
  public var clock: RemoteClock?
  /// How many bytes more it takes; nil when it does not tell.
  public var room: Int64?
  /// What is unusual about it, each as a sentence.
  public var notes: [String]

  /// Says what was found.
  public init(clock: RemoteClock? = nil, room: Int64? = nil, notes: [String] = []) {
    self.clock = clock
    self.room = room
    self.notes = notes
  }
}

/// The clock of a remote, compared with that of this device.
///
/// Which of the two is wrong cannot be known from one remote.
public struct RemoteClock: Hashable, Sendable {
  /// By how many milliseconds it is ahead of this device's clock at least, negative when it is behind; 0 when the
  /// two may show the same.
  public var lead: Int64

  /// Says how far it is ahead.
  public init(lead: Int64) { self.lead = lead }

  /// Compares a time that the remote has said with the times of this device between which it did.
  ///
  /// What the question took on its way is no difference, so a slow remote is not taken for one with a wrong clock.
  ///
  /// - Parameters:
  ///   - time: What the remote said, in milliseconds since 1970, rounded down.
  ///   - precision: To how many milliseconds it rounds.
  ///   - earliest: The time of this device before it asked.
  ///   - latest: The time of this device when it had the answer.
  public init(
    _ time: Int64, precision: Int64 = 1_000, between earliest: Int64, and latest: Int64
  ) {
    let end = time + precision
    lead = end < earliest ? end - earliest : time > latest ? time - latest : 0
  }

  /// Whether it differs by more than two minutes.
  public var isFar: Bool { abs(lead) > 120_000 }
}
