/// One call of a client, as the client saw it.
///
/// Times are of one clock that never goes back, shared by all clients; which unit does not matter. What
/// happened between the two times may have happened at any moment between them, or, when the outcome is
/// unknown, at any moment from the first time on.
public struct Call<Value: Sendable>: Sendable {
  /// How a call ended.
  public enum Outcome: Sendable {
    /// The server said that it was done.
    case done
    /// The server said that it was not done.
    case refused
    /// Nobody knows: the answer was lost.
    case unknown
  }

  /// Who called.
  public var client: Int
  /// When the call began.
  public var start: UInt64
  /// When the answer came; for an unknown outcome the moment when the client gave up.
  public var end: UInt64
  /// How it ended.
  public var outcome: Outcome
  /// What was asked or answered.
  public var value: Value

  /// Describes a call.
  public init(
    client: Int, start: UInt64, end: UInt64, outcome: Outcome = .done, value: Value
  ) {
    self.client = client
    self.start = start
    self.end = end
    self.outcome = outcome
    self.value = value
  }

  /// The last moment at which it can have taken effect.
  var latest: UInt64 { outcome == .unknown ? .max : end }
}

/// Something that no correct server can have done.
public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was seen, in one sentence.
  public var description: String

  /// Says what was seen.
  public init(_ description: String) { self.description = description }
}
