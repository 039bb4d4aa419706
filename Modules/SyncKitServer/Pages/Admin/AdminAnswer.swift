import HTTPTypes
import Hummingbird
import NIOCore

/// What a request to the pages of administration gets.
struct AdminAnswer: Sendable {
  private(set) var response: Response

  init(_ bytes: [UInt8], _ type: String, status: Int = 200, policy: String = Self.policy) {
    response = Response(
      status: .init(code: status), headers: [.contentType: type],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    set("Content-Security-Policy", policy)
    set("Cross-Origin-Resource-Policy", "same-origin")
    set("Cross-Origin-Opener-Policy", "same-origin")
    // With 'no-referrer' browsers would not say where a form comes from.
    set("Referrer-Policy", "same-origin")
  }

  /// Leads to another page, by its place beside this one.
  static func redirect(to place: String) -> AdminAnswer {
    var answer = AdminAnswer([], "text/plain; charset=utf-8", status: 303)
    answer.set("Location", place)
    return answer
  }

  /// A picture of its own.
  static func image(_ svg: String) -> AdminAnswer {
    AdminAnswer(Array(svg.utf8), "image/svg+xml; charset=utf-8", policy: imagePolicy)
  }

  mutating func set(_ name: String, _ value: String) {
    if let name = HTTPField.Name(name) { response.headers[name] = value }
  }

  /// Everything comes from this server, nothing runs, forms go nowhere else, and no other page shows ours in a frame.
  static let policy = """
    default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'none'
    """

  /// That of the page that takes the code, whose script reads it from the address.
  static let entryPolicy = "script-src 'self'; \(policy)"

  /// A picture has its own styles, and shows nothing else.
  private static let imagePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
}
