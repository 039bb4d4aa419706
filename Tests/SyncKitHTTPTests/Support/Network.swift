import CurlNetwork
import HTTPNetwork
import SyncKitHTTP
import Testing

/// What carries the requests of a test to a server.
enum Network: CaseIterable {
  case curl, asyncHTTPClient

  /// The one of this run of a test.
  @TaskLocal static var current = Network.curl

  var carrier: @Sendable (ServerAccess) throws -> any RequestCarrier {
    switch self {
    case .curl: { try CurlCarrier($0) }
    case .asyncHTTPClient: { try NetworkCarrier($0) }
    }
  }
}

/// Runs each test over every network: there is one contract of carriers.
struct OverEveryNetwork: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    for network in Network.allCases {
      try await Network.$current.withValue(network) { try await body() }
    }
  }
}

extension Trait where Self == OverEveryNetwork {
  /// Runs each test over every network.
  static var overEveryNetwork: Self { Self() }
}
