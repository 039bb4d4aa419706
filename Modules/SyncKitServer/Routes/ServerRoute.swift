import SyncKitText
import HTTPTypes
import Hummingbird
import SyncWire

/// One thing that can be asked of a server: a row of the table of routes.
///
/// Everything that is general follows from the row: which callers may ask, what the body may be, the
/// authorization matrix of the tests, and the OpenAPI document.
struct ServerRoute: Sendable {
  /// What the last named part of a path stands for; it decides whose it can be.
  enum Subject: String, Sendable, CaseIterable {
    /// Nothing that belongs to an account.
    case open
    /// The account that asks.
    case account
    case device, token, domain, zone, segment, share, participant, invitation
  }

  /// What the body of a request is.
  enum Body: Sendable, Equatable {
    case none, json, segments
  }

  let method: HTTPRequest.Method
  /// The path with its named parts in braces.
  let path: String
  /// What the token must allow; nil where none is needed.
  let scope: TokenScope?
  let subject: Subject
  let body: Body
  /// What it is for, as one sentence.
  let summary: String
  /// The name of the schema of the request's body in the OpenAPI document.
  let takes: String?
  /// The statuses of good answers with the names of their schemas; nil for an empty body.
  let gives: [Int: String?]
  let answer: @Sendable (ServerRequest) async throws -> Response

  init(
    _ method: HTTPRequest.Method, _ path: String, _ scope: TokenScope?, about subject: Subject,
    _ summary: String, body: Body = .none, takes: String? = nil, gives: [Int: String?],
    answer: @escaping @Sendable (ServerRequest) async throws -> Response
  ) {
    self.method = method
    self.path = path
    self.scope = scope
    self.subject = subject
    self.summary = summary
    self.body = body
    self.takes = takes
    self.gives = gives
    self.answer = answer
  }

  /// The names of the path's parts.
  var parameters: [String] {
    path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
      String($0.dropFirst().dropLast())
    }
  }

  /// Whether a path is written as this row has it: a router is kinder, and what it lets through besides, such
  /// as two strokes for one or escaped letters, would pass by a proxy that guards by prefix.
  func isWritten(as path: String) -> Bool {
    let row = self.path.split(separator: "/", omittingEmptySubsequences: false)
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return row.count == parts.count
      && zip(row, parts).allSatisfy { row, part in
        row.hasPrefix("{") ? !part.isEmpty : row == part
      }
  }
}
