import HTTPTransport
import NIOSSL
import SyncKit

/// Whom connections trust: the authorities of the system, or those of a file alone.
package enum Authorities {
  /// How the system's are replaced, as with other programs; empty counts as unset.
  package static let variable = "SSL_CERT_FILE"

  /// The file that replaces the authorities of the system for all programs; nil for none.
  package static func file(_ variables: [String: String]) -> String? {
    variables[variable].flatMap { $0.isEmpty ? nil : $0 }
  }

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

  /// Read here, so that a wrong path is told as one.
  private static func read(_ path: String) throws -> [NIOSSLCertificate] {
    do {
      let certificates = try NIOSSLCertificate.fromPEMFile(path)
      guard !certificates.isEmpty else { throw NIOSSLError.failedToLoadCertificate }
      return certificates
    } catch {
      throw SyncError(
        .configInvalid, "There are no certificates to be read in \(path).",
        hint:
          "It has to be a file in PEM, with lines BEGIN CERTIFICATE; see 'ca-file' and the variable \(variable)."
      )
    }
  }
}
