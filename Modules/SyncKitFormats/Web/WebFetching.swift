/// A request to a web service.
public struct WebRequest: Sendable, Equatable {
  /// The method, such as `GET`.
  public var method: String
  /// An absolute `http` or `https` URL.
  public var url: String
  /// Header fields; names compare without case.
  public var headers: [(name: String, value: String)]
  /// The body; empty for none.
  public var body: [UInt8]

  /// Describes a request.
  public init(
    method: String = "GET", url: String, headers: [(name: String, value: String)] = [],
    body: [UInt8] = []
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }

  public static func == (left: WebRequest, right: WebRequest) -> Bool {
    left.method == right.method && left.url == right.url && left.body == right.body
      && left.headers.elementsEqual(right.headers) { $0 == $1 }
  }
}

/// The answer of a web service, whatever its status.
public struct WebResponse: Sendable {
  /// The status code.
  public var status: Int
  /// Header fields in the order in which they came.
  public var headers: [(name: String, value: String)]
  /// The whole body.
  public var body: [UInt8]

  /// Describes an answer.
  public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The first value of a header field, found without regard to case.
  public subscript(header: String) -> String? {
    headers.first { $0.name.lowercased() == header.lowercased() }?.value
  }
}

/// Sends requests for a module that opens no socket itself.
///
/// ## What a fetcher promises
///
/// - An answer of any status is returned; only a request that got none throws.
/// - It follows no redirect to another origin, and takes no more than a bounded time and memory.
public protocol WebFetching: Sendable {
  /// Sends a request and waits for the whole answer.
  ///
  /// - Throws: An error that says why no answer came.
  func fetch(_ request: WebRequest) async throws -> WebResponse
}
