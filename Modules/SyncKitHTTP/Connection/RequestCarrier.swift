/// The way to one server: a network, or what stands in for one.
///
/// ``CarrierFailure`` says what has happened on the way; anything else that is thrown counts as a
/// broken connection after the request was sent.
public protocol RequestCarrier: Sendable {
  /// Sends one request and returns the answer, whatever its status.
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
  /// How long the answer may take as a whole; nil for one that has no end.
  public var timeout: Duration?
  /// The user and the password for a server that asks for Digest authentication (RFC 7616); nil for none.
  ///
  /// The carrier answers the server's challenge. One that cannot throws ``CarrierFailure/unsupported(_:)``.
  public var digest: DigestLogin?

  /// Makes a request, as to try a carrier of one's own.
  public init(
    method: String, path: String, headers: [(name: String, value: String)], body: [UInt8] = [],
    timeout: Duration? = nil
  ) {
    self.method = method
    self.path = path
    self.headers = headers
    self.body = body
    self.timeout = timeout
  }
}

/// Who asks, to a server that does not want to see the password.
public struct DigestLogin: Hashable, Sendable {
  /// The user.
  public var user: String
  /// The password.
  public var password: String

  /// Says who.
  public init(user: String, password: String) {
    self.user = user
    self.password = password
  }
}

/// An answer on its way: its head has come, its body comes as it is read.
public struct CarriedAnswer: Sendable {
  /// The status.
  public var status: Int
  /// The header fields, in order.
  public var headers: [(name: String, value: String)]
  /// The body, unpacked and in parts; it is read once.
  public var body: any AsyncSequence<[UInt8], any Error> & Sendable

  /// Makes an answer whose body comes in parts.
  public init(
    status: Int, headers: [(name: String, value: String)],
    parts body: any AsyncSequence<[UInt8], any Error> & Sendable
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Makes an answer whose body is here.
  public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.init(
      status: status, headers: headers,
      parts: AsyncThrowingStream { continuation in
        if !body.isEmpty { continuation.yield(body) }
        continuation.finish()
      })
  }

  /// The value of the first field of a name, which is compared without regard to case; nil for none.
  package func first(_ name: String) -> String? {
    let name = name.lowercased()
    return headers.first { $0.name.lowercased() == name }?.value
  }

  /// The first bytes of the body, all if there are no more than that; the rest is not waited for.
  package func first(_ limit: Int) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for try await part in body {
      bytes += part.prefix(limit - bytes.count)
      if bytes.count >= limit { break }
    }
    return bytes
  }

  /// The whole body.
  ///
  /// - Throws: ``CarrierFailure`` `tooLong` when it is longer than that, and what the carrier throws.
  package func bytes(upTo limit: Int) async throws -> [UInt8] {
    // What says beforehand that it is too long need not come at all.
    if let length = first("Content-Length").flatMap({ Int($0) }), length > limit {
      throw CarrierFailure.tooLong
    }
    var bytes: [UInt8] = []
    for try await part in body {
      guard part.count <= limit - bytes.count else { throw CarrierFailure.tooLong }
      // Mostly it is one part, which need not be copied.
      if bytes.isEmpty { bytes = part } else { bytes += part }
    }
    return bytes
  }
}

/// What happens to a request on its way.
public enum CarrierFailure: Error, Hashable {
  /// No answer has come, or not all of it; `wasSent` says whether the server may have had the request.
  case unreachable(String, wasSent: Bool)
  /// Something answers that is not trusted, or the two sides do not agree on encryption.
  case untrusted(TrustFault)
  /// What answers does not speak HTTP.
  case notHTTP
  /// The answer cannot be unpacked, or grows out of proportion.
  case notUnpackable
  /// The answer is longer than it may be.
  case tooLong
  /// The carrier has no way to do that, which it names.
  case unsupported(String)
  /// The proxy on the way wants a user and a password.
  case proxyDenied
}
