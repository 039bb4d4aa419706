import HTTPTypes
import Hummingbird
import NIOCore
import PageTemplates

/// A request as a page sees it.
struct PageRequest: Sendable {
  let language: PageLanguage
  /// What stands for the words with a colon in the page's path.
  let names: [String: String]
  let query: FormValues
  /// What was sent, in a request that changes something.
  let form: FormValues
  /// What comes with a file, where the route takes one; its token is checked by whoever reads it.
  var upload: PageUpload?

  /// The language that the browser asks for.
  static func language(of request: Request) -> PageLanguage {
    PageLanguage(accepting: request.headers[.acceptLanguage])
  }

  subscript(name: String) -> String { names[name] ?? "" }
}

/// A form with a file, which is still to arrive.
struct PageUpload: Sendable {
  let contentType: String?
  /// How many bytes are announced.
  let length: Int?
  let body: RequestBody

  init(_ request: Request) {
    contentType = request.headers[.contentType]
    length = request.headers[.contentLength].flatMap { Int($0) }
    body = request.body
  }
}
