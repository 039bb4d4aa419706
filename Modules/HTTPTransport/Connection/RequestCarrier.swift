/// Carries requests to a server in place of a network: to one in the same process, through faults.
///
/// What it throws counts as a broken connection after the request was sent.
public protocol RequestCarrier: Sendable {
  /// Carries one request there and brings the answer, whatever its status.
  func carry(_ request: CarriedRequest) async throws -> CarriedAnswer
}

/// A request on its way.
public struct CarriedRequest: Sendable {
  /// The method.
  public var method: String
  /// The path with its query, as the server sees it.
  public var path: String
  /// The header fields, in order.
  public var headers: [(name: String, value: String)]
  /// The body; empty for none.
  public var body: [UInt8]
}

/// An answer on its way.
public struct CarriedAnswer: Sendable {
  /// The status.
  public var status: Int
  /// The header fields, in order.
  public var headers: [(name: String, value: String)]
  /// The body; empty for none.
  public var body: [UInt8]

  /// Makes an answer.
  public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
