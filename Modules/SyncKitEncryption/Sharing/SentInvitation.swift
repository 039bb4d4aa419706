import SyncCrypto
public import SyncKit

/// A person whom the owner of a zone has invited to it, as the owner's devices tell each other.
public struct SentInvitation: Hashable, Sendable {
  /// The server's id of the participant.
  public let participant: String
  /// The domain of the zone.
  public let domain: String
  /// The zone.
  public let zone: ZoneID
  /// What the owner calls the record.
  public let title: String
  /// What the owner calls the guest.
  public let name: String
  /// Whether the guest may write; nil when the guest takes part no more.
  public internal(set) var mayWrite: Bool?
  /// The code that opens the invitation, a secret.
  let code: RecoveryCode
  /// When it was stated, in milliseconds since 1970: the latest holds.
  public internal(set) var time: Int64

  private static let textLimit = 512

  /// Describes an invitation.
  public init(
    participant: String, domain: String, zone: ZoneID, title: String, name: String,
    mayWrite: Bool, code: RecoveryCode
  ) {
    (self.participant, self.domain, self.zone) = (participant, domain, zone)
    (self.title, self.name) = (Self.cut(title), Self.cut(name))
    (self.mayWrite, self.code, time) = (mayWrite, code, 0)
  }

  /// The card that a guest has shown; nil when it was shown without the code of this invitation.
  ///
  /// - Parameter bytes: What the server has kept of the guest.
  /// - Returns: The card.
  public func card(shown bytes: [UInt8]) -> PersonCard? {
    ShownCard(bytes).flatMap { $0.isShown(by: code) ? $0.card : nil }
  }

  /// The beginning of a text that is too long.
  static func cut(_ text: String) -> String {
    text.utf8.count <= textLimit
      ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(textLimit / 4)))
  }

  init(_ reader: inout ByteReader) throws {
    participant = try reader.text(limit: Self.textLimit)
    domain = try reader.text(limit: Self.textLimit)
    zone = ZoneID(try reader.text(limit: Self.textLimit))
    title = try reader.text(limit: Self.textLimit)
    name = try reader.text(limit: Self.textLimit)
    mayWrite = try reader.flag() ? try reader.flag() : nil
    let secret = try reader.block()
    guard secret.count == RecoveryCode.length else {
      throw ByteReader.damaged("a code has another length")
    }
    code = RecoveryCode(secret: secret)
    time = try reader.signed()
  }

  func write(to writer: inout ByteWriter) {
    writer.write(text: participant)
    writer.write(text: domain)
    writer.write(text: zone.text)
    writer.write(text: title)
    writer.write(text: name)
    writer.write(byte: mayWrite == nil ? 0 : 1)
    if let mayWrite { writer.write(byte: mayWrite ? 1 : 0) }
    writer.write(block: code.secret)
    writer.write(signed: time)
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    write(to: &writer)
    return writer.bytes
  }
}

extension SentInvitation: CustomStringConvertible, CustomDebugStringConvertible {
  /// Without the code, which stands in no log.
  public var description: String { "an invitation of participant \(participant)" }
  public var debugDescription: String { description }
}
