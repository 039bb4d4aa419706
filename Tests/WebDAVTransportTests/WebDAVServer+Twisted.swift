import CurlNetwork
import FaultyNetwork
import RealPlaces
import SyncKitHTTP

@testable import WebDAVTransport

extension WebDAVServer {
  /// How a collection is reached over a way on which something happens.
  func access(
    _ collection: String, _ log: RequestLog,
    _ twist: @escaping TwistedCarrier.Twist = { try await $1($0) }
  ) throws -> ServerAccess {
    var access = try access(collection)
    access.carrier = { TwistedCarrier(try CurlCarrier($0), log, twist) }
    access.wait = { log.add($0) }
    return access
  }

  /// The blobs of a collection over such a way.
  func store(
    _ collection: String, _ log: RequestLog,
    _ twist: @escaping TwistedCarrier.Twist = { try await $1($0) }
  ) throws -> WebDAVBlobStore {
    try WebDAVBlobStore(
      access(collection, log, twist), create: true
    ) {
      .password(user: Self.user, password: Self.password)
    }
  }
}
