import SyncCrypto
import SyncKit
import Testing

@testable import SyncKitEncryption

/// Statements as a program with the keys of an epoch can make them, whatever they say.
struct StatementTests {
  private let environment = SyncEnvironment(now: { 0 }, random: { UInt64.random(in: 0 ... .max) })
  private let owner: VaultOwner
  private let vault: VaultKeys
  private let laptop: DeviceKeys

  init() {
    let environment = environment
    owner = VaultOwner(from: environment)
    vault = VaultKeys(of: owner, from: environment)
    var laptop = DeviceKeys(of: vault, from: environment)
    laptop.introduce(id: "id-laptop", name: "laptop", from: environment)
    self.laptop = laptop
  }

  /// A statement in the name of one device that another one signs.
  private func sealed(
    _ content: Statement.Content, as author: [UInt8], by signer: SigningKey
  ) -> SealedStatement {
    sealed(said(content), as: author, by: signer)
  }

  private func said(_ content: Statement.Content) -> [UInt8] {
    var said = ByteWriter()
    content.write(to: &said)
    return said.bytes
  }

  private func sealed(
    _ said: [UInt8], as author: [UInt8], by signer: SigningKey
  ) -> SealedStatement {
    var head = ByteWriter()
    head.write(text: "cloudsync/1/statement")
    head.write(varint: vault.epoch)
    var context = ByteWriter()
    context.write(raw: head.bytes)
    context.write(block: vault.id)
    var message = ByteWriter()
    message.write(block: said)
    message.write(block: author)
    message.write(block: signer.sign(context.bytes + SHA256.hash(said)))
    let key = KeyDerivation.expand(
      vault.current.key, for: Array("cloudsync/1/statements".utf8))
    return SealedStatement(
      head.bytes
        + Envelope.seal(
          message.bytes, context: context.bytes, key: key,
          salt: environment.randomBytes(32)))
  }

  @Test func `nobody introduces another device`() throws {
    let content = Statement.Content.introduction(
      id: "id-laptop", name: "thief", boxKey: [UInt8](repeating: 9, count: 32), time: 99)
    let other = try #require(SigningKey(seed: Array(1...32)))
    var device = laptop
    device.learn([sealed(content, as: laptop.signing.publicKey, by: other)])
    #expect(device == laptop)
    // Signed by the device itself it would count.
    device.learn([sealed(content, as: laptop.signing.publicKey, by: laptop.signing)])
    #expect(device.device?.name == "thief")
  }

  @Test func `nothing stands behind what a statement says`() throws {
    let content = Statement.Content.introduction(
      id: "x", name: "x", boxKey: [UInt8](repeating: 9, count: 32), time: 99)
    var device = laptop
    device.learn([sealed(said(content) + [0], as: laptop.signing.publicKey, by: laptop.signing)])
    #expect(device == laptop)
  }

  @Test func `whatever a device with the keys says, no other one is let go by it`() throws {
    let member = try #require(laptop.device)
    let departure = Statement.Departure(
      device: member.key, name: "laptop", objects: [ContentHash(high: 1, low: 2)])
    let epoch = Statement.Epoch(
      number: 2, hash: [UInt8](repeating: 1, count: 32),
      members: [Statement.Member(device: member, sealed: [UInt8](repeating: 2, count: 80))],
      departures: [departure], slots: [[1, 2, 3]])
    let right = Statement.Content.epoch(epoch.signed(by: owner, of: vault.id))
    let thief = DeviceKeys(of: vault, from: environment)
    for sample in [said(right), said(.kept(departure))] {
      for place in sample.indices {
        for change: UInt8 in [0x01, 0x80, 0xFF] {
          var changed = sample
          changed[place] ^= change
          var device = laptop
          device.learn([sealed(changed, as: thief.signing.publicKey, by: thief.signing)])
          #expect(device.membership.members == [member] && device.membership.epoch == 1)
        }
      }
    }
  }

  @Test func `all devices get the same key of a new epoch`() throws {
    let member = try #require(laptop.device)
    let (one, other) = (environment.randomBytes(32), environment.randomBytes(32))
    var purpose = ByteWriter()
    purpose.write(raw: "cloudsync/1/epoch-key".utf8)
    purpose.write(block: vault.id)
    purpose.write(fixed: 2)
    purpose.write(block: member.key)
    let sealedKey = try #require(
      HPKE.seal(
        other, to: member.boxKey, purpose: purpose.bytes,
        ephemeral: environment.randomBytes(32)))
    for (hash, taken) in [(one, 1), (other, 2)] {
      let epoch = Statement.Epoch(
        number: 2, hash: VaultKeys.EpochKey(number: 2, key: hash).hash,
        members: [Statement.Member(device: member, sealed: sealedKey)], departures: [], slots: [])
      var device = laptop
      let content = Statement.Content.epoch(epoch.signed(by: owner, of: vault.id))
      device.learn([sealed(content, as: laptop.signing.publicKey, by: laptop.signing)])
      #expect(device.vault.epochs.count == taken && device.isLeftOut == (taken == 1))
    }
  }

  @Test func `an introduction with a key that is none delays no new epoch`() throws {
    let thief = DeviceKeys(of: vault, from: environment)
    let content = Statement.Content.introduction(
      id: "id-thief", name: "thief", boxKey: [UInt8](repeating: 0, count: 32), time: 1)
    var device = laptop
    device.learn([sealed(content, as: thief.signing.publicKey, by: thief.signing)])
    #expect(device.membership.members.count == 2)
    try device.beginEpoch(
      by: owner, lettingGo: [], objects: [:], slots: { _ in [] }, from: environment)
    #expect(device.vault.epoch == 2 && device.membership.members.map(\.name) == ["laptop"])
  }
}
