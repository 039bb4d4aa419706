import CommandFoundation
import SyncKitHTTP

/// The certificate of the server that is configured on this machine.
enum OwnCertificate {
  /// What a link adds so that the certificate is trusted; empty when it is not signed by itself, since then
  /// an authority vouches for it.
  static func mark(_ context: CommandContext) throws -> String {
    try context.configuration().values.server.certificate.map(mark(certificate:)) ?? ""
  }

  /// The same for the certificate in a file.
  static func mark(certificate file: String) -> String {
    guard let certificate = AuthorityFile.certificate(in: file), certificate.isSelfSigned else {
      return ""
    }
    return ServerLink.mark(certificate.fingerprint)
  }
}
