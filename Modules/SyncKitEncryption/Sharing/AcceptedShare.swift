public import SyncKit

/// Another person's zone in which this person takes part, as the person's devices tell each other.
public struct AcceptedShare: Hashable, Sendable {
  let grant: ShareGrant
  /// The server's id of the share.
  public let share: String
  /// What was shown to the server to accept, a secret; with it a newer card is shown.
  let secret: String
  let code: RecoveryCode
  /// Whether the person has left it since: only then does the copy go.
  var isLeft = false
  /// When it was stated, in milliseconds since 1970: the latest holds.
  var time: Int64

  private static let textLimit = 512

  init(_ grant: ShareGrant, share: String, secret: String, code: RecoveryCode) {
    (self.grant, self.share, self.secret, self.code, time) = (grant, share, secret, code, 0)
  }

  /// Whether it was accepted by what was shown to the server.
  public func isAccepted(by secret: String) -> Bool { secret == self.secret }

  /// The domain of the zone.
  public var domain: String { grant.domain }
  /// The zone, as its owner calls it.
  public var zone: ZoneID { grant.zone }
  /// What the owner calls the record.
  public var title: String { grant.title }
  /// Who shares it.
  public var owner: PersonCard { grant.card }
  /// Where it lies.
  public var place: SharedZoneName {
    SharedZoneName(domain: grant.names.domain, zone: grant.names.zone)
  }

  init(_ reader: inout ByteReader) throws {
    grant = try ShareGrant(&reader)
    share = try reader.text(limit: Self.textLimit)
    secret = try reader.text(limit: Self.textLimit)
    let code = try reader.block()
    guard code.count == RecoveryCode.length else {
      throw ByteReader.damaged("a code has another length")
    }
    self.code = RecoveryCode(secret: code)
    isLeft = try reader.flag()
    time = try reader.signed()
  }

  func write(to writer: inout ByteWriter) {
    grant.write(to: &writer)
    writer.write(text: share)
    writer.write(text: secret)
    writer.write(block: code.secret)
    writer.write(byte: isLeft ? 1 : 0)
    writer.write(signed: time)
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    write(to: &writer)
    return writer.bytes
  }
}

extension AcceptedShare: CustomStringConvertible, CustomDebugStringConvertible {
  /// Without the keys and the secret, which stand in no log.
  public var description: String { "share \(share)" }
  public var debugDescription: String { description }
}
