import DeviceIdentity
import LocalMachine
import CommandFoundation
import SyncKit
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

@testable import CloudSyncCommands

/// The device's own id, drawn once.
struct DeviceFileTests {
  @Test func `a draft left by a process of the same number does not block a new one`() throws {
    let folder = try TemporaryFolder()
    // In a container every process may have this id.
    try folder.write("", to: "device.\(getpid()).tmp")
    #expect(try DeviceFile.id(in: folder.path) == nil)
    try DeviceFile.keep("an-id", in: folder.path)
    #expect(try DeviceFile.id(in: folder.path) == "an-id")
    #expect(
      try LocalFolder.names(in: folder.path, ending: "") == ["device", "device.\(getpid()).tmp"])
    #expect(folder.mode(of: "device") == 0o600)
  }
}
