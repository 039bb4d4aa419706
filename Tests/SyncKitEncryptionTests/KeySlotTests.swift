import SegmentFormat
import SyncCrypto
import SyncKit
import SyncKitTesting
import Testing

@testable import SyncKitEncryption

/// The ways into a vault: a passphrase, a code on paper, an invitation.
struct KeySlotTests {
  private let environment = SyncEnvironment(now: { 0 }, random: { UInt64.random(in: 0 ... .max) })
  private let vault = Vault()

  @Test func `a passphrase opens its slot, and no other does`() throws {
    let slot = try KeySlot(
      KeySlot(vault.keys, passphrase: "correct horse", from: environment).bytes)
    #expect(slot.open(passphrase: "correct horse") == vault.keys)
    #expect(slot.open(passphrase: "correct horse ") == nil)
    #expect(slot.kind == .passphrase && slot.expires == nil)
  }

  @Test func `a recovery code opens its slot`() throws {
    let code = RecoveryCode(from: environment)
    let slot = try KeySlot(KeySlot(vault.keys, recovery: code, from: environment).bytes)
    let typed = try RecoveryCode(
      typed: " " + code.text.uppercased().split(separator: "-").joined(separator: " "))
    #expect(slot.open(code: typed, now: 0) == vault.keys)
    #expect(slot.open(code: RecoveryCode(from: environment), now: 0) == nil)
  }

  @Test func `an invitation expires on every device, and its time cannot be changed`() throws {
    let code = RecoveryCode(from: environment)
    let slot = KeySlot(vault.keys, invitation: code, until: 1_000, from: environment)
    let read = try KeySlot(slot.bytes)
    #expect(
      read.open(code: code, now: 999) == vault.keys && read.open(code: code, now: 1_000) == nil)
    let later = KeySlot(vault.keys, invitation: code, until: 9_999, from: environment).bytes
    // The head of one with the envelope of the other.
    let length = later.count - Array(slot.bytes).count
    var forged = slot.bytes
    for index in forged.indices where index < 60 { forged[index] = later[index] }
    if length == 0 { #expect((try? KeySlot(forged))?.open(code: code, now: 2_000) == nil) }
  }

  @Test func `every change of a slot is noticed`() throws {
    let code = RecoveryCode(from: environment)
    let bytes = KeySlot(vault.keys, recovery: code, from: environment).bytes
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 4
      #expect((try? KeySlot(changed))?.open(code: code, now: 0) == nil, "byte \(index)")
    }
  }

  @Test func `a place cannot make a passphrase cheap, or dear`() throws {
    let slot = try KeySlot(vault.keys, passphrase: "x", from: environment)
    for (passes, memory) in [(1, 64 << 20), (3, 1 << 20), (1_000, 64 << 20), (3, 1 << 40)] {
      var writer = ByteWriter()
      writer.write(text: "cloudsync/1/slot")
      writer.write(byte: 1)
      writer.write(block: slot.vault)
      writer.write(block: [UInt8](repeating: 0, count: 16))
      writer.write(count: passes)
      writer.write(count: memory)
      writer.write(signed: 0)
      writer.write(raw: [UInt8](repeating: 0, count: 200))
      let error = #expect(throws: SyncError.self) { try KeySlot(writer.bytes) }
      #expect(error?.code.name == "crypto.cost")
    }
  }

  @Test(arguments: [
    "", "abcd", "abcd-efgh-ijkl-mnop-qrst-uvwx-yz23!", String(repeating: "a", count: 28),
  ])
  func `a code with a slip is told so`(text: String) {
    let error = #expect(throws: SyncError.self) { try RecoveryCode(typed: text) }
    #expect(error?.code == .usage)
  }

  @Test func `a slip in any letter of a code is found`() throws {
    let code = RecoveryCode(from: environment).text
    var missed = 0
    for place in code.indices where code[place] != "-" {
      var typed = code
      typed.replaceSubrange(place...place, with: code[place] == "a" ? "b" : "a")
      if (try? RecoveryCode(typed: typed)) != nil { missed += 1 }
    }
    // Two letters of checksum find all but one in a thousand.
    #expect(missed <= 1)
  }

  @Test func `an app keeps its keys as bytes`() {
    var keys = vault.keys
    keys.beginEpoch(from: environment)
    let device = DeviceKeys(of: keys, from: environment)
    #expect(DeviceKeys(device.bytes) == device)
    for length in device.bytes.indices {
      #expect(DeviceKeys(Array(device.bytes.prefix(length))) == nil)
    }
    #expect(DeviceKeys(device.bytes + [0]) == nil)
    #expect(!"\(device)".contains("root") && DeviceKeys(of: keys, from: environment) != device)
  }

  @Test func `slots lie on any place, and a device without keys finds them`() async throws {
    let code = RecoveryCode(from: environment)
    let place = KeyPlace(BlobTransport(vault.blobs))
    let identity = RemoteIdentity(
      vault: [], isKnown: false, newVault: "0f0e0d0c-0b0a-4908-8706-050403020100")
    try await place.attach(identity, vault.keys)
    // Whoever comes meanwhile sees that it is encrypted, though nothing opens it yet.
    let early = try await KeyPlace(BlobTransport(vault.blobs)).content()
    #expect(early.isEncrypted && !early.isNew && early.slots.isEmpty)
    try await place.store(KeySlot(vault.keys, recovery: code, from: environment))
    try await place.store(KeySlot(vault.keys, invitation: code, until: 5, from: environment))
    let found = try await KeyPlace(BlobTransport(vault.blobs)).content().slots
    #expect(found.count == 2)
    #expect(found.compactMap { $0.open(code: code, now: 0) } == [vault.keys, vault.keys])
    try await place.remove { $0.kind == .invitation }
    #expect(try await place.content().slots.map(\.kind) == [.recovery])
    let bytes = vault.blobs.files.values.flatMap(\.self)
    #expect(!bytes.holds(vault.keys.root) && !bytes.holds(vault.keys.current.key))
  }

  @Test(arguments: [0, 40])
  func `a statement that was cut off is stored again`(left: Int) async throws {
    let place = KeyPlace(BlobTransport(vault.blobs))
    let identity = RemoteIdentity(
      vault: [], isKnown: false, newVault: "0f0e0d0c-0b0a-4908-8706-050403020100")
    try await place.attach(identity, vault.keys)
    var keys = DeviceKeys(of: vault.keys, from: environment)
    func exchange() async throws {
      keys = try await place.exchange(
        keys, on: ("place", "place"), as: (id: "one", name: "laptop"), from: environment,
        having: { _ in [:] },
        save: { _ in })
    }
    try await exchange()
    let whole = vault.blobs.files
    let statements = whole.filter { $0.key.hasSuffix(".seg") }
    #expect(!statements.isEmpty)
    for (name, bytes) in statements { vault.blobs.files[name] = Array(bytes.prefix(left)) }
    try await exchange()
    #expect(vault.blobs.files == whole)
  }
}
