import DeviceIdentity
import LocalMachine
import CommandFoundation
import SyncKit
import Testing

@testable import CloudSyncCommands

/// The witness of a store that has many zones.
struct WitnessFileTests {
  @Test func `a large one is read whole`() throws {
    let folder = try TemporaryFolder()
    let file = WitnessFile(path: "\(folder.path)/health.identity")
    var witness = Witness(token: "token", fingerprint: "print")
    for number in 0..<20_000 {
      witness.sealed["health/0123456789abcdef0123456789-\(number)"] = "abcdef0123456789:\(number)"
    }
    try file.save(witness)
    #expect(LocalFile.size(file.path) > 1 << 20)
    #expect(try file.load() == witness)
  }

  @Test func `an unreadable one does not count as missing`() throws {
    let folder = try TemporaryFolder()
    let file = WitnessFile(path: "\(folder.path)/health.identity")
    #expect(try file.load() == nil)
    try LocalFolder.create(file.path)
    #expect(throws: SyncError.self) { try file.load() }
  }
}
