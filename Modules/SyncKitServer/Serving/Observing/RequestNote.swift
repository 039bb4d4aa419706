import Synchronization

/// What is known of the request that a task is answering, for code on the way.
public final class RequestNote: Sendable {
  /// The note of the request at hand; nil outside of a server, as in a test of a route.
  @TaskLocal public static var current: RequestNote?

  /// The address of the client, or what a trusted proxy says it is; `local` for a socket in
  /// the file system.
  public let clientAddress: String
  /// The trace that the request is part of, as 32 hexadecimal digits.
  public let trace: String
  private let known = Mutex<String?>(nil)

  /// Begins a note; of a trace of its own when none is named, or what is named is none.
  public init(clientAddress: String, trace: String? = nil) {
    self.clientAddress = clientAddress
    self.trace = trace.flatMap { TraceContext.isTrace($0[...]) ? $0 : nil } ?? TraceContext.drawn()
  }

  /// The public part of the token that asks, once it is known.
  public var caller: String? {
    get { known.withLock { $0 } }
    set { known.withLock { $0 = newValue } }
  }
}
