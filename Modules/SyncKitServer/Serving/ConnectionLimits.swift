/// What a server bears from its clients before it drops a connection.
public struct ConnectionLimits: Sendable, Equatable {
  /// How many connections there are at once; more are closed as they come.
  public var connections = 16_384
  /// How many of them from one address, or from one network of IPv6 (/64).
  ///
  /// It does not count for this machine itself and for trusted proxies.
  public var connectionsPerAddress = 256
  /// How long the head of a request may take, from its first byte; for a new connection from the start.
  public var head: Duration = .seconds(10)
  /// How long a connection may be kept open between two requests.
  public var idle: Duration = .seconds(60)
  /// How long a body may be slow before ``minimumRate`` counts.
  public var bodyGrace: Duration = .seconds(10)
  /// How many bytes a second a body must bring and an answer must be taken off with, on average.
  public var minimumRate = 1_024
  /// How long an answer may wait without the client taking any of it.
  public var stall: Duration = .seconds(30)
  /// How many bytes the head of a request may have.
  public var headBytes = 16 << 10
  /// How many fields the head of a request may have.
  public var headFields = 64
  /// How many bytes of bodies there are in memory at once, of requests and of answers.
  public var bodies = 256 << 20
  /// How many of them are one account's, or one address's that has shown no token.
  public var bodiesEach = 96 << 20
  /// How long a stop waits for answers that are under way.
  public var stop: Duration = .seconds(10)
  /// How long the server listens on after it has said that it closes, so that its last words arrive.
  public var linger: Duration = .seconds(2)

  /// The limits that fit a machine on the open network.
  public init() {}
}
