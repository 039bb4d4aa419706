import NIOSSL
import SyncKit
import Synchronization

/// The certificate by which a server identifies itself; it can be replaced while it listens.
///
/// A new connection gets the newest one, those that are there go on with theirs.
final class ServerCertificate: Sendable {
  private let files: ServerSettings.CertificateFiles
  private let current: Mutex<NIOSSLContext>

  /// Reads the files.
  ///
  /// - Throws: ``SyncError`` `server.certificate`.
  init(_ files: ServerSettings.CertificateFiles) throws(SyncError) {
    self.files = files
    current = Mutex(try files.context())
  }

  /// What new connections are encrypted with.
  var context: NIOSSLContext { current.withLock { $0 } }

  /// Reads the files again; nothing changes when they cannot be used.
  ///
  /// - Throws: ``SyncError`` `server.certificate`.
  func reload() throws(SyncError) {
    let context = try files.context()
    current.withLock { $0 = context }
  }
}
