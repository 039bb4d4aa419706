import SyncCrypto
import SyncKit

/// A device of a vault, as it has introduced itself to the others.
public struct VaultDevice: Hashable, Sendable {
  /// The public key by which its signatures are verified.
  public let key: [UInt8]
  /// The public key to which the keys of new epochs are sealed.
  let boxKey: [UInt8]
  /// The device's id, as in its edits.
  public var id: String
  /// Its name.
  public var name: String

  /// Six words that are those of this key alone, to be compared by people.
  public var fingerprint: String { FingerprintWords.of(key) }
}

extension VaultDevice {
  /// Keys have 32 bytes, ids and names are short.
  private static let textLimit = 256

  init(_ reader: inout ByteReader) throws {
    key = try reader.block()
    boxKey = try reader.block()
    id = try reader.text(limit: Self.textLimit)
    name = try reader.text(limit: Self.textLimit)
    guard key.count == VaultKeys.keyLength, boxKey.count == VaultKeys.keyLength else {
      throw ByteReader.damaged("a key of a device has another length")
    }
  }

  func write(to writer: inout ByteWriter) {
    writer.write(block: key)
    writer.write(block: boxKey)
    writer.write(text: id)
    writer.write(text: name)
  }
}
