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

  /// The configuration of connections that trust the authorities of a file.
  ///
  /// Read here, so that a wrong path is told as one.
  /// - Throws: ``SyncError`` `config.invalid` for a file that has no certificates or cannot be read.
  package static func only(_ path: String) throws -> TLSConfiguration {
    let certificates: [NIOSSLCertificate]
    do {
      certificates = try NIOSSLCertificate.fromPEMFile(path)
      guard !certificates.isEmpty else { throw NIOSSLError.failedToLoadCertificate }
    } catch {
      throw SyncError(
        .configInvalid, "There are no certificates to be read in \(path).",
        hint:
          "It has to be a file in PEM, with lines BEGIN CERTIFICATE; see 'ca-file' and the variable \(variable)."
      )
    }
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.trustRoots = .certificates(certificates)
    return tls
  }
}
