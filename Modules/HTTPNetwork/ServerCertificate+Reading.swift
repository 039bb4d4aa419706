import Formats
import HTTPTransport
import NIOSSL
import SyncCrypto

extension ServerCertificate {
  /// Reads the first certificate of a file in PEM, as a server is given it; nil when there is none.
  package init?(file: String) {
    guard let first = try? NIOSSLCertificate.fromPEMFile(file).first else { return nil }
    self.init(first)
  }

  /// Takes a certificate; nil for one that nobody could compare.
  init?(_ certificate: NIOSSLCertificate) {
    guard let bytes = try? certificate.toDERBytes(),
      let fingerprint = CertificateFingerprint(bytes: SHA256.hash(bytes))
    else { return nil }
    self.init(
      fingerprint: fingerprint, isSelfSigned: Self.isSelfSigned(bytes),
      names: Self.names(of: certificate), from: Int64(certificate.notValidBefore) * 1_000,
      until: Int64(certificate.notValidAfter) * 1_000)
  }

  private static func names(of certificate: NIOSSLCertificate) -> [String] {
    certificate._subjectAlternativeNames().compactMap { name in
      switch name.nameType {
      case .dnsName: String(decoding: name.contents, as: UTF8.self)
      case .ipAddress: address(Array(name.contents))
      default: nil
      }
    }
  }

  private static func address(_ bytes: [UInt8]) -> String? {
    if bytes.count == 4 { return bytes.map { "\($0)" }.joined(separator: ".") }
    guard bytes.count == 16 else { return nil }
    return stride(from: 0, to: 16, by: 2).map {
      String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
    }.joined(separator: ":")
  }

  /// Whether issuer and subject are the same, by the structure of RFC 5280, 4.1.
  private static func isSelfSigned(_ bytes: [UInt8]) -> Bool {
    guard let whole = DERItem(bytes[...]), let signed = whole.items.first else { return false }
    var fields = signed.items[...]
    // The version is left out in certificates of version 1.
    if fields.first?.tag == 0xA0 { fields = fields.dropFirst() }
    let rest = Array(fields)
    guard rest.count > 4 else { return false }
    let (issuer, subject) = (rest[2], rest[4])
    return issuer.content.elementsEqual(subject.content)
  }
}

/// One element of DER: a tag, a length, a content.
private struct DERItem {
  let tag: UInt8
  let content: ArraySlice<UInt8>
  /// What follows.
  let rest: ArraySlice<UInt8>

  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= 2, let tag = bytes.first else { return nil }
    var place = bytes.startIndex + 1
    var length = Int(bytes[place])
    place += 1
    if length >= 0x80 {
      let count = length & 0x7F
      guard 1...4 ~= count, bytes.endIndex - place >= count else { return nil }
      length = bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
      place += count
    }
    guard bytes.endIndex - place >= length else { return nil }
    self.tag = tag
    content = bytes[place..<place + length]
    rest = bytes[(place + length)...]
  }

  /// The elements within.
  var items: [DERItem] {
    var items: [DERItem] = []
    var next = DERItem(content)
    while let item = next {
      items.append(item)
      next = DERItem(item.rest)
    }
    return items
  }
}
