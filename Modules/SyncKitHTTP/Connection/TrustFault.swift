import SyncKitText
import SyncKit

/// What a server's certificate says of itself.
public struct ServerCertificate: Hashable, Sendable {
  /// What it is compared by.
  public var fingerprint: CertificateFingerprint
  /// Whether it was issued by itself.
  public var isSelfSigned: Bool
  /// The names and addresses it is for.
  public var names: [String]
  /// From when it holds, in milliseconds since 1970.
  public var from: Int64
  /// Until when it holds.
  public var until: Int64

  /// Describes a certificate.
  public init(
    fingerprint: CertificateFingerprint, isSelfSigned: Bool, names: [String], from: Int64,
    until: Int64
  ) {
    self.fingerprint = fingerprint
    self.isSelfSigned = isSelfSigned
    self.names = names
    self.from = from
    self.until = until
  }
}

/// Why a server is not spoken to though something answers there.
public enum TrustFault: Hashable, Sendable {
  /// No authority that this device trusts has signed the certificate.
  case unknownAuthority(ServerCertificate?)
  /// The certificate is signed by itself.
  case selfSigned(ServerCertificate)
  /// The certificate is for other names.
  case otherHost(ServerCertificate?)
  /// The certificate is over, or does not hold yet, at this time of this device.
  case outOfDate(ServerCertificate, now: Int64)
  /// The certificate is another one than the one that was named.
  case otherFingerprint(CertificateFingerprint?)
  /// The address says `https` and the server does not encrypt.
  case plain
  /// The address says `http` and the server wants encryption.
  case encrypted
  /// Both sides have no kind of encryption in common, or the server wants a certificate of the device.
  case noCommonWay

  /// The fault of a certificate that could not be verified.
  public init(_ certificate: ServerCertificate?, now: Int64) {
    guard let certificate else {
      self = .unknownAuthority(nil)
      return
    }
    if !(certificate.from...max(certificate.from, certificate.until) ~= now) {
      self = .outOfDate(certificate, now: now)
    } else {
      self = certificate.isSelfSigned ? .selfSigned(certificate) : .unknownAuthority(certificate)
    }
  }
}

extension TrustFault {
  /// What is wrong, as a sentence.
  ///
  /// - Parameters:
  ///   - server: Its address or name.
  ///   - host: Its host, as a certificate would name it.
  /// - Returns: The sentence.
  package func sentence(of server: String, host: String) -> String {
    switch self {
    case .unknownAuthority:
      return
        "The certificate of \(server) is signed by an authority that this device does not trust."
    case .selfSigned:
      return "The certificate of \(server) is self-signed; no authority vouches for it."
    case .otherHost(let certificate):
      let names = (certificate?.names ?? []).prefix(3).map(Self.plain).filter { !$0.isEmpty }
      let others = names.isEmpty ? "another name" : names.joined(separator: ", ")
      return "The certificate of \(server) is for \(others), not for \(host)."
    case .outOfDate(let certificate, let now):
      let today = Self.day(now)
      return now < certificate.from
        ? "The certificate of \(server) is not valid before \(Self.day(certificate.from)); "
          + "the date of this device is \(today)."
        : "The certificate of \(server) expired on \(Self.day(certificate.until)); "
          + "the date of this device is \(today)."
    case .otherFingerprint(let found):
      let what = found.map { "the fingerprint \($0)" } ?? "no certificate"
      return "The server at \(server) has \(what), not the expected one."
    case .plain:
      return "The server at \(server) does not encrypt, though its address begins with https."
    case .encrypted:
      return "The server at \(server) requires encryption, though its address begins with http."
    case .noCommonWay:
      return "This device and \(server) could not agree on encryption."
    }
  }

  /// What is wrong, as the end of a sentence that names the server.
  package var clause: String {
    switch self {
    case .unknownAuthority:
      "its certificate is signed by an authority that this device does not trust"
    case .selfSigned: "its certificate is self-signed; no authority vouches for it"
    case .otherHost: "its certificate is for another name"
    case .outOfDate(let certificate, let now):
      now < certificate.from
        ? "its certificate is not valid before \(Self.day(certificate.from))"
        : "its certificate expired on \(Self.day(certificate.until))"
    case .otherFingerprint: "its certificate does not have the given fingerprint"
    case .plain: "it does not encrypt, though its address begins with https"
    case .encrypted: "it requires encryption, though its address begins with http"
    case .noCommonWay: "this device and it could not agree on encryption"
    }
  }

  /// What to do about it.
  package var hint: String {
    switch self {
    case .unknownAuthority(let certificate):
      "If the authority is your own, name its certificate with --ca-file FILE, or later with "
        + "'cloudsync config set remotes.NAME.ca-file FILE'." + Self.comparing(certificate)
    case .selfSigned(let certificate):
      "If the server is yours, copy its certificate here and name it with --ca-file FILE."
        + Self.comparing(certificate)
    case .otherHost:
      "Use a name from the certificate as the address, or give the server a certificate for this name."
    case .outOfDate:
      "Renew the certificate on the server; if the date of this device is wrong, correct it."
    case .otherFingerprint:
      "If the certificate was renewed, look up its fingerprint on the server and run "
        + "'cloudsync config set remotes.NAME.fingerprint SHA256'; if not, the connection may be intercepted."
    case .plain:
      "Enable encryption on the server, or use http:// if it is on this machine or on a "
        + "network that encrypts itself."
    case .encrypted: "Use https:// in the address."
    case .noCommonWay:
      "cloudsync speaks TLS 1.2 and 1.3 and has no certificate of its own; check what the server requires."
    }
  }

  private static func comparing(_ certificate: ServerCertificate?) -> String {
    guard let certificate else { return "" }
    return " Or compare the fingerprint \(certificate.fingerprint) with the one on the server "
      + "(openssl x509 -noout -fingerprint -sha256 -in CERTIFICATE) and give it with --fingerprint."
  }

  private static func day(_ milliseconds: Int64) -> String {
    String(Timestamp.format(milliseconds: milliseconds).prefix(10))
  }

  /// A name from a certificate, which may be a hostile one, as a few plain characters.
  private static func plain(_ name: String) -> String {
    String(
      name.prefix(80).filter {
        $0.isASCII && ($0.isLetter || $0.isNumber || ".-:*_".contains($0))
      })
  }
}
