import LocalMachine
import ArgumentParser
import CommandFoundation
import SyncKitHTTP
import SyncKit

/// Which server certificate to trust when the system's authorities do not vouch for it.
struct TrustOptions: ParsableArguments {
  @Option(
    name: .customLong("ca-file"),
    help: ArgumentHelp(
      "Trust the certificates in this PEM file instead of the system's.", valueName: "file"),
    completion: .file())
  var certificates: String?
  @Option(
    help: ArgumentHelp(
      "Trust the server certificate with this SHA-256 fingerprint.", valueName: "sha256"))
  var fingerprint: String?

  /// What the options say, the file by its absolute path; with what a link says of the fingerprint.
  ///
  /// - Throws: ``SyncError`` `usage` for a fingerprint that is none, or for two that differ;
  ///   `input.missing` for a file that is not there.
  func trust(
    _ context: CommandContext, link: CertificateFingerprint? = nil
  ) throws -> ServerTrust {
    var trust = ServerTrust(fingerprint: link)
    if let text = fingerprint {
      guard let read = CertificateFingerprint(text) else {
        throw SyncError(
          .usage, "'\(Sanitized.line(text))' is not a SHA-256 fingerprint",
          hint: "it has 64 hexadecimal digits, as 'openssl x509 -fingerprint -sha256' prints them")
      }
      guard link == nil || link == read else {
        throw SyncError(
          .usage, "the link and --fingerprint name different certificates",
          hint: "ask the person who sent the link which one is right")
      }
      trust.fingerprint = read
    }
    if let certificates {
      let path = try context.directoryRequest.absolute(certificates)
      do { _ = try LocalFile.read(path, limit: 1 << 24) } catch {
        throw SyncError(.inputMissing, error.description)
      }
      trust.certificates = path
    }
    return trust
  }
}

/// What makes a server trusted besides the authorities of the system.
struct ServerTrust: Hashable {
  /// Certificates to trust in place of the system's, by the absolute path of their file.
  var certificates: String?
  /// The only certificate that is taken.
  var fingerprint: CertificateFingerprint?

  var isEmpty: Bool { certificates == nil && fingerprint == nil }

  /// The keys of the configuration that say it, with their values as YAML.
  var settings: [(key: String, value: String)] {
    [
      certificates.map { (key: "ca-file", value: YAMLText.scalar($0)) },
      // With colons, since digits alone could be a number.
      fingerprint.map { (key: "fingerprint", value: YAMLText.scalar($0.description)) },
    ].compactMap(\.self)
  }

  /// Refuses remotes of which none is a server with encryption.
  ///
  /// - Throws: ``SyncError`` `usage`.
  func check(for remotes: [NamedRemote]) throws(SyncError) {
    guard isEmpty || remotes.contains(where: \.isEncryptedServer) else {
      throw SyncError(
        .usage, "--ca-file and --fingerprint need a server with encryption",
        hint: "give its address, such as --remote home=https://sync.example.org")
    }
  }
}

extension NamedRemote {
  /// Whether it is a service that has a certificate.
  var isEncryptedServer: Bool {
    let location = url.location
    guard ConfigSchema.ownKeys(ofRemote: location.type).contains(where: { $0.name == "ca-file" })
    else { return false }
    let address = location.values.text("url") ?? location.values.text("endpoint")
    return address?.hasPrefix("https:") ?? true
  }
}

extension Configuration.Remote {
  /// The same remote, trusted as well by what a command says for this run.
  func trusting(_ trust: ServerTrust) -> Configuration.Remote {
    var remote = self
    if let path = trust.certificates {
      remote.location.values.set("ca-file", to: .text(path))
    }
    if let fingerprint = trust.fingerprint {
      remote.location.values.set("fingerprint", to: .text(fingerprint.description))
    }
    return remote
  }
}
