public import Logging
public import SyncKit
import SyncWire

/// What a running server is made of: its storage, its clock and chance, the listeners, and how
/// much any caller may ask for.
///
/// A program makes one for a process, a test one for each test.
public struct ServerState: Sendable {
  /// Where everything is kept.
  public let storage: any ServerStorage
  /// The time and chance.
  public let environment: SyncEnvironment
  /// The listeners for news.
  public let news: NewsHub
  /// How often any caller may ask.
  public let limits: RequestLimits
  /// How many bytes of bodies it holds at once.
  public let bodies: BodyBudget
  /// When tokens were last used.
  let usage: TokenUsage
  /// How the address of a client is found.
  public var addressing: ClientAddressing
  /// Hears of failures of the server itself; never of content or secrets.
  public var logger: Logger

  /// Puts a server together.
  public init(
    storage: any ServerStorage, environment: SyncEnvironment,
    rates: RequestRates = RequestRates(), bodies: BodyBudget = BodyBudget(),
    addressing: ClientAddressing = .peer, logger: Logger = Logger(label: "cloudsync.server")
  ) {
    self.storage = storage
    self.environment = environment
    self.bodies = bodies
    self.addressing = addressing
    self.logger = logger
    limits = RequestLimits(rates, environment: environment)
    usage = TokenUsage(storage: storage)
    news = NewsHub(storage: storage, usage: usage, environment: environment)
  }

  /// Ends all event streams, waits for what is under way, and closes the storage.
  public func close() async throws {
    news.close()
    await usage.flush()
    try await storage.close()
  }
}

/// How the address of a client is found.
public enum ClientAddressing: Sendable {
  /// It is the other end of the connection.
  case peer
  /// A proxy that is trusted has added it as the last one of `X-Forwarded-For`.
  case forwarded
}
