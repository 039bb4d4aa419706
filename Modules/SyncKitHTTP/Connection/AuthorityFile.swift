import SyncKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A file in PEM with the only authorities that are trusted.
package enum AuthorityFile {
  /// How the authorities of the system are replaced, as with other programs; empty counts as unset.
  private static let variable = "SSL_CERT_FILE"

  /// The file that replaces the authorities of the system for all programs; nil for none.
  package static func named(by variables: [String: String]) -> String? {
    variables[variable].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Reads the file, so that a wrong path is reported as one.
  ///
  /// - Throws: ``SyncError`` `config.invalid` for a file that has no certificates or cannot be read.
  package static func check(_ path: String) throws {
    guard certificate(in: path) != nil else { throw unreadable(path) }
  }

  /// The error for a file in which there are no certificates.
  package static func unreadable(_ path: String) -> SyncError {
    SyncError(
      .configInvalid, "Could not read certificates in '\(path)'.",
      hint:
        "It must be a PEM file with lines BEGIN CERTIFICATE; see 'ca-file' and the variable \(variable)."
    )
  }

  /// The first certificate of a file in PEM, as a server is given it; nil when there is none.
  package static func certificate(in path: String) -> ServerCertificate? {
    read(path).flatMap { ShownCertificate(pem: $0) }?.certificate
  }

  private static func read(_ path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count < 16 << 20 {
      let count = fread(&part, 1, part.count, file)
      guard count > 0 else { break }
      bytes += part.prefix(count)
    }
    return ferror(file) == 0 ? String(decoding: bytes, as: UTF8.self) : nil
  }
}
