import NIOSSL
import SyncKit
import SyncWire

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension ServerSettings.CertificateFiles {
  /// Reads both files and makes TLS 1.2 or later of them, with HTTP/1.1 alone.
  ///
  /// - Throws: ``SyncError`` `server.certificate` when they cannot be read, do not belong together, or
  ///   when others can read the key.
  func context() throws(SyncError) -> NIOSSLContext {
    var facts = stat()
    guard stat(key, &facts) == 0 else { throw failure("the key '\(key)' cannot be read") }
    guard facts.st_mode & 0o007 == 0 else {
      throw SyncError(
        .serverCertificate, "others can read the key '\(key)'", hint: "chmod 600 '\(key)'")
    }
    let chain: [NIOSSLCertificate]
    do { chain = try NIOSSLCertificate.fromPEMFile(certificate) } catch {
      throw failure("the certificate '\(certificate)' cannot be read")
    }
    do {
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) },
        privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
      configuration.minimumTLSVersion = .tlsv12
      configuration.applicationProtocols = ["http/1.1"]
      // It finds out whether the key belongs to the certificate.
      return try NIOSSLContext(configuration: configuration)
    } catch {
      throw failure("the key '\(key)' cannot be used with the certificate '\(certificate)'")
    }
  }

  private func failure(_ message: String) -> SyncError {
    SyncError(
      .serverCertificate, message,
      hint:
        "both must be PEM files that this user can read, and the key must be that of the first certificate"
    )
  }
}
