/// One call of a client, as the client saw it.
///
/// Times are of one clock that never goes back, shared by all clients; which unit does not matter. What
/// happened between the two times may have happened at any moment between them, or, when the outcome is
/// unknown, at any moment from the first time on.
public struct Call<Value: Sendable>: Sendable {
  /// The outcome of a call.
  public enum Outcome: Sendable {
    /// The server confirmed it.
    case done
    /// The server refused it.
    case refused
    /// Unknown: the answer was lost.
    case unknown
  }

  /// The client.
  public var client: Int
  /// When the call began.
  public var start: UInt64
  /// When the answer came; for an unknown outcome the moment when the client gave up.
  public var end: UInt64
  /// The outcome.
  public var outcome: Outcome
  /// The content of the request or the answer.
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

/// An observation that no correct server can cause.
public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
  /// The observation, in one sentence.
  public var description: String

  /// Describes an observation.
  public init(_ description: String) { self.description = description }
}
