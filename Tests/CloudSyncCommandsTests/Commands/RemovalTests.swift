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

/// Reported removals are real.
///
/// A folder plays a file that cannot be removed, not even by root.
struct RemovalTests {
  @Test func `a missing file counts as removed, one that stays is an error`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("x", to: "a/file")
    try LocalFile.remove(file)
    try LocalFile.remove(file)
    try LocalFile.remove("\(folder.path)/none/file")
    #expect(throws: SystemError.self) { try LocalFile.remove("\(folder.path)/a") }
    #expect(LocalFolder.exists("\(folder.path)/a"))
  }

  @Test func `a pause that cannot be removed is not reported as over`() throws {
    let folder = try TemporaryFolder()
    try folder.write("airports\n", to: "from/paused")
    var pauses = try Pauses(in: "\(folder.path)/from")
    pauses.set(["airports"], isPaused: false)
    try LocalFolder.create("\(folder.path)/to/paused")
    #expect(throws: SyncError.self) { try pauses.save(in: "\(folder.path)/to") }
    try pauses.save(in: "\(folder.path)/from")
    #expect(try Pauses(in: "\(folder.path)/from").domains.isEmpty)
  }

  @Test func `two pauses at the same time wait for each other, and both count`() async throws {
    let folder = try TemporaryFolder()
    let data = folder.path
    let lock = try await StoreLock("\(data)/paused.lock")
    let late = Task { try await Pauses.change(["airports"], isPaused: true, in: data) }
    try await Task.sleep(for: .milliseconds(50))
    var other = try Pauses(in: data)
    #expect(other.domains.isEmpty)
    other.set(["bike"], isPaused: true)
    try other.save(in: data)
    lock.release()
    #expect(try await late.value.after.domains == ["airports", "bike"])
    #expect(try Pauses(in: data).domains == ["airports", "bike"])
  }

  @Test func `a remote whose token stays is not reported as removed, and can be removed again`()
    async throws
  {
    let machine = try TestMachine()
    let made = await machine.run(
      "init", "--yes", "--unencrypted", "--remote", "folder=file:\(machine.home.path)/remote", "-q")
    #expect(made.status == 0, "\(made.error)")
    let token = "\(machine.home.path)/.local/share/cloudsync/tokens/folder"
    try LocalFolder.create(token)
    let failed = await machine.run("remote", "rm", "folder")
    #expect(failed.status == 74 && !failed.error.contains("removed"), "\(failed.error)")
    #expect(await machine.run("remote", "list", "--plain").output.hasPrefix("folder\t"))
    #expect(rmdir(token) == 0)
    #expect(await machine.run("remote", "rm", "folder").status == 0)
    #expect(await machine.run("remote", "list", "--plain").output.isEmpty)
  }

  @Test func `the doctor counts missing files as removed`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("x", to: "a.tmp")
    try LocalFolder.create("\(folder.path)/b.tmp")
    let left = DoctorFiles.remove([file, "\(folder.path)/b.tmp"])
    #expect(left.map(\.path) == ["\(folder.path)/b.tmp"])
  }
}
