import SyncKitText
import SyncCrypto

/// A certificate as a server shows it, for carriers.
package struct ShownCertificate: Sendable {
  package let certificate: ServerCertificate
  /// The SHA-256 of its key with the kind of the key, in base64, as libcurl compares keys.
  package let key: String

  /// Reads the first certificate of a text in PEM; nil when there is none that can be read.
  package init?(pem: some StringProtocol) {
    guard let start = pem.firstRange(of: "-----BEGIN CERTIFICATE-----"),
      let end = pem.firstRange(of: "-----END CERTIFICATE-----"), start.upperBound <= end.lowerBound,
      let bytes = Base64.decode(
        String(pem[start.upperBound..<end.lowerBound].filter { !$0.isWhitespace }))
    else { return nil }
    self.init(der: bytes)
  }

  /// Reads a certificate by the structure of RFC 5280, 4.1.
  package init?(der bytes: [UInt8]) {
    guard let whole = DERItem(bytes[...]), let signed = whole.items.first,
      let fingerprint = CertificateFingerprint(bytes: SHA256.hash(bytes))
    else { return nil }
    // The version is left out in certificates of version 1.
    let fields = signed.items.drop { $0.tag == DERItem.explicit(0) }
    // Serial number, algorithm, issuer, validity, subject, key, and what a version adds.
    let parts = Array(fields)
    guard parts.count >= 6 else { return nil }
    let validity = parts[3].items.map(\.milliseconds)
    guard validity.count == 2, let from = validity[0], let until = validity[1] else { return nil }
    let extensions = parts.dropFirst(6).first { $0.tag == DERItem.explicit(3) }
    certificate = ServerCertificate(
      fingerprint: fingerprint, isSelfSigned: parts[2].content == parts[4].content,
      names: extensions?.items.first.map(Self.names) ?? [], from: from, until: until)
    key = Base64.encode(SHA256.hash(Array(parts[5].whole)))
  }

  /// The names and addresses in the extension for them (2.5.29.17).
  private static func names(in extensions: DERItem) -> [String] {
    for item in extensions.items {
      let parts = item.items
      guard parts.count >= 2, parts[0].content.elementsEqual([0x55, 0x1D, 0x11]),
        let list = parts.last.flatMap({ DERItem($0.content) })
      else { continue }
      return list.items.compactMap { name in
        switch name.tag {
        case 0x82: String(decoding: name.content, as: UTF8.self)
        case 0x87: address(Array(name.content))
        default: nil
        }
      }
    }
    return []
  }

  private static func address(_ bytes: [UInt8]) -> String? {
    if bytes.count == 4 { return bytes.map { "\($0)" }.joined(separator: ".") }
    guard bytes.count == 16 else { return nil }
    return stride(from: 0, to: 16, by: 2).map {
      String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
    }.joined(separator: ":")
  }
}

/// One element of DER: a tag, a length, a content.
private struct DERItem {
  let tag: UInt8
  let content: ArraySlice<UInt8>
  /// The element itself.
  let whole: ArraySlice<UInt8>
  /// What follows.
  private let rest: ArraySlice<UInt8>

  /// The tag of an optional element of a structure.
  static func explicit(_ number: UInt8) -> UInt8 { 0xA0 | number }

  /// Reads the first element; nil where none is whole.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= 2, let tag = bytes.first else { return nil }
    var location = bytes.startIndex + 1
    var length = Int(bytes[location])
    location += 1
    if length >= 0x80 {
      let count = length & 0x7F
      guard 1...4 ~= count, bytes.endIndex - location >= count else { return nil }
      length = bytes[location..<location + count].reduce(0) { $0 << 8 | Int($1) }
      location += count
    }
    guard bytes.endIndex - location >= length else { return nil }
    self.tag = tag
    content = bytes[location..<location + length]
    whole = bytes[..<(location + length)]
    rest = bytes[(location + length)...]
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

  /// A time, in milliseconds since 1970; nil for what is none.
  ///
  /// `UTCTime` has two digits for the year: 50 and later are of the last century (RFC 5280, 4.1.2.5.1).
  var milliseconds: Int64? {
    var digits = String(decoding: content, as: UTF8.self)
    guard digits.last == "Z" else { return nil }
    digits.removeLast()
    if tag == 0x17, let year = Int(digits.prefix(2)) { digits = (year < 50 ? "20" : "19") + digits }
    guard digits.count == 14, digits.allSatisfy(\.isNumber) else { return nil }
    let parts = Array(digits)
    func part(_ range: Range<Int>) -> String { String(parts[range]) }
    let day = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
    return Timestamp.parse("\(day)T\(part(8..<10)):\(part(10..<12)):\(part(12..<14))Z")
  }
}
