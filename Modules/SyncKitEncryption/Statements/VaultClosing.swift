import SyncCrypto
public import SyncKit

/// The word of a vault's owner that one of its places is encrypted no more.
///
/// It lies on that place and nowhere else, sealed with the key of the vault. A device that finds it stores nothing there
/// any more, neither encrypted nor in plain, until a person says on that device that it may be in plain.
public struct VaultClosing: Hashable, Sendable {
  /// What the remote is called on the device that moved it.
  public let remote: String
  /// Where it is, as that device sees it.
  public let location: String
  /// When, in milliseconds since 1970.
  public let time: Int64
  private var signature: [UInt8] = []

  private static let nameLimit = 256
  private static let locationLimit = 4_096

  init(
    _ remote: String, at location: String, time: Int64, by owner: VaultOwner, of vault: [UInt8]
  ) {
    (self.remote, self.location, self.time) = (remote, location, time)
    signature = owner.key.sign(signed(vault))
  }

  /// Whether it is about a remote: one that has the name or the location that it says.
  ///
  /// A place could show what was said of another one. Devices may call one place by different names and see it at
  /// different locations, so a person decides where neither is the same.
  public func names(_ remote: String, at location: String) -> Bool {
    self.remote == remote || self.location == location
  }

  // MARK: Bytes

  init(_ reader: inout ByteReader) throws {
    remote = try reader.text(limit: Self.nameLimit)
    location = try reader.text(limit: Self.locationLimit)
    time = try reader.signed()
    signature = try reader.block()
  }

  func write(to writer: inout ByteWriter) {
    writer.write(raw: said)
    writer.write(block: signature)
  }

  /// All of it but the signature.
  private var said: [UInt8] {
    var writer = ByteWriter()
    writer.write(text: remote)
    writer.write(text: location)
    writer.write(signed: time)
    return writer.bytes
  }

  /// What the owner of a vault signs.
  private func signed(_ vault: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(raw: "cloudsync/1/closing".utf8)
    writer.write(block: vault)
    return writer.bytes + SHA256.hash(said)
  }

  /// Whether the owner of a vault has signed it.
  func isSigned(for keys: VaultKeys) -> Bool {
    SigningKey.isValid(signature, of: signed(keys.id), by: keys.owner)
  }
}

extension VaultClosing {
  /// What a device says that finds it where it would store.
  ///
  /// - Parameters:
  ///   - remote: What the device calls the remote.
  ///   - place: Where the remote is.
  /// - Returns: The error `crypto.closed`, with the command that agrees.
  public func refusal(of remote: String, at place: String) -> SyncError {
    let command = "'cloudsync vault decrypt \(remote) --unencrypted"
    guard names(remote, at: place) else {
      return SyncError(
        .closed,
        "'\(remote)' says that the owner of the vault has moved '\(self.remote)' at \(location) to plain.",
        hint: "If that is the same place, run \(command) --closed-as \(self.remote)'. "
          + "If it is another one, this one shows what it should not have.")
    }
    return SyncError(
      .closed,
      "The owner of the vault has moved '\(remote)' to plain: whoever can read it can read what is stored there from now on.",
      hint: "Run \(command)', which takes along what this device has not sent; "
        + "or 'cloudsync remote rm \(remote)', and it stays here.")
  }
}

extension SyncError.Code {
  /// The owner of the vault has moved the remote to plain, and this device has not agreed.
  public static let closed = Self("crypto.closed", exit: 77)
}
