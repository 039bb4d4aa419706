import SyncKitHTTP
import NIOSSL
import SyncKit

/// Whom connections trust: the authorities of the system, or those of a file alone.
package enum Authorities {
  /// How connections are encrypted: with TLS 1.2 or later, and with a certificate that the system's
  /// authorities, those of a file, or a fingerprint alone vouch for.
  ///
  /// - Parameters:
  ///   - certificates: the path of a file in PEM with the only authorities to trust; nil for the system's.
  ///   - fingerprint: what the caller compares the certificate with; nil when authorities vouch for it.
  /// - Returns: what libraries of SwiftNIO take.
  /// - Throws: ``SyncError`` `config.invalid` for a file that has no certificates or cannot be read.
  package static func configuration(
    certificates: String?, fingerprint: CertificateFingerprint? = nil
  ) throws -> TLSConfiguration {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.minimumTLSVersion = .tlsv12
    if let certificates {
      tls.trustRoots = .certificates(try read(certificates))
    } else if fingerprint != nil {
      tls.certificateVerification = .none
    }
    return tls
  }

  /// Reads the file before it is used, so that the error names a wrong path.
  private static func read(_ path: String) throws -> [NIOSSLCertificate] {
    guard let certificates = try? NIOSSLCertificate.fromPEMFile(path), !certificates.isEmpty else {
      throw AuthorityFile.unreadable(path)
    }
    return certificates
  }
}
